import { analyze as analyzeText, type Analyze } from './analyze.ts';
import { documentsOf, forEachPosting } from './keyword-segment.ts';
import type { KeywordSegment, TermDocument } from './keyword-segment.ts';
import { appendNumbers } from './packed-numbers.ts';
import { findString, unpackStrings } from './packed-strings.ts';
import { Postings } from './postings.ts';
import { STOP_WORDS } from './stop-words.ts';

export interface TermOptions {
  /** Cuts texts into terms. A snapshot must be opened with the one that it was made with. @default `analyze` */
  analyze?: Analyze;
  /** Terms that count only in a query that has no others. @default `STOP_WORDS` */
  stopWords?: ReadonlySet<string>;
}

/** The number of distinct terms that are searched, the first ones of a longer query. */
export const MAX_QUERY_TERMS = 512;

// Below this, closing holes costs more than they do.
const MIN_HOLES = 1024;

/** A segment that is searched as it was stored. */
interface Sealed {
  readonly segment: KeywordSegment;
  /** The ordinal of its first row; the others follow. */
  readonly start: number;
}

/** Where a document lies that came with a segment. */
export interface SealedRow {
  /** Which one of those the index was opened with. */
  readonly segment: number;
  readonly row: number;
}

/**
 * Which terms occur in which documents, and how often: what every keyword ranking here is computed from.
 *
 * Documents have ordinals that rise in the order of adding, so that postings stay sorted by appending. Deleting
 * leaves a hole, and {@link closeHoles} renumbers once there are many.
 *
 * The segments that it was opened with stay as they are until a term is asked for, whose lists in them are joined then
 * and stay so: opening takes no longer for many terms.
 */
export class InvertedIndex {
  readonly #analyze: Analyze;
  readonly #stopWords: ReadonlySet<string>;
  #sealed: readonly Sealed[] = [];
  /** Of a term that is not {@link #joined}: only what is in no segment. */
  readonly #postingsByTerm = new Map<string, Postings>();
  /** Terms of segments whose lists in there are in {@link #postingsByTerm}. */
  readonly #joined = new Set<string>();
  readonly #ordinalById = new Map<string, number>();
  // By ordinal.
  #ids: (string | undefined)[] = [];
  #lengths: number[] = [];
  /** Undefined for what is in a segment: only deleting needs it, and making it costs more than opening does. */
  #terms: (readonly string[] | undefined)[] = [];
  #totalLength = 0;

  constructor({ analyze = analyzeText, stopWords = STOP_WORDS }: TermOptions) {
    this.#analyze = analyze;
    this.#stopWords = stopWords;
  }

  /** How many documents it holds, those without any term included. */
  get size(): number {
    return this.#ordinalById.size;
  }

  /** All ordinals lie below this; some are holes. */
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

  /** By ordinal; 0 for a hole. */
  lengths(): number[] {
    return this.#lengths.slice();
  }

  /** Terms of a document that are no stop words. */
  lengthAt(ordinal: number): number {
    return this.#lengths[ordinal] ?? 0;
  }

  /** Undefined for a document that came in no segment, or since whose coming the ordinals were given again. */
  sealedRowOf(ordinal: number): SealedRow | undefined {
    const segment = this.#sealed.findLastIndex(({ start }) => start <= ordinal);
    const { start = 0, segment: { ids } = { ids: [] } } = this.#sealed[segment] ?? {};
    return ordinal - start < ids.length ? { segment, row: ordinal - start } : undefined;
  }

  postings(term: string): Postings | undefined {
    if (this.#sealed.length > 0 && !this.#joined.has(term)) this.#join(term);
    return this.#postingsByTerm.get(term);
  }

  /** A document as a segment holds it; undefined for a hole. */
  documentAt(ordinal: number): TermDocument | undefined {
    const id = this.#ids[ordinal];
    if (id === undefined) return undefined;
    const terms = this.#termsAt(ordinal).map(
      (term) => [term, this.postings(term)?.frequencyOf(ordinal) ?? 0] as const,
    );
    return { id, length: this.lengthAt(ordinal), terms };
  }

  /** The distinct terms of a document that came in no segment, but for stop words. */
  contentTermsAt(ordinal: number): readonly string[] {
    return (this.#terms[ordinal] ?? []).filter((term) => !this.#stopWords.has(term));
  }

  /** All documents, in the order of adding. */
  documents(): TermDocument[] {
    return this.#ids.flatMap((_, ordinal) => this.documentAt(ordinal) ?? []);
  }

  /** Adds a document whose id is not there yet, or the terms of one. Returns its ordinal. */
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

  /** Removes a document from every list that names it. Returns its ordinal, undefined where there was none. */
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

  /** Whether closing its holes is worth it. */
  get hasManyHoles(): boolean {
    const holes = this.ordinals - this.size;
    return holes > MIN_HOLES && holes > this.size;
  }

  /** Renumbers the documents without holes, in the same order. Returns the new ordinal of each old one. */
  closeHoles(): Uint32Array {
    this.#unseal();
    const newOrdinals = new Uint32Array(this.ordinals);
    let next = 0;
    for (const [ordinal, id] of this.#ids.entries()) {
      if (id === undefined) continue;
      newOrdinals[ordinal] = next;
      this.#ordinalById.set(id, next);
      next += 1;
    }
    const isKept = (_: unknown, ordinal: number): boolean => this.#ids[ordinal] !== undefined;
    this.#lengths = this.#lengths.filter(isKept);
    this.#terms = this.#terms.filter(isKept);
    this.#ids = this.#ids.filter(isKept);
    for (const postings of this.#postingsByTerm.values()) postings.renumber(newOrdinals);
    return newOrdinals;
  }

  /**
   * The distinct terms that a query is searched by; its stop words where it has nothing else. A list is of terms that
   * the query was cut into before.
   */
  queryTerms(query: string | readonly string[]): ReadonlySet<string> {
    const terms = new Set<string>();
    const stopWords = new Set<string>();
    for (const term of this.#termsOf(query)) {
      (this.#stopWords.has(term) ? stopWords : terms).add(term);
      if (terms.size === MAX_QUERY_TERMS) break;
    }
    return terms.size > 0 ? terms : stopWords;
  }

  /** An index over sound segments, which must not be changed any more. Of an id in several, the last one counts. */
  static fromSegments(segments: readonly KeywordSegment[], options: TermOptions): InvertedIndex {
    const index = new InvertedIndex(options);
    let start = 0;
    index.#sealed = segments.map((segment) => {
      start += segment.ids.length;
      return { segment, start: start - segment.ids.length };
    });
    const ids = segments.flatMap((segment) => segment.ids);
    const ordinalById = index.#ordinalById;
    for (let ordinal = 0; ordinal < ids.length; ordinal++) {
      ordinalById.set(ids[ordinal] ?? '', ordinal);
      index.#terms.push(undefined);
    }
    index.#ids = ids;
    for (const { lengths } of segments) appendNumbers(lengths, index.#lengths);
    index.#totalLength = index.#lengths.reduce((total, length) => total + length, 0);
    if (ordinalById.size < ids.length) {
      for (const [ordinal, id] of ids.entries()) if (ordinalById.get(id) !== ordinal) index.#leave(ordinal);
    }
    return index;
  }

  #termsOf(text: string | readonly string[]): readonly string[] {
    return typeof text === 'string' ? this.#analyze(text) : text;
  }

  /** Makes a hole of an ordinal, but for the lists that name it. */
  #leave(ordinal: number): void {
    this.#totalLength -= this.lengthAt(ordinal);
    this.#ids[ordinal] = undefined;
    this.#lengths[ordinal] = 0;
    this.#terms[ordinal] = [];
  }

  /** Joins the lists that a term has in the segments, holes left out, and puts what came later behind. */
  #join(term: string): void {
    const joined = new Postings();
    let isThere = false;
    for (const { segment, start } of this.#sealed) {
      const position = findString(segment.terms, term);
      if (position < 0) continue;
      isThere = true;
      forEachPosting(segment, position, (row, frequency) => {
        if (this.#ids[start + row] !== undefined) joined.append(start + row, frequency);
      });
    }
    if (!isThere) return;
    this.#joined.add(term);
    this.#postingsByTerm.get(term)?.forEach((ordinal, frequency) => joined.append(ordinal, frequency));
    if (joined.count > 0) this.#postingsByTerm.set(term, joined);
  }

  /** Terms of a document that is there. */
  #termsAt(ordinal: number): readonly string[] {
    const known = this.#terms[ordinal];
    if (known) return known;
    const { segment, start } = this.#sealed[this.sealedRowOf(ordinal)?.segment ?? -1] ?? {};
    // All at once: the lists are by term, and where one is deleted others of its time often are.
    for (const [row, { terms }] of (segment ? documentsOf(segment) : []).entries()) {
      const at = (start ?? 0) + row;
      this.#terms[at] ??= terms.map(([term]) => term);
    }
    return this.#terms[ordinal] ?? [];
  }

  /** Takes over everything from the segments, and lets go of them. */
  #unseal(): void {
    for (const { segment, start } of this.#sealed) {
      for (const term of unpackStrings(segment.terms)) this.postings(term);
      for (let row = 0; row < segment.ids.length; row++) this.#termsAt(start + row);
    }
    this.#sealed = [];
    this.#joined.clear();
  }
}
