/** A row of a block, given by the position of its first number. */
export interface RowSlice {
  readonly block: Float32Array;
  readonly start: number;
}

/**
 * Writes the cosines of a query and four rows to `scores`; all vectors have unit length or are zero. Each result is
 * identical, to the last bit, to a sequential sum over one row: four independent sums only use the processor's pipeline
 * better. The casts avoid a check for undefined on each number.
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

// The length of a unit vector in single precision differs slightly from 1.
function clampCosine(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
