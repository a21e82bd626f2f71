/** One candidate with its features and its label: whether it is evidence. */
export interface Sample {
  readonly features: readonly number[];
  readonly isWanted: boolean;
  /** Log-odds that are known and not fitted. @default 0 */
  readonly offset?: number;
}

const MAX_STEPS = 15;
const ENOUGH = 1e-6;

/**
 * Returns the weights of a logistic regression without its intercept, by Newton's method, with the L2 penalty `ridge` on
 * features of unit variance.
 */
export function fitLogistic(samples: readonly Sample[], ridge = 1): number[] {
  const width = samples[0]?.features.length ?? 0;
  const mean = columns(width, (at) => average(samples, (features) => features[at] ?? 0));
  const spread = columns(width, (at) => {
    const variance = average(samples, (features) => ((features[at] ?? 0) - (mean[at] ?? 0)) ** 2);
    return Math.sqrt(variance) || 1;
  });
  const rows = samples.map(({ features }) =>
    Float64Array.from([
      ...columns(width, (at) => ((features[at] ?? 0) - (mean[at] ?? 0)) / (spread[at] ?? 1)),
      1,
    ]),
  );
  const weights = new Float64Array(width + 1);
  for (let step = 0; step < MAX_STEPS; step++) {
    const move = newtonStep(samples, rows, weights, ridge);
    const moved = (share: number): Float64Array =>
      weights.map((weight, at) => weight + share * (move[at] ?? 0));
    const before = loss(samples, rows, weights, ridge);
    // Far from the best weights a whole step can lead farther away.
    let share = 1;
    while (share > ENOUGH && loss(samples, rows, moved(share), ridge) > before) share /= 2;
    weights.set(moved(share));
    if (move.every((each) => Math.abs(each) < ENOUGH)) break;
  }
  return columns(width, (at) => (weights[at] ?? 0) / (spread[at] ?? 1));
}

/** The log-odds that the weights give to a row. */
function logOdds(sample: Sample | undefined, row: Float64Array, weights: Float64Array): number {
  let sum = sample?.offset ?? 0;
  for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (row[at] ?? 0);
  return sum;
}

/** What the fit makes as small as possible: the negative log-likelihood and the penalty. */
function loss(
  samples: readonly Sample[],
  rows: readonly Float64Array[],
  weights: Float64Array,
  ridge: number,
): number {
  const penalty = weights.subarray(0, -1).reduce((sum, weight) => sum + (ridge * weight * weight) / 2, 0);
  return rows.reduce((sum, row, number) => {
    const odds = logOdds(samples[number], row, weights);
    const signed = samples[number]?.isWanted ? -odds : odds;
    return sum + Math.max(0, signed) + Math.log1p(Math.exp(-Math.abs(signed)));
  }, penalty);
}

function newtonStep(
  samples: readonly Sample[],
  rows: readonly Float64Array[],
  weights: Float64Array,
  ridge: number,
): number[] {
  const size = weights.length;
  const gradient = new Float64Array(size);
  const curvature = new Float64Array(size * size);
  for (const [number, row] of rows.entries()) {
    const chance = 1 / (1 + Math.exp(-logOdds(samples[number], row, weights)));
    const error = Number(samples[number]?.isWanted) - chance;
    const bend = chance * (1 - chance);
    for (let i = 0; i < size; i++) {
      const value = row[i] ?? 0;
      gradient[i] = (gradient[i] ?? 0) + error * value;
      for (let j = i; j < size; j++) {
        curvature[i * size + j] = (curvature[i * size + j] ?? 0) + bend * value * (row[j] ?? 0);
      }
    }
  }
  const matrix = columns(size, (i) =>
    columns(
      size,
      (j) => (curvature[Math.min(i, j) * size + Math.max(i, j)] ?? 0) + (i === j && i < size - 1 ? ridge : 0),
    ),
  );
  const right = columns(size, (at) => (gradient[at] ?? 0) - (at < size - 1 ? ridge * (weights[at] ?? 0) : 0));
  return solve(matrix, right);
}

/** Gaussian elimination with partial pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const rest = rows.slice(at);
    const largest = rest.reduce((a, b) => (Math.abs(b[at] ?? 0) > Math.abs(a[at] ?? 0) ? b : a));
    const swapped = rows.indexOf(largest);
    [rows[at], rows[swapped]] = [largest, rows[at] ?? []];
    for (const row of rows.slice(at + 1)) {
      const factor = (row[at] ?? 0) / (largest[at] ?? 1);
      for (let column = at; column <= size; column++) {
        row[column] = (row[column] ?? 0) - factor * (largest[column] ?? 0);
      }
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let at = size - 1; at >= 0; at--) {
    const row = rows[at] ?? [];
    const known = solution.reduce(
      (sum, value, column) => (column > at ? sum + value * (row[column] ?? 0) : sum),
      0,
    );
    solution[at] = ((row[size] ?? 0) - known) / (row[at] ?? 1);
  }
  return solution;
}

function columns<T>(width: number, valueAt: (at: number) => T): T[] {
  return Array.from({ length: width }, (_, at) => valueAt(at));
}

function average(samples: readonly Sample[], valueOf: (features: readonly number[]) => number): number {
  return samples.reduce((sum, { features }) => sum + valueOf(features), 0) / Math.max(1, samples.length);
}
