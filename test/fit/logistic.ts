/** One example: features, whether it is of the kind looked for, and how much it counts. */
export interface Example {
  readonly features: readonly number[];
  readonly isPositive: boolean;
  /** @default 1 */
  readonly weight?: number;
}

const ITERATIONS = 25;
const CONVERGED = 1e-6;

/**
 * Weights of a logistic regression, the bias first, by Newton's method on the penalized likelihood
 * (iteratively reweighted least squares; Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4).
 *
 * @param penalty of squared weights, the bias apart
 */
export function fitLogistic(examples: readonly Example[], penalty: number): number[] {
  const size = (examples[0]?.features.length ?? 0) + 1;
  const weights = Array.from({ length: size }, () => 0);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : -penalty * weight));
    const hessian = weights.map((_weight, i) =>
      weights.map((_other, j) => (i === j ? (i === 0 ? 1e-9 : penalty) : 0)),
    );
    for (const { features, isPositive, weight = 1 } of examples) {
      const probability = sigmoid(linear(weights, features));
      const error = weight * ((isPositive ? 1 : 0) - probability);
      const curvature = weight * Math.max(1e-6, probability * (1 - probability));
      const row: [number, number][] = [[0, 1]];
      for (const [i, value] of features.entries()) if (value !== 0) row.push([i + 1, value]);
      for (const [i, value] of row) {
        gradient[i] = (gradient[i] ?? 0) + error * value;
        const line = hessian[i];
        if (line) for (const [j, other] of row) line[j] = (line[j] ?? 0) + curvature * value * other;
      }
    }
    const step = solve(hessian, gradient);
    for (const [i, by] of step.entries()) weights[i] = (weights[i] ?? 0) + by;
    if (step.every((by) => Math.abs(by) < CONVERGED)) break;
  }
  return weights;
}

/** @param weights the bias first */
export function linear(weights: readonly number[], features: readonly number[]): number {
  return features.reduce((sum, value, i) => sum + value * (weights[i + 1] ?? 0), weights[0] ?? 0);
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Solves a system of linear equations by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, i) => [...line, right[i] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    }
    const [chosen, swapped] = [rows[pivot], rows[column]];
    if (!chosen || !swapped) continue;
    rows[column] = chosen;
    rows[pivot] = swapped;
    const by = chosen[column] ?? 0;
    if (Math.abs(by) < 1e-12) continue;
    for (let row = 0; row < size; row++) {
      const line = rows[row];
      const factor = (line?.[column] ?? 0) / by;
      if (!line || row === column || factor === 0) continue;
      for (let i = column; i <= size; i++) line[i] = (line[i] ?? 0) - factor * (chosen[i] ?? 0);
    }
  }
  return rows.map((line, i) => (line[size] ?? 0) / (line[i] || 1));
}

/** Rounded to two significant figures, as weights are shipped. */
export function roundWeight(value: number): number {
  return Number(value.toPrecision(2));
}

/** Area under the ROC curve: how often a positive has the higher score. */
export function areaUnderCurve(scored: readonly { score: number; isPositive: boolean }[]): number {
  const sorted = scored.toSorted((one, other) => one.score - other.score);
  let below = 0;
  let sum = 0;
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end < sorted.length && sorted[end]?.score === sorted[i]?.score) end++;
    const group = sorted.slice(i, end);
    const positives = group.filter(({ isPositive }) => isPositive).length;
    const negatives = group.length - positives;
    sum += positives * (below + negatives / 2);
    below += negatives;
    i = end;
  }
  const positives = scored.filter(({ isPositive }) => isPositive).length;
  return sum / (positives * (scored.length - positives));
}
