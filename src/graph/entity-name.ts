import { foldName } from '../language/fold.ts';

/** An entity with all its names. */
export interface NamedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Returns the key under which an entity is found. Case, width and spacing of the name do not matter. */
export function nameKey(name: string): string {
  const key = foldName(name);
  // graphology stores neighbors in plain objects, where `constructor` and the like already exist. No other key ends
  // in a space.
  return key in Object.prototype ? `${key} ` : key;
}

/** Returns `sam` for `sam's` and `the joneses` for `the joneses'`, or undefined if the key is not a possessive. */
export function withoutPossessive(key: string): string | undefined {
  const bare = key.replace(/(?<=\S)['’]s$|(?<=s)['’]$/u, '');
  return bare === key ? undefined : bare;
}
