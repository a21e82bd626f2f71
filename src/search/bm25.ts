// Term-frequency saturation (k1) and length normalization (b): the values that Robertson and Zaragoza recommend for
// texts that nothing is known about.
const K1 = 1.2;
const B = 0.75;

/** Returns the inverse document frequency ln(1 + (N − n + ½) / (n + ½)), which is never negative. */
export function inverseDocumentFrequency(documents: number, occurrences: number): number {
  return Math.log(1 + (documents - occurrences + 0.5) / (occurrences + 0.5));
}

/** Returns the weight of `frequency` occurrences in a document, which saturates, and is lower in long documents. */
export function termFrequencyWeight(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 0;
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}
