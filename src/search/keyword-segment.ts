import {
  arePackedNumbers,
  arePackedStrings,
  checksumOf,
  numberAt,
  packNumbers,
  packStrings,
  startOf,
  stringAt,
  type PackedNumbers,
  type PackedStrings,
} from './packed-columns.ts';

/** The terms of a document in a keyword index. */
export interface TermDocument {
  readonly id: string;
  /** Number of terms without stop words, including repeats. */
  readonly length: number;
  /** Each distinct term with its frequency. */
  readonly terms: readonly (readonly [term: string, frequency: number])[];
}

/**
 * An index segment: documents and postings as plain data, which is stored as one value and searched without unpacking.
 * A term is found by binary search, and only its own postings are read.
 */
export interface KeywordSegment {
  /** Changes with this format, with `analyze`, and with the properties that a conversation's segment has. */
  readonly version: number;
  /** Ids of the documents. The position of an id is the document's row. */
  readonly ids: readonly string[];
  /** Length of each document, by row. */
  readonly lengths: PackedNumbers;
  /** The distinct terms, sorted by `<`. */
  readonly terms: PackedStrings;
  /** End of each term's postings in `postings`, exclusive. */
  readonly postingEnds: Uint32Array;
  /**
   * Postings of all terms, by ascending row: the distance from the previous row, doubled, plus 1 if the term occurs once;
   * otherwise the frequency follows. Numbers are varints: 7 bits per byte, low bits first, the eighth bit set on all but
   * the last byte.
   */
  readonly postings: Uint8Array;
  /** Packed columns of what the owner of the index keeps for each document, by row. */
  readonly properties: object;
  readonly checksum: number;
}

const SEGMENT_VERSION = 7;

/** Returns a segment of documents with distinct ids. */
export function toKeywordSegment(
  documents: readonly TermDocument[],
  properties: object = {},
): KeywordSegment {
  const lists: TermLists = new Map();
  for (const [row, { terms }] of documents.entries()) {
    for (const [term, frequency] of terms) pairsOf(term, lists).push(row, frequency);
  }
  return makeSegment(
    documents.map(({ id }) => id),
    documents.map(({ length }) => length),
    lists,
    properties,
  );
}

/**
 * Merges segments into one. It allocates nothing for each document, so that it does not block the page.
 *
 * @param newRows for each segment, the new row of each of its rows, or a negative number for a row that is dropped; new
 *   rows ascend through all segments
 * @param properties packed columns of the new rows
 */
export function joinKeywordSegments(
  segments: readonly KeywordSegment[],
  newRows: readonly (readonly number[])[],
  properties: object,
): KeywordSegment {
  const ids: string[] = [];
  const lengths: number[] = [];
  const lists: TermLists = new Map();
  for (const [number, segment] of segments.entries()) {
    const rows = newRows[number] ?? [];
    for (const [row, id] of segment.ids.entries()) {
      if ((rows[row] ?? -1) < 0) continue;
      ids.push(id);
      lengths.push(numberAt(segment.lengths, row));
    }
    for (let position = 0; position < segment.postingEnds.length; position++) {
      let pairs: number[] | undefined;
      forEachPosting(segment, position, (row, frequency) => {
        const newRow = rows[row] ?? -1;
        if (newRow < 0) return;
        pairs ??= pairsOf(stringAt(segment.terms, position), lists);
        pairs.push(newRow, frequency);
      });
    }
  }
  return makeSegment(ids, lengths, lists, properties);
}

/** Returns the documents of a segment, by row. */
export function documentsOf(segment: KeywordSegment): TermDocument[] {
  const terms: (readonly [string, number])[][] = segment.ids.map(() => []);
  for (let position = 0; position < segment.postingEnds.length; position++) {
    const term = stringAt(segment.terms, position);
    forEachPosting(segment, position, (row, frequency) => terms[row]?.push([term, frequency]));
  }
  return segment.ids.map((id, row) => ({
    id,
    length: numberAt(segment.lengths, row),
    terms: terms[row] ?? [],
  }));
}

/** Visits the postings of a term, given by its position in `terms`. */
export function forEachPosting(
  { postings, postingEnds }: KeywordSegment,
  position: number,
  visit: (row: number, frequency: number) => void,
): void {
  const end = postingEnds[position] ?? 0;
  let row = -1;
  let isFrequency = false;
  for (let at = startOf(postingEnds, position); at < end; at++) {
    let byte = postings[at] ?? 0;
    let number = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = postings[++at] ?? 0;
      number += (byte & 127) * scale;
    }
    if (isFrequency) visit(row, number);
    else row += number >> 1;
    if (!isFrequency && number & 1) visit(row, 1);
    isFrequency = !isFrequency && !(number & 1);
  }
}

/** Whether a stored value is an undamaged segment of this version. */
export function isKeywordSegment(value: unknown): value is KeywordSegment {
  const segment = (value ?? {}) as Partial<KeywordSegment>;
  const { version, ids, lengths, terms, postingEnds, postings, properties, checksum } = segment;
  return (
    version === SEGMENT_VERSION &&
    Array.isArray(ids) &&
    ids.every((id) => typeof id === 'string') &&
    arePackedNumbers(lengths, ids.length) &&
    arePackedStrings(terms) &&
    postingEnds instanceof Uint32Array &&
    postings instanceof Uint8Array &&
    typeof properties === 'object' &&
    properties !== null &&
    checksum === checksumOf([lengths, terms, postingEnds, postings, properties])
  );
}

/** By term: its rows in ascending order, each followed by the frequency. */
type TermLists = Map<string, number[]>;

function pairsOf(term: string, lists: TermLists): number[] {
  let pairs = lists.get(term);
  if (!pairs) lists.set(term, (pairs = []));
  return pairs;
}

function makeSegment(
  ids: readonly string[],
  lengths: readonly number[],
  lists: TermLists,
  properties: object,
): KeywordSegment {
  const sorted = [...lists].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bytes: number[] = [];
  const postingEnds = Uint32Array.from(sorted, ([, pairs]) => writePairs(pairs, bytes));
  const columns = {
    lengths: packNumbers(lengths),
    terms: packStrings(sorted.map(([term]) => term)),
    postingEnds,
    postings: new Uint8Array(bytes),
    properties,
  };
  // Ids are not included: a damaged id belongs to no message.
  return { version: SEGMENT_VERSION, ids, ...columns, checksum: checksumOf(Object.values(columns)) };
}

/** Appends the pairs of a term to the bytes, and returns their new number. */
function writePairs(pairs: readonly number[], bytes: number[]): number {
  let previous = -1;
  for (let at = 0; at < pairs.length; at += 2) {
    const row = pairs[at] ?? 0;
    const frequency = pairs[at + 1] ?? 0;
    const distance = 2 * (row - previous);
    previous = row;
    writeNumber(frequency === 1 ? distance + 1 : distance, bytes);
    if (frequency !== 1) writeNumber(frequency, bytes);
  }
  return bytes.length;
}

function writeNumber(number: number, bytes: number[]): void {
  let rest = number;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}
