import { MnemoraError } from '../model/error.ts';
import { compareHits, type HitFilter, type SearchHit } from './search-hit.ts';

/** Keeps the best `k` of the hits offered to it, in a binary heap with the worst hit on top. */
export class TopHits {
  readonly #k: number;
  readonly #filter: HitFilter | undefined;
  readonly #heap: SearchHit[] = [];

  /** @throws MnemoraError `invalid-input` if `k` is not a whole number from 0 */
  constructor(k: number, filter?: HitFilter) {
    if (!Number.isSafeInteger(k) || k < 0) {
      throw new MnemoraError(
        'invalid-input',
        `The number of results must be a whole number from 0, not ${String(k)}.`,
      );
    }
    this.#k = k;
    this.#filter = filter;
  }

  /** Minimum score that a further hit needs to be kept. */
  get threshold(): number {
    if (this.#heap.length < this.#k) return -Infinity;
    return this.#heap[0]?.score ?? Infinity;
  }

  offer(id: string, score: number): void {
    if (this.#k === 0) return;
    const hit = { id, score };
    const worst = this.#heap[0];
    const isFull = this.#heap.length === this.#k;
    if (isFull && worst && compareHits(hit, worst) > 0) return;
    // The filter is called last: most hits are excluded by their score, which is cheaper to compare.
    if (this.#filter && !this.#filter(id)) return;
    if (isFull) {
      this.#heap[0] = hit;
      this.#sink();
    } else {
      this.#heap.push(hit);
      this.#rise();
    }
  }

  /** Returns the hits kept, best first. */
  ranked(): SearchHit[] {
    return this.#heap.toSorted(compareHits);
  }

  #rise(): void {
    const heap = this.#heap;
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isWorse(heap[child], heap[parent])) return;
      swap(heap, child, parent);
      child = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const worseChild = isWorse(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isWorse(heap[worseChild], heap[parent])) return;
      swap(heap, parent, worseChild);
      parent = worseChild;
    }
  }
}

function isWorse(a: SearchHit | undefined, b: SearchHit | undefined): boolean {
  return a !== undefined && b !== undefined && compareHits(a, b) > 0;
}

function swap(heap: SearchHit[], i: number, j: number): void {
  const a = heap[i];
  const b = heap[j];
  if (a === undefined || b === undefined) return;
  heap[i] = b;
  heap[j] = a;
}
