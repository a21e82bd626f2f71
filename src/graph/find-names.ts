import type { NamedEntity } from './entity-name.ts';
import { NameIndex } from './name-index.ts';

/** Returns the names of the known entities that a text mentions, in the order of their first mention. */
export type NameFinder = (text: string) => string[];

/**
 * Returns the names of the entities that a text mentions, in the order of their first mention.
 *
 * Case, width and spacing do not matter, except that names of one or two letters and names that are common words
 * (`Will`) must match in case. `Sam's` matches Sam. The first or last word of a longer name (`Nolan`) matches it if
 * only one entity has that word and no other entity is called so. Of overlapping names the longest wins: `New York
 * Times` is not `New York`. If there is an entity called `user`, the words `I`, `me`, `my`, `mine` and `myself` match
 * it.
 */
export function findNames(text: string, entities: readonly NamedEntity[]): string[] {
  return createNameFinder(entities)(text);
}

/** Returns {@link findNames} as a function for many texts; the names are indexed once. */
export function createNameFinder(entities: readonly NamedEntity[]): NameFinder {
  const index = new NameIndex();
  for (const entity of entities) index.add(entity);
  return (text) => index.find(text);
}
