/** A row of a block: where its numbers begin. */
export interface RowSlice {
  readonly block: Float32Array;
  readonly start: number;
}

/**
 * Writes the cosines of a query and four rows to `scores`; all are of unit length, or zero. Each is to the last bit
 * what adding up one row from its first number to its last gives: four sums that do not wait for each other only keep
 * the processor busy. The casts are the only way to read a typed array without a test for every number.
 */
export function dotProductX4(
  query: Float64Array,
  a: RowSlice,
  b: RowSlice,
  c: RowSlice,
  d: RowSlice,
  scores: Float64Array,
): void {
  const { block: blockA, start: startA } = a;
  const { block: blockB, start: startB } = b;
  const { block: blockC, start: startC } = c;
  const { block: blockD, start: startD } = d;
  let sumA = 0;
  let sumB = 0;
  let sumC = 0;
  let sumD = 0;
  for (let i = 0; i < query.length; i++) {
    const value = query[i] as number;
    sumA += value * (blockA[startA + i] as number);
    sumB += value * (blockB[startB + i] as number);
    sumC += value * (blockC[startC + i] as number);
    sumD += value * (blockD[startD + i] as number);
  }
  scores[0] = clampCosine(sumA);
  scores[1] = clampCosine(sumB);
  scores[2] = clampCosine(sumC);
  scores[3] = clampCosine(sumD);
}

// Unit vectors in single precision are a hair longer or shorter than 1.
function clampCosine(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
