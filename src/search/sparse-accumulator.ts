/** Sparse accumulator: sums by number, with a list of the numbers that have one, so that reading skips all others. */
export class SparseAccumulator {
  readonly sums: Float64Array;
  /** The numbers that have a sum, each once, in the order in which they were added. */
  readonly numbers: number[] = [];

  constructor(size: number) {
    this.sums = new Float64Array(size);
  }

  /** Adds an amount, which must be above 0. */
  add(number: number, amount: number): void {
    const before = this.sums[number] ?? 0;
    if (before === 0) this.numbers.push(number);
    this.sums[number] = before + amount;
  }

  clear(): void {
    for (const number of this.numbers) this.sums[number] = 0;
    this.numbers.length = 0;
  }
}
