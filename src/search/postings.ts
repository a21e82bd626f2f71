const FIRST_CAPACITY = 4;

/**
 * The documents in which one term occurs: pairs of an ordinal and a frequency in one array, ordinals rising, so that
 * one is found by halving and a scan reads memory in a row.
 */
export class Postings {
  #pairs = new Uint32Array();
  #used = 0;

  /** How many documents there are. */
  get count(): number {
    return this.#used / 2;
  }

  /** Ordinal, frequency, ordinal, frequency …: a view, not a copy. */
  get pairs(): Uint32Array {
    return this.#pairs.subarray(0, this.#used);
  }

  /** Adds a document whose ordinal is above all that are here. */
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

  /** Removes a document; what it left at the end is overwritten. */
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

  /** Gives each document its new ordinal, which must keep their order. */
  renumber(newOrdinals: Uint32Array): void {
    const pairs = this.#pairs;
    for (let i = 0; i < this.#used; i += 2) pairs[i] = newOrdinals[pairs[i] ?? 0] ?? 0;
  }

  /** How often the term occurs in a document; 0 where it does not. */
  frequencyOf(ordinal: number): number {
    return this.#pairs[2 * this.#indexOf(ordinal) + 1] ?? 0;
  }

  #indexOf(ordinal: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#pairs[2 * middle] ?? 0;
      if (found === ordinal) return middle;
      if (found < ordinal) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
