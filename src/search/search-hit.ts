/** One result of a search: what was found, and how well it fits. Higher is better. */
export interface SearchHit {
  readonly id: string;
  readonly score: number;
}

/** Says whether an id may be among the results. It must give the same answer each time within one search. */
export type HitFilter = (id: string) => boolean;

/**
 * The order of every ranked list: best score first; equal scores by id, in UTF-16 order, so that the same content
 * gives the same ranking whatever the order in which it was added.
 */
export function compareHits(a: SearchHit, b: SearchHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
