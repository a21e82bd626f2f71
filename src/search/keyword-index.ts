import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { analyze as analyzeText, type Analyze } from './analyze.ts';
import { Postings } from './postings.ts';
import type { HitFilter, SearchHit } from './search-hit.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { TopHits } from './top-hits.ts';

export interface KeywordIndexOptions {
  /** Cuts texts into terms. A snapshot must be opened with the one that it was made with. @default `analyze` */
  analyze?: Analyze;
  /** Terms that count only in a query that has no others. @default `ENGLISH_STOP_WORDS` */
  stopWords?: ReadonlySet<string>;
}

/** An index as plain data that can be stored and cloned. Its `version` changes with its shape or with `analyze`. */
export interface KeywordSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  /** Ids of the documents; their positions are their ordinals. */
  readonly ids: string[];
  /** Terms of each document that are no stop words. */
  readonly lengths: Uint32Array;
  readonly terms: string[];
  /** Of each term: in how many documents it occurs. */
  readonly documentCounts: Uint32Array;
  /** Term after term, pairs of a document's ordinal (rising) and how often the term occurs in it. */
  readonly postings: Uint32Array;
}

/** Of a longer query only so many distinct terms are searched, the first ones. */
export const MAX_QUERY_TERMS = 512;

const SNAPSHOT_VERSION = 1;
// Saturation of repeats, and how much long documents are held back: the values that Robertson and Zaragoza
// recommend where nothing is known of the texts.
const K1 = 1.2;
const B = 0.75;

/**
 * Keyword search ranked by BM25 (S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009; k1 = 1.2, b = 0.75), with the inverse document frequency ln(1 + (N − n + ½) / (n + ½)), which is
 * never negative.
 *
 * A hit has at least one term of the query. Each distinct term of a query counts once. Stop words count neither in
 * the length of a document nor in a query, unless the query has nothing else. Equal scores are ordered by id.
 *
 * @example
 * const index = new KeywordIndex();
 * index.add('m1', 'We went hiking in the Alps.');
 * index.search('alpine hikes', 5); // [{ id: 'm1', score: 0.28… }]
 */
export class KeywordIndex {
  readonly #analyze: Analyze;
  readonly #stopWords: ReadonlySet<string>;
  readonly #postingsByTerm = new Map<string, Postings>();
  readonly #ordinalById = new Map<string, number>();
  // By ordinal. Ordinals rise in the order of adding, so that postings stay sorted by appending; deleting leaves
  // holes, and compacting closes them.
  #documents: (IndexedDocument | undefined)[] = [];
  #totalLength = 0;

  constructor(options: KeywordIndexOptions = {}) {
    checkOptionNames('KeywordIndex', options, ['analyze', 'stopWords']);
    const { analyze = analyzeText, stopWords = ENGLISH_STOP_WORDS } = options;
    this.#analyze = analyze;
    this.#stopWords = stopWords;
  }

  /** How many documents it holds, those without any term included. */
  get size(): number {
    return this.#ordinalById.size;
  }

  has(id: string): boolean {
    return this.#ordinalById.has(id);
  }

  /** Adds a document. An id that is present gets the new text. */
  add(id: string, text: string): void {
    const frequencies = new Map<string, number>();
    for (const term of this.#analyze(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    this.delete(id);
    const ordinal = this.#documents.length;
    let length = 0;
    for (const [term, frequency] of frequencies) {
      let postings = this.#postingsByTerm.get(term);
      if (!postings) this.#postingsByTerm.set(term, (postings = new Postings()));
      postings.append(ordinal, frequency);
      if (!this.#stopWords.has(term)) length += frequency;
    }
    this.#documents.push({ id, length, terms: [...frequencies.keys()] });
    this.#ordinalById.set(id, ordinal);
    this.#totalLength += length;
  }

  /** Removes a document from every list that names it. Returns whether there was one. */
  delete(id: string): boolean {
    const ordinal = this.#ordinalById.get(id);
    const document = ordinal === undefined ? undefined : this.#documents[ordinal];
    if (ordinal === undefined || !document) return false;
    for (const term of document.terms) {
      const postings = this.#postingsByTerm.get(term);
      postings?.remove(ordinal);
      if (postings?.count === 0) this.#postingsByTerm.delete(term);
    }
    this.#documents[ordinal] = undefined;
    this.#ordinalById.delete(id);
    this.#totalLength -= document.length;
    const holes = this.#documents.length - this.size;
    if (holes > MIN_HOLES && holes > this.size) this.#compact();
    return true;
  }

  /**
   * The `k` documents that match best, best first; none for a query without terms.
   *
   * @throws MnemoraError `invalid-input` where `k` is not a whole number from 0
   */
  search(query: string, k: number, filter?: HitFilter): SearchHit[] {
    const top = new TopHits(k, filter);
    if (k === 0) return [];
    for (const [ordinal, score] of this.#scores(this.#queryTerms(query)).entries()) {
      const document = this.#documents[ordinal];
      if (document && score > 0 && score >= top.threshold) top.offer(document.id, score);
    }
    return top.ranked();
  }

  /** A copy of everything; later changes to the index do not show in it. */
  toSnapshot(): KeywordSnapshot {
    this.#compact();
    const documents = this.#documents.flatMap((document) => document ?? []);
    const lists = [...this.#postingsByTerm.values()];
    const postings = new Uint32Array(lists.reduce((total, list) => total + list.pairs.length, 0));
    let end = 0;
    for (const { pairs } of lists) {
      postings.set(pairs, end);
      end += pairs.length;
    }
    return {
      version: SNAPSHOT_VERSION,
      ids: documents.map(({ id }) => id),
      lengths: Uint32Array.from(documents, ({ length }) => length),
      terms: [...this.#postingsByTerm.keys()],
      documentCounts: Uint32Array.from(lists, ({ count }) => count),
      postings,
    };
  }

  /**
   * An index over what {@link toSnapshot} gave; it scores bit for bit as the first one did.
   *
   * @throws MnemoraError `invalid-input` where the snapshot has another version or is damaged: rebuild the index from
   *   its texts
   */
  static fromSnapshot(snapshot: KeywordSnapshot, options: KeywordIndexOptions = {}): KeywordIndex {
    const index = new KeywordIndex(options);
    checkSnapshot(snapshot);
    const documents = snapshot.ids.map((id, ordinal) => {
      const document: IndexedDocument = { id, length: snapshot.lengths[ordinal] ?? 0, terms: [] };
      index.#ordinalById.set(id, ordinal);
      index.#totalLength += document.length;
      return document;
    });
    index.#documents = documents;
    // One copy that the lists then share: the caller's snapshot stays as it is.
    const pairs = snapshot.postings.slice();
    let start = 0;
    for (const [termIndex, term] of snapshot.terms.entries()) {
      const end = start + 2 * (snapshot.documentCounts[termIndex] ?? 0);
      const postings = new Postings(pairs.subarray(start, end));
      if (!postings.isSound(documents.length)) throw damaged(`the postings of "${term}" are out of order`);
      postings.forEach((ordinal) => documents[ordinal]?.terms.push(term));
      index.#postingsByTerm.set(term, postings);
      start = end;
    }
    return index;
  }

  #queryTerms(query: string): Iterable<string> {
    const terms = new Set<string>();
    const stopWords = new Set<string>();
    for (const term of this.#analyze(query)) {
      (this.#stopWords.has(term) ? stopWords : terms).add(term);
      if (terms.size === MAX_QUERY_TERMS) break;
    }
    return terms.size > 0 ? terms : stopWords;
  }

  /** Scores by ordinal; 0 where no term occurs. */
  #scores(terms: Iterable<string>): Float64Array {
    const scores = new Float64Array(this.#documents.length);
    const averageLength = this.#totalLength / this.size;
    for (const term of terms) {
      const postings = this.#postingsByTerm.get(term);
      if (!postings) continue;
      const rarity = Math.log(1 + (this.size - postings.count + 0.5) / (postings.count + 0.5));
      postings.forEach((ordinal, frequency) => {
        const length = this.#documents[ordinal]?.length ?? 0;
        const relativeLength = averageLength > 0 ? length / averageLength : 0;
        const saturation = (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
        scores[ordinal] = (scores[ordinal] ?? 0) + rarity * saturation;
      });
    }
    return scores;
  }

  #compact(): void {
    if (this.#documents.length === this.size) return;
    const newOrdinals = new Uint32Array(this.#documents.length);
    const documents: IndexedDocument[] = [];
    for (const [ordinal, document] of this.#documents.entries()) {
      if (!document) continue;
      newOrdinals[ordinal] = documents.length;
      this.#ordinalById.set(document.id, documents.length);
      documents.push(document);
    }
    this.#documents = documents;
    for (const postings of this.#postingsByTerm.values()) postings.renumber(newOrdinals);
  }
}

interface IndexedDocument {
  readonly id: string;
  readonly length: number;
  readonly terms: string[];
}

// Below this, closing holes costs more than they do.
const MIN_HOLES = 1024;

function checkSnapshot(snapshot: KeywordSnapshot): void {
  const { version, ids, lengths, terms, documentCounts, postings } = snapshot;
  if (version !== SNAPSHOT_VERSION)
    throw damaged(`this version of the library cannot read version ${String(version)}`);
  const lists = [lengths, documentCounts, postings];
  if (!Array.isArray(ids) || !Array.isArray(terms) || !lists.every((list) => list instanceof Uint32Array)) {
    throw damaged('a part of it is missing');
  }
  if (new Set(ids).size !== ids.length || lengths.length !== ids.length) {
    throw damaged('its ids are not unique or not as many as its lengths');
  }
  const postingCount = documentCounts.reduce((total, count) => total + count, 0);
  if (new Set(terms).size !== terms.length || documentCounts.length !== terms.length) {
    throw damaged('its terms are not unique or not as many as their counts');
  }
  if (postings.length !== 2 * postingCount)
    throw damaged('it has more or fewer postings than its terms count');
}

function damaged(why: string): MnemoraError {
  return new MnemoraError(
    'invalid-input',
    `A snapshot of the keyword index cannot be used: ${why}. Rebuild the index.`,
  );
}
