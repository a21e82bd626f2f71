import type { InvertedIndex } from './inverted-index.ts';
import type { TopHits } from './search-hit.ts';
import { SparseAccumulator } from './sparse-accumulator.ts';

// Term-frequency saturation (k1) and length normalization (b): the values that Robertson and Zaragoza recommend when
// nothing is known about the texts.
const K1 = 1.2;
const B = 0.75;

/** Returns the inverse document frequency ln(1 + (N − n + ½) / (n + ½)), which is never negative. */
export function inverseDocumentFrequency(documents: number, occurrences: number): number {
  return Math.log(1 + (documents - occurrences + 0.5) / (occurrences + 0.5));
}

/**
 * Returns the function that weights a number of occurrences in a document of a length. The weight saturates, and is lower
 * in long documents.
 */
export function termFrequencyWeights(averageLength: number): (frequency: number, length: number) => number {
  const ofLength = averageLength > 0 ? (K1 * B) / averageLength : 0;
  return (frequency, length) => (frequency * (K1 + 1)) / (frequency + K1 * (1 - B) + ofLength * length);
}

/**
 * Returns the BM25 scores of an index's documents, by ordinal.
 *
 * @param adding terms that add to the scores of documents with one of the others, and give none to documents without
 * @param scores an empty accumulator to fill. @default a new one
 */
export function scoreTerms(
  index: InvertedIndex,
  terms: Iterable<string>,
  adding: Iterable<string> = [],
  scores: SparseAccumulator = new SparseAccumulator(index.ordinals),
): SparseAccumulator {
  const { lengths } = index;
  const weightOf = termFrequencyWeights(index.averageLength);
  const read = (term: string, isAdding: boolean): void => {
    const postings = index.postings(term);
    const weight = inverseDocumentFrequency(index.size, postings?.count ?? 0);
    const pairs = postings?.pairs ?? [];
    for (let at = 0; at < pairs.length; at += 2) {
      const ordinal = pairs[at] ?? 0;
      if (isAdding && scores.sums[ordinal] === 0) continue;
      scores.add(ordinal, weight * weightOf(pairs[at + 1] ?? 0, lengths[ordinal] ?? 0));
    }
  };
  for (const term of terms) read(term, false);
  for (const term of adding) read(term, true);
  return scores;
}

/**
 * Offers the documents that match some terms to a list of top hits, with the scores of {@link scoreTerms}.
 *
 * @param admits whether a document can be among the hits. @default all can
 */
export function offerMatches(
  index: InvertedIndex,
  top: TopHits,
  terms: Iterable<string>,
  adding?: Iterable<string>,
  admits?: (ordinal: number) => boolean,
): void {
  index.withScratch((scratch) => {
    const { numbers, sums } = scoreTerms(index, terms, adding, scratch);
    let { threshold } = top;
    for (let at = 0; at < numbers.length; at++) {
      const ordinal = numbers[at] ?? 0;
      const score = sums[ordinal] ?? 0;
      if (score < threshold || admits?.(ordinal) === false) continue;
      top.offer(index.idAt(ordinal) ?? '', score);
      ({ threshold } = top);
    }
  });
}
