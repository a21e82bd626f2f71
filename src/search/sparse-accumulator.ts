/** Sums by number, and which numbers have one, so that reading them costs no look at the others. */
export class SparseAccumulator {
  readonly sums: Float64Array;
  /** Each number once, in the order in which they came. */
  readonly numbers: number[] = [];

  constructor(size: number) {
    this.sums = new Float64Array(size);
  }

  /** Adds an amount above 0. */
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
