/** One measured task: a table of medians and what they say. */
export interface BenchResult {
  /** Key of the result in the line of JSON. */
  name: string;
  /** What was done, with its sizes. */
  task: string;
  rows: BenchRow[];
  /** Ratios of medians and what was checked, by name. */
  ratios: Record<string, number | boolean>;
}

export interface BenchRow {
  who: string;
  medianMs: number;
  /** What has to be known to read the number. */
  note: string;
}

/** A whole number of thousandths: more digits would pretend. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
