/** Sparse accumulator: sums by number, with a list of the numbers that have one, so that reading skips all others. */
export class SparseAccumulator {
  readonly sums: Float64Array;
  readonly #numbers: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.sums = new Float64Array(size);
    this.#numbers = new Uint32Array(size);
  }

  /** The numbers that have a sum, each once, in the order in which they were added: a view, not a copy. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#count);
  }

  /** Adds an amount, which must be above 0. */
  add(number: number, amount: number): void {
    const before = this.sums[number] ?? 0;
    if (before === 0) this.#numbers[this.#count++] = number;
    this.sums[number] = before + amount;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.sums[this.#numbers[at] ?? 0] = 0;
    this.#count = 0;
  }
}
