import { firstPassing } from '../model/ordered/binary-search.ts';

const FIRST_CAPACITY = 4;

/**
 * The postings of a term: pairs of ordinal and frequency in one array, by ascending ordinal, so that a document is found
 * by binary search and a scan reads memory sequentially.
 */
export class Postings {
  #pairs = new Uint32Array();
  #used = 0;

  /** Number of documents. */
  get count(): number {
    return this.#used / 2;
  }

  /** Alternating ordinals and frequencies: a view, not a copy. */
  get pairs(): Uint32Array {
    return this.#pairs.subarray(0, this.#used);
  }

  /** Adds a document, whose ordinal must be above all others. */
  append(ordinal: number, frequency: number): void {
    if (this.#used === this.#pairs.length) {
      const larger = new Uint32Array(Math.max(FIRST_CAPACITY * 2, this.#pairs.length * 2));
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#used] = ordinal;
    this.#pairs[this.#used + 1] = frequency;
    this.#used += 2;
  }

  /** Removes a document and overwrites the entry that is freed at the end. */
  remove(ordinal: number): void {
    const start = 2 * this.#indexOf(ordinal);
    if (start < 0) return;
    this.#pairs.copyWithin(start, start + 2, this.#used);
    this.#used -= 2;
    this.#pairs.fill(0, this.#used, this.#used + 2);
  }

  forEach(visit: (ordinal: number, frequency: number) => void): void {
    const pairs = this.#pairs;
    for (let i = 0; i < this.#used; i += 2) visit(pairs[i] ?? 0, pairs[i + 1] ?? 0);
  }

  /** Returns the term frequency in a document; 0 if the term does not occur. */
  frequencyOf(ordinal: number): number {
    return this.#pairs[2 * this.#indexOf(ordinal) + 1] ?? 0;
  }

  #indexOf(ordinal: number): number {
    const index = firstPassing(this.count, (at) => (this.#pairs[2 * at] ?? 0) >= ordinal);
    return index < this.count && this.#pairs[2 * index] === ordinal ? index : -1;
  }
}
