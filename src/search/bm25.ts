// Saturation of repeats, and how much long documents are held back: the values that Robertson and Zaragoza
// recommend where nothing is known of the texts.
const K1 = 1.2;
const B = 0.75;

/** How much a term tells that occurs in `occurrences` of `documents` documents: less the more often it does. */
export function inverseDocumentFrequency(documents: number, occurrences: number): number {
  return Math.log(1 + (documents - occurrences + 0.5) / (occurrences + 0.5));
}

/** What `frequency` occurrences in a document count: each further one less, and less in a long document. */
export function termFrequencyWeight(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 0;
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}
