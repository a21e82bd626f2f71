import { checkOptionNames } from '../model/check-options.ts';
import { invalidInput } from '../model/error.ts';
import { InvertedIndex, type TermOptions } from './inverted-index.ts';
import { isKeywordSegment, toKeywordSegment } from './keyword-segment.ts';
import { TopHits, type HitFilter, type SearchHit } from './search-hit.ts';
import { offerMatches } from './bm25.ts';

/** Options of a keyword index. */
export type KeywordIndexOptions = TermOptions;

/**
 * A keyword search ranked by BM25 (S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009; k1 = 1.2, b = 0.75), with the inverse document frequency ln(1 + (N − n + ½) / (n + ½)), which is
 * never negative.
 *
 * A hit has at least one term of the query. Each distinct term of a query counts once. Stop words do not count towards
 * the length of a document and are ignored in a query, unless it has no other terms. Equal scores are ordered by id.
 *
 * @example
 * const index = new KeywordIndex();
 * index.add('m1', 'We went hiking in the Alps.');
 * index.search('alpine hikes', 5); // [{ id: 'm1', score: 0.28… }]
 */
export class KeywordIndex {
  #index: InvertedIndex;

  constructor(options: KeywordIndexOptions = {}) {
    checkOptionNames('KeywordIndex', options, ['analyze', 'stopWords']);
    this.#index = new InvertedIndex(options);
  }

  /** Number of documents, including those without any terms. */
  get size(): number {
    return this.#index.size;
  }

  has(id: string): boolean {
    return this.#index.ordinalOf(id) !== undefined;
  }

  /**
   * Adds a document, or replaces the one with the same id.
   *
   * @param text the text, or the terms that `analyze` gives for it: a text of millions of characters can be analyzed in
   *   parts that leave the page time to respond
   */
  add(id: string, text: string | readonly string[]): void {
    this.delete(id);
    this.#index.add(id, text);
  }

  /** Deletes a document from all postings. Returns false for an unknown id. */
  delete(id: string): boolean {
    const isGone = this.#index.delete(id) !== undefined;
    if (isGone && this.#index.hasManyHoles) this.#index.closeHoles();
    return isGone;
  }

  /**
   * Returns the `k` documents that match best, best first; none for a query without terms. Of a long query, the first
   * 20,000 characters are read.
   *
   * @throws MnemoraError `invalid-input` if `k` is not a whole number from 0
   */
  search(query: string, k: number, filter?: HitFilter): SearchHit[] {
    const top = new TopHits(k, filter);
    if (k === 0) return [];
    offerMatches(this.#index, top, this.#index.queryTerms(query));
    return top.ranked();
  }

  /**
   * Returns a copy of the index as plain data, which later changes to the index do not affect. It can be cloned and
   * stored, and its fields may change from version to version.
   */
  toSnapshot(): object {
    return toKeywordSegment(this.#index.documents());
  }

  /**
   * Returns an index over a snapshot of {@link toSnapshot}, which must not be modified afterwards. Its scores are
   * identical to those of the first index.
   *
   * @throws MnemoraError `invalid-input` if the snapshot has another version or is damaged: rebuild the index from its
   *   texts
   */
  static fromSnapshot(snapshot: object, options: KeywordIndexOptions = {}): KeywordIndex {
    if (!isKeywordSegment(snapshot)) {
      throw invalidInput(
        'A snapshot of a keyword index cannot be used: it is damaged, or of another version. Rebuild the index.',
      );
    }
    const index = new KeywordIndex(options);
    index.#index = InvertedIndex.fromSegments([snapshot], options);
    return index;
  }
}
