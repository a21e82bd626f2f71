import type { InvertedIndex } from './inverted-index.ts';
import type { TopHits } from './search-hit.ts';

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

/** Sparse accumulator: sums by number, with a list of the numbers that have one, so that reading skips all others. */
export class SparseAccumulator {
  readonly sums: Float64Array;
  readonly #numbers: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.sums = new Float64Array(size);
    this.#numbers = new Uint32Array(size);
  }

  /** The numbers that have a sum, each once, in the order in which they were added: a view, not a copy. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#count);
  }

  /** Adds an amount, which must be above 0. */
  add(number: number, amount: number): void {
    const before = this.sums[number] ?? 0;
    if (before === 0) this.#numbers[this.#count++] = number;
    this.sums[number] = before + amount;
  }

  /** Calls back for each number with its sum. Loops over an iterator would allocate an object for each. */
  forEach(visit: (number: number, sum: number) => void): void {
    for (let at = 0; at < this.#count; at++) {
      const number = this.#numbers[at] ?? 0;
      visit(number, this.sums[number] ?? 0);
    }
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.sums[this.#numbers[at] ?? 0] = 0;
    this.#count = 0;
  }
}

/**
 * Returns the BM25 scores of an index's documents, by ordinal.
 *
 * @param adding terms that add to the scores of documents with one of the others, and give none to documents without
 */
export function scoreTerms(
  index: InvertedIndex,
  terms: Iterable<string>,
  adding: Iterable<string> = [],
): SparseAccumulator {
  const scores = new SparseAccumulator(index.ordinals);
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

/** Offers the documents with a score to a list of top hits. */
export function offerScored(index: InvertedIndex, scores: SparseAccumulator, top: TopHits): void {
  scores.forEach((ordinal, score) => {
    if (score >= top.threshold) top.offer(index.idAt(ordinal) ?? '', score);
  });
}
