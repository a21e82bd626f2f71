/** One result of a search, with its score: higher is better. */
export interface SearchHit {
  readonly id: string;
  readonly score: number;
}

/** Returns whether an id may be among the results. It must return the same value each time within one search. */
export type HitFilter = (id: string) => boolean;

/**
 * Orders hits by score, best first, and equal scores by id in UTF-16 order, so that the same content gives the same
 * ranking regardless of the order in which it was added.
 */
export function compareHits(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
