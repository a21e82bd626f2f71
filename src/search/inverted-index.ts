import { MnemoraError } from '../model/error.ts';
import { analyze as analyzeText, type Analyze } from './analyze.ts';
import { Postings } from './postings.ts';
import { packStrings, unpackStrings } from './packed-strings.ts';
import { STOP_WORDS } from './stop-words.ts';

export interface TermOptions {
  /** Cuts texts into terms. A snapshot must be opened with the one that it was made with. @default `analyze` */
  analyze?: Analyze;
  /** Terms that count only in a query that has no others. @default `STOP_WORDS` */
  stopWords?: ReadonlySet<string>;
}

/**
 * An index as plain data: typed arrays throughout, so that it is stored in one piece and handed to another thread
 * without a copy. Its `version` changes with its shape or with `analyze`.
 */
export interface KeywordSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  /** Ids of the documents; their positions are their ordinals. Packed by `packStrings`. */
  readonly ids: Uint8Array;
  /** Terms of each document that are no stop words. */
  readonly lengths: Uint32Array;
  /** Packed by `packStrings`. */
  readonly terms: Uint8Array;
  /** Of each term: in how many documents it occurs. */
  readonly documentCounts: Uint32Array;
  /** Term after term, pairs of a document's ordinal (rising) and how often the term occurs in it. */
  readonly postings: Uint32Array;
}

/** Of a longer query only so many distinct terms are searched, the first ones. */
export const MAX_QUERY_TERMS = 512;

const SNAPSHOT_VERSION = 2;
// Below this, closing holes costs more than they do.
const MIN_HOLES = 1024;

/**
 * Which terms occur in which documents, and how often: what every keyword ranking here is computed from.
 *
 * Documents have ordinals that rise in the order of adding, so that postings stay sorted by appending. Deleting
 * leaves a hole, and {@link closeHoles} renumbers once there are many.
 */
export class InvertedIndex {
  readonly #analyze: Analyze;
  readonly #stopWords: ReadonlySet<string>;
  readonly #postingsByTerm = new Map<string, Postings>();
  readonly #ordinalById = new Map<string, number>();
  // By ordinal.
  #ids: (string | undefined)[] = [];
  #lengths: number[] = [];
  /** Undefined after opening a snapshot: only deleting needs it, and making it costs more than opening does. */
  #terms: (readonly string[])[] | undefined = [];
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

  /** Terms of a document that are no stop words. */
  lengthAt(ordinal: number): number {
    return this.#lengths[ordinal] ?? 0;
  }

  postings(term: string): Postings | undefined {
    return this.#postingsByTerm.get(term);
  }

  /** Adds a document whose id is not there yet. Returns its ordinal. */
  add(id: string, text: string): number {
    const frequencies = new Map<string, number>();
    for (const term of this.#analyze(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
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
    this.#terms?.push([...frequencies.keys()]);
    this.#ordinalById.set(id, ordinal);
    this.#totalLength += length;
    return ordinal;
  }

  /** Removes a document from every list that names it. Returns its ordinal, undefined where there was none. */
  delete(id: string): number | undefined {
    const ordinal = this.#ordinalById.get(id);
    if (ordinal === undefined) return undefined;
    this.#terms ??= this.#readTerms();
    for (const term of this.#terms[ordinal] ?? []) {
      const postings = this.#postingsByTerm.get(term);
      postings?.remove(ordinal);
      if (postings?.count === 0) this.#postingsByTerm.delete(term);
    }
    this.#totalLength -= this.lengthAt(ordinal);
    this.#ids[ordinal] = undefined;
    this.#lengths[ordinal] = 0;
    this.#terms[ordinal] = [];
    this.#ordinalById.delete(id);
    return ordinal;
  }

  /**
   * Renumbers the documents without holes, in the same order, once there are many or where it must be. Returns the new
   * ordinal of each old one; undefined where nothing was done.
   */
  closeHoles(when: 'many' | 'any'): Uint32Array | undefined {
    const holes = this.ordinals - this.size;
    if (holes === 0 || (when === 'many' && (holes <= MIN_HOLES || holes <= this.size))) return undefined;
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
    this.#terms = this.#terms?.filter(isKept);
    this.#ids = this.#ids.filter(isKept);
    for (const postings of this.#postingsByTerm.values()) postings.renumber(newOrdinals);
    return newOrdinals;
  }

  /** The distinct terms that a query is searched by; its stop words where it has nothing else. */
  queryTerms(query: string): ReadonlySet<string> {
    const terms = new Set<string>();
    const stopWords = new Set<string>();
    for (const term of this.#analyze(query)) {
      (this.#stopWords.has(term) ? stopWords : terms).add(term);
      if (terms.size === MAX_QUERY_TERMS) break;
    }
    return terms.size > 0 ? terms : stopWords;
  }

  /** A copy of everything; there must be no holes. */
  toSnapshot(): KeywordSnapshot {
    const lists = [...this.#postingsByTerm.values()];
    const postings = new Uint32Array(lists.reduce((total, list) => total + list.pairs.length, 0));
    let end = 0;
    for (const { pairs } of lists) {
      postings.set(pairs, end);
      end += pairs.length;
    }
    return {
      version: SNAPSHOT_VERSION,
      ids: packStrings(this.#ids.flatMap((id) => id ?? [])),
      lengths: Uint32Array.from(this.#lengths),
      terms: packStrings([...this.#postingsByTerm.keys()]),
      documentCounts: Uint32Array.from(lists, ({ count }) => count),
      postings,
    };
  }

  /** @throws MnemoraError `invalid-input` where the snapshot has another version or is damaged */
  static fromSnapshot(snapshot: KeywordSnapshot, options: TermOptions): InvertedIndex {
    const index = new InvertedIndex(options);
    const { ids, terms } = readSnapshot(snapshot);
    index.#ids = ids;
    index.#lengths = Array.from(snapshot.lengths);
    index.#totalLength = snapshot.lengths.reduce((total, length) => total + length, 0);
    index.#terms = undefined;
    for (const [ordinal, id] of ids.entries()) index.#ordinalById.set(id, ordinal);
    // One copy that the lists then share: the caller's snapshot stays as it is.
    const pairs = snapshot.postings.slice();
    let start = 0;
    for (const [termIndex, term] of terms.entries()) {
      const end = start + 2 * (snapshot.documentCounts[termIndex] ?? 0);
      const postings = new Postings(pairs.subarray(start, end));
      if (!postings.isSound(ids.length)) throw damaged(`the postings of "${term}" are out of order`);
      index.#postingsByTerm.set(term, postings);
      start = end;
    }
    return index;
  }

  #readTerms(): string[][] {
    const terms: string[][] = this.#ids.map(() => []);
    for (const [term, postings] of this.#postingsByTerm) {
      postings.forEach((ordinal) => terms[ordinal]?.push(term));
    }
    return terms;
  }
}

function readSnapshot(snapshot: KeywordSnapshot): { ids: string[]; terms: string[] } {
  const { version, lengths, documentCounts, postings } = snapshot;
  if (version !== SNAPSHOT_VERSION)
    throw damaged(`this version of the library cannot read version ${String(version)}`);
  const ids = unpackStrings(snapshot.ids);
  const terms = unpackStrings(snapshot.terms);
  const lists = [lengths, documentCounts, postings];
  if (!ids || !terms || !lists.every((list) => list instanceof Uint32Array)) {
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
  return { ids, terms };
}

function damaged(why: string): MnemoraError {
  return new MnemoraError(
    'invalid-input',
    `A snapshot of the keyword index cannot be used: ${why}. Rebuild the index.`,
  );
}
