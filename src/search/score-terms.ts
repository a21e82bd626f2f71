import { inverseDocumentFrequency, termFrequencyWeight } from './bm25.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { TopHits } from './top-hits.ts';

/** Returns the BM25 scores of an index's documents, by ordinal; 0 for documents without any of the terms. */
export function scoreTerms(index: InvertedIndex, terms: Iterable<string>): Float64Array {
  const scores = new Float64Array(index.ordinals);
  const { averageLength } = index;
  for (const term of terms) {
    const postings = index.postings(term);
    if (!postings) continue;
    const weight = inverseDocumentFrequency(index.size, postings.count);
    postings.forEach((ordinal, frequency) => {
      const gain = weight * termFrequencyWeight(frequency, index.lengthAt(ordinal), averageLength);
      scores[ordinal] = (scores[ordinal] ?? 0) + gain;
    });
  }
  return scores;
}

/** Offers the documents with a score above 0 to a list of top hits. */
export function offerScored(index: InvertedIndex, scores: Float64Array, top: TopHits): void {
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    const score = scores[ordinal] ?? 0;
    if (score > 0 && score >= top.threshold) top.offer(index.idAt(ordinal) ?? '', score);
  }
}
