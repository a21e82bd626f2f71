/** One measured task: a table of medians and what they say. */
export interface BenchResult {
  /** Key of the result in the line of JSON. */
  name: string;
  /** Description of the task, with its sizes. */
  task: string;
  rows: BenchRow[];
  /** Ratios of medians and what was checked, by name. */
  ratios: Record<string, number | boolean>;
}

export interface BenchRow {
  who: string;
  medianMs: number;
  /** Note that is needed to interpret the number. */
  note: string;
}

/** Rounds to thousandths: further digits would not be significant. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
