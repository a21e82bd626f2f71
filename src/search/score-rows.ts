/**
 * Writes the cosine of each row of a block to `scores`; query and rows are unit vectors (or zero).
 *
 * Eight rows side by side: each number of the query is read once for eight, and eight sums that do not wait for each
 * other keep the processor busy. A block has room for a multiple of eight rows, so the last group may score empty
 * ones. The casts are the only way to read a typed array here without a test in the innermost loop.
 */
export function scoreRows(
  query: Float64Array,
  block: Float32Array,
  rowCount: number,
  scores: Float64Array,
): void {
  const length = query.length;
  for (let row = 0; row < rowCount; row += 8) {
    const rowA = row * length;
    const rowB = rowA + length;
    const rowC = rowB + length;
    const rowD = rowC + length;
    const rowE = rowD + length;
    const rowF = rowE + length;
    const rowG = rowF + length;
    const rowH = rowG + length;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let i = 0; i < length; i++) {
      const value = query[i] as number;
      a += value * (block[rowA + i] as number);
      b += value * (block[rowB + i] as number);
      c += value * (block[rowC + i] as number);
      d += value * (block[rowD + i] as number);
      e += value * (block[rowE + i] as number);
      f += value * (block[rowF + i] as number);
      g += value * (block[rowG + i] as number);
      h += value * (block[rowH + i] as number);
    }
    scores.set([a, b, c, d, e, f, g, h].map(clampCosine), row);
  }
}

// Unit vectors in single precision are a hair longer or shorter than 1.
function clampCosine(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
