/** What needs no more than lower case; nearly all names are written so. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** An entity by all its names. */
export interface NamedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Under which an entity is found: case, width and spacing of a name do not matter. */
export function nameKey(name: string): string {
  const key = PLAIN.test(name)
    ? name.toLowerCase()
    : name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
  // graphology keeps neighbors in plain objects, where these names are taken; no other key ends in a space.
  return key in Object.prototype ? `${key} ` : key;
}

/** `sam` for `sam's` and `the joneses` for `the joneses'`; undefined where the key is no possessive. */
export function withoutPossessive(key: string): string | undefined {
  const bare = key.replace(/(?<=\S)['’]s$|(?<=s)['’]$/u, '');
  return bare === key ? undefined : bare;
}
