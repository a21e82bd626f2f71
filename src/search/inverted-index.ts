import { firstPassing } from '../model/ordered/binary-search.ts';
import { analyze as analyzeText, questionText, type Analyze } from '../language/terms.ts';
import {
  documentsOf,
  forEachPosting,
  toKeywordSegment,
  type KeywordSegment,
  type TermDocument,
} from './keyword-segment.ts';
import { findString, numberAt } from './packed-columns.ts';
import { Postings } from './postings.ts';
import { TermDirectory } from './term-directory.ts';
import { SparseAccumulator } from './sparse-accumulator.ts';
import { STOP_WORDS } from '../language/words/stop-words.ts';

export interface TermOptions {
  /** Splits texts into terms. A snapshot must be opened with the same function. @default `analyze` */
  analyze?: Analyze;
  /** Terms that are ignored in a query, unless it has no others. @default `STOP_WORDS` */
  stopWords?: ReadonlySet<string>;
}

/** Maximum number of distinct terms of a query; further ones are ignored. */
export const MAX_QUERY_TERMS = 512;

/** Room for documents that are added later, in parts of all. */
const SPARE = 1.25;

// With fewer holes, renumbering costs more than the holes.
const MIN_HOLES = 1024;

/** A segment that is searched without unpacking. */
interface Sealed {
  readonly segment: KeywordSegment;
  /** The ordinal of its first row; the others follow. */
  readonly start: number;
}

/**
 * An inverted index: the postings of each term, from which all keyword rankings are computed.
 *
 * Documents have ascending ordinals in the order of adding, so that postings stay sorted by appending. Deleting a document
 * leaves a hole, and {@link closeHoles} renumbers the documents once there are many.
 *
 * Segments that the index was opened with stay packed. The postings of a term are unpacked and joined when the term is
 * first used, so that the time to open does not depend on the number of terms.
 */
export class InvertedIndex {
  readonly #analyze: Analyze;
  readonly #stopWords: ReadonlySet<string>;
  #sealed: readonly Sealed[] = [];
  /** Made when a term is first joined. */
  #directory: TermDirectory<Sealed> | undefined;
  /** Postings by term. For a term that is not {@link #joined}, those of the segments are missing. */
  readonly #postingsByTerm = new Map<string, Postings>();
  /** Terms whose postings in segments, if there are any, have been joined into {@link #postingsByTerm}. */
  readonly #joined = new Set<string>();
  #ordinalById = new Map<string, number>();
  // By ordinal.
  #ids: (string | undefined)[] = [];
  #lengths: number[] = [];
  /** Undefined for documents of a segment: only deleting needs their terms, which take longer to unpack than opening. */
  #terms: (readonly string[] | undefined)[] = [];
  #totalLength = 0;
  /** See {@link withScratch}. Undefined while it is used. */
  #scratch: SparseAccumulator | undefined;

  constructor({ analyze = analyzeText, stopWords = STOP_WORDS }: TermOptions) {
    this.#analyze = analyze;
    this.#stopWords = stopWords;
  }

  /** Number of documents, including those without any terms. */
  get size(): number {
    return this.#ordinalById.size;
  }

  /** Number of ordinals, including holes. */
  get ordinals(): number {
    return this.#ids.length;
  }

  get averageLength(): number {
    return this.size > 0 ? this.#totalLength / this.size : 0;
  }

  ordinalOf(id: string): number | undefined {
    return this.#ordinalById.get(id);
  }

  idAt(ordinal: number): string | undefined {
    return this.#ids[ordinal];
  }

  /** Returns all ids in the order of adding. */
  ids(): string[] {
    return this.#ids.filter((id) => id !== undefined);
  }

  /** Number of terms of each document, without stop words, by ordinal; 0 for a hole. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /**
   * Returns the number of a document's segment, among those that the index was opened with, and the row in it; undefined
   * if it is in none, or if documents have been renumbered.
   */
  sealedRowOf(ordinal: number): { readonly segment: number; readonly row: number } | undefined {
    const sealed = this.#sealed;
    const segment = firstPassing(sealed.length, (at) => (sealed[at]?.start ?? 0) > ordinal) - 1;
    const { start = 0, segment: { ids } = { ids: [] } } = this.#sealed[segment] ?? {};
    return ordinal - start < ids.length ? { segment, row: ordinal - start } : undefined;
  }

  postings(term: string): Postings | undefined {
    if (this.#sealed.length > 0 && !this.#joined.has(term)) this.#join(term);
    return this.#postingsByTerm.get(term);
  }

  /**
   * Calls back with an empty accumulator over all documents, which the next call gets again: for scores that nobody keeps.
   * Allocating a new one takes longer than filling it, and leaves a megabyte to collect.
   */
  withScratch(use: (scratch: SparseAccumulator) => void): void {
    const known = this.#scratch;
    const scratch =
      known && known.sums.length >= this.ordinals
        ? known
        : new SparseAccumulator(Math.ceil(SPARE * this.ordinals));
    this.#scratch = undefined; // a filter of the caller may search again
    try {
      use(scratch);
    } finally {
      scratch.clear();
      this.#scratch = scratch;
    }
  }

  /** Returns a document in the form for a segment; undefined for an unknown id. */
  documentOf(id: string): TermDocument | undefined {
    const ordinal = this.#ordinalById.get(id);
    if (ordinal === undefined) return undefined;
    const terms = this.#termsAt(ordinal).map(
      (term) => [term, this.postings(term)?.frequencyOf(ordinal) ?? 0] as const,
    );
    return { id, length: this.#lengths[ordinal] ?? 0, terms };
  }

  /** Returns the distinct terms, without stop words, of a document that is not in a segment. */
  contentTermsAt(ordinal: number): readonly string[] {
    return (this.#terms[ordinal] ?? []).filter((term) => !this.#stopWords.has(term));
  }

  /** Returns all documents in the order of adding. */
  documents(): TermDocument[] {
    return this.ids().flatMap((id) => this.documentOf(id) ?? []);
  }

  /** Adds a document, given as text or terms, under a new id. Returns its ordinal. */
  add(id: string, text: string | readonly string[]): number {
    const frequencies = new Map<string, number>();
    for (const term of this.#termsOf(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const ordinal = this.#ids.length;
    let length = 0;
    for (const [term, frequency] of frequencies) {
      let postings = this.#postingsByTerm.get(term);
      if (!postings) this.#postingsByTerm.set(term, (postings = new Postings()));
      postings.append(ordinal, frequency);
      if (!this.#stopWords.has(term)) length += frequency;
    }
    this.#ids.push(id);
    this.#lengths.push(length);
    this.#terms.push([...frequencies.keys()]);
    this.#ordinalById.set(id, ordinal);
    this.#totalLength += length;
    return ordinal;
  }

  /** Deletes a document from all postings. Returns its ordinal, or undefined for an unknown id. */
  delete(id: string): number | undefined {
    const ordinal = this.#ordinalById.get(id);
    if (ordinal === undefined) return undefined;
    for (const term of this.#termsAt(ordinal)) {
      const postings = this.#postingsByTerm.get(term);
      postings?.remove(ordinal);
      if (postings?.count === 0) this.#postingsByTerm.delete(term);
    }
    this.#leave(ordinal);
    this.#ordinalById.delete(id);
    return ordinal;
  }

  /** Whether there are enough holes to call {@link closeHoles}. */
  get hasManyHoles(): boolean {
    const holes = this.ordinals - this.size;
    return holes > MIN_HOLES && holes > this.size;
  }

  /** Renumbers the documents in the same order without holes. */
  closeHoles(): void {
    this.open([toKeywordSegment(this.documents())]);
  }

  /**
   * Returns the distinct terms of a query, given as text or terms, without stop words unless it has no other terms.
   */
  queryTerms(query: string | readonly string[]): ReadonlySet<string> {
    const terms = new Set<string>();
    const stopWords = new Set<string>();
    for (const term of this.#termsOf(typeof query === 'string' ? questionText(query) : query)) {
      (this.#stopWords.has(term) ? stopWords : terms).add(term);
      if (terms.size === MAX_QUERY_TERMS) break;
    }
    return terms.size > 0 ? terms : stopWords;
  }

  /** Returns an index over valid segments, which must not be modified. If several have an id, the last one wins. */
  static fromSegments(segments: readonly KeywordSegment[], options: TermOptions): InvertedIndex {
    const index = new InvertedIndex(options);
    index.open(segments);
    return index;
  }

  /** Replaces all documents by those of segments, as {@link fromSegments} does. */
  open(segments: readonly KeywordSegment[]): void {
    let start = 0;
    this.#sealed = segments.map((segment) => {
      start += segment.ids.length;
      return { segment, start: start - segment.ids.length };
    });
    this.#directory = undefined;
    this.#ids = segments.flatMap(({ ids }) => ids);
    this.#lengths = segments.flatMap(({ ids, lengths }) => ids.map((_, row) => numberAt(lengths, row)));
    this.#terms = this.#ids.map(() => undefined);
    this.#totalLength = this.#lengths.reduce((total, length) => total + length, 0);
    this.#postingsByTerm.clear();
    this.#joined.clear();
    this.#ordinalById = new Map(this.#ids.map((id = '', ordinal) => [id, ordinal]));
    for (const [ordinal, id = ''] of this.#ids.entries())
      if (this.#ordinalById.get(id) !== ordinal) this.#leave(ordinal);
  }

  #termsOf(text: string | readonly string[]): readonly string[] {
    return typeof text === 'string' ? this.#analyze(text) : text;
  }

  /** Turns an ordinal into a hole. Its postings are not removed. */
  #leave(ordinal: number): void {
    this.#totalLength -= this.#lengths[ordinal] ?? 0;
    this.#ids[ordinal] = undefined;
    this.#lengths[ordinal] = 0;
    this.#terms[ordinal] = [];
  }

  /** Joins a term's postings in all segments, without holes, and appends those added later. */
  #join(term: string): void {
    const joined = new Postings();
    this.#directory ??= new TermDirectory(this.#sealed, ({ segment }) => segment.terms);
    for (const { segment, start } of this.#directory.mayHave(term)) {
      const position = findString(segment.terms, term);
      if (position < 0) continue;
      forEachPosting(segment, position, (row, frequency) => {
        if (this.#ids[start + row] !== undefined) joined.append(start + row, frequency);
      });
    }
    this.#postingsByTerm.get(term)?.forEach((ordinal, frequency) => joined.append(ordinal, frequency));
    if (joined.count === 0) return; // a word that only queries have is not kept
    this.#joined.add(term);
    this.#postingsByTerm.set(term, joined);
  }

  /** Returns the distinct terms of a document. */
  #termsAt(ordinal: number): readonly string[] {
    const known = this.#terms[ordinal];
    if (known) return known;
    const { segment, start } = this.#sealed[this.sealedRowOf(ordinal)?.segment ?? -1] ?? {};
    // For the whole segment at once: postings are by term, and neighbors are often deleted together.
    for (const [row, { terms }] of (segment ? documentsOf(segment) : []).entries()) {
      const at = (start ?? 0) + row;
      this.#terms[at] ??= terms.map(([term]) => term);
    }
    return this.#terms[ordinal] ?? [];
  }
}
