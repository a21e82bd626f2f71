import { compareHits, type SearchHit } from './search-hit.ts';
import { invalidInput } from '../model/error.ts';

export interface ScoredList {
  /** Name of the list, which must be unique. It names the list's part of a fused score. */
  readonly name: string;
  /** Weight of the list: a finite number from 0. */
  readonly weight: number;
  readonly results: readonly SearchHit[];
  /**
   * `max`: scores are divided by the list's largest score, and negative ones count as 0, so that they are from 0 to 1; a
   * list whose largest score is not above 0 adds nothing. `none`: scores are used unchanged. @default 'max'
   */
  readonly normalize?: 'max' | 'none';
}

export interface FusedHit extends SearchHit {
  /** Contribution of each list that contains the id: its weighted, normalized score in that list. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Fuses ranked lists into one by a weighted sum of normalized scores (the CombSUM of E. Fox and J. Shaw, "Combination of
 * Multiple Searches", 1994, with weights).
 *
 * It sums scores rather than ranks: reciprocal rank fusion gives the top of a weak list as much as that of a strong one,
 * so that the fused list can be worse than its best input.
 *
 * Returns all ids of all lists, best first; equal scores are ordered by id. The order of the lists does not matter. If a
 * list contains an id twice, the better score counts.
 *
 * @throws MnemoraError `invalid-input` if two lists have the same name, or a weight or score is invalid
 */
export function fuseScores(lists: readonly ScoredList[]): FusedHit[] {
  // Sorted by name, because a sum of floating-point numbers depends on their order.
  const sorted = lists.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const twice = sorted.find(({ name }, position) => name === sorted[position - 1]?.name);
  if (twice) throw invalidInput(`Two lists to fuse are named "${twice.name}".`);
  const partsById = new Map<string, [name: string, part: number][]>();
  for (const list of sorted) {
    for (const [id, part] of weightedScores(list)) {
      const parts = partsById.get(id);
      if (parts) parts.push([list.name, part]);
      else partsById.set(id, [[list.name, part]]);
    }
  }
  return Array.from(partsById, ([id, parts]) => ({
    id,
    score: parts.reduce((sum, [, part]) => sum + part, 0),
    parts: Object.fromEntries(parts),
  })).toSorted(compareHits);
}

function weightedScores({ name, weight, results, normalize = 'max' }: ScoredList): Map<string, number> {
  if (!Number.isFinite(weight) || weight < 0) {
    throw invalidInput(
      `The weight of the list "${name}" must be a finite number of at least 0, not ${String(weight)}.`,
    );
  }
  const best = new Map<string, number>();
  for (const { id, score } of results) {
    if (!Number.isFinite(score)) {
      throw invalidInput(
        `The score of "${id}" in the list "${name}" must be a finite number, not ${String(score)}.`,
      );
    }
    best.set(id, Math.max(score, best.get(id) ?? -Infinity));
  }
  if (normalize === 'none') return new Map(Array.from(best, ([id, score]) => [id, weight * score]));
  const largest = results.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  return new Map(Array.from(best, ([id, score]) => [id, weight * (Math.max(0, score) / largest)]));
}
