import { argument, wholeNumber } from '../model/check-options.ts';

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

/** Keeps the best `k` of the hits offered to it, in a binary heap with the worst hit on top. */
export class TopHits {
  readonly #k: number;
  readonly #filter: HitFilter | undefined;
  readonly #heap: SearchHit[] = [];

  /** @throws MnemoraError `invalid-input` if `k` is not a whole number from 0 */
  constructor(k: number, filter?: HitFilter) {
    this.#k = argument(wholeNumber(0))('The number of results', k);
    this.#filter = filter;
  }

  /** Minimum score that a further hit needs to be kept. */
  get threshold(): number {
    if (this.#heap.length < this.#k) return -Infinity;
    return this.#heap[0]?.score ?? Infinity;
  }

  offer(id: string, score: number): void {
    if (this.#k === 0) return;
    const worst = this.#heap[0];
    const isFull = this.#heap.length === this.#k;
    // As `compareHits`, without an object: thousands of hits may have the score of the worst.
    if (isFull && worst && (score < worst.score || (score === worst.score && id > worst.id))) return;
    // The filter is called last: most hits are excluded by their score, which is cheaper to compare.
    if (this.#filter && !this.#filter(id)) return;
    if (isFull) this.#sink({ id, score });
    else this.#rise({ id, score });
  }

  /** Returns the hits kept, best first. */
  ranked(): SearchHit[] {
    return this.#heap.toSorted(compareHits);
  }

  /** Adds a hit at the bottom of the heap and moves it up. */
  #rise(hit: SearchHit): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = heap[(at - 1) >> 1];
      if (!above || compareHits(hit, above) <= 0) break;
      heap[at] = above;
      at = (at - 1) >> 1;
    }
    heap[at] = hit;
  }

  /** Replaces the worst hit and moves the new one down. */
  #sink(hit: SearchHit): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const isRight = left !== undefined && right !== undefined && compareHits(right, left) > 0;
      const worse = isRight ? right : left;
      if (!worse || compareHits(worse, hit) <= 0) break;
      heap[at] = worse;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = hit;
  }
}
