import type { NamedEntity } from './entity-name.ts';
import { NameIndex } from './name-index.ts';

/** Names the known entities that a text mentions, in the order of their first mention. */
export type NameFinder = (text: string) => string[];

/**
 * Which of the entities a text mentions, in the order of their first mention.
 *
 * Case, width and spacing do not matter; names of one or two letters, and those that are common words (`Will`), must
 * have their case. `Sam's` is Sam. The first or last word of a longer name stands for it (`Nolan`) where only one
 * entity has it and it is no name of another. Of overlapping names the longest counts: `New York Times` is not
 * `New York`. Where there is an entity called `user`, `I`, `me`, `my`, `mine` and `myself` are it.
 */
export function findNames(text: string, entities: readonly NamedEntity[]): string[] {
  return createNameFinder(entities)(text);
}

/** {@link findNames} for many texts: the names are indexed once. */
export function createNameFinder(entities: readonly NamedEntity[]): NameFinder {
  const index = new NameIndex();
  for (const entity of entities) index.add(entity);
  return (text) => index.find(text);
}
