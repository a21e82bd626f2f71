import { firstPassing } from '../model/ordered/binary-search.ts';
import { hashUnits } from './term-hash.ts';

/** Numbers in the narrowest typed array possible. Each is the base plus its offset. */
export interface PackedNumbers {
  readonly base: number;
  readonly offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array;
}

/**
 * Strings in one array of UTF-16 units, or of bytes if all units fit. Any string is read without unpacking the others,
 * and all strings are preserved exactly.
 */
export interface PackedStrings {
  readonly units: Uint8Array | Uint16Array;
  /** End of each string in `units`, where the next one begins. */
  readonly ends: Uint32Array;
}

/** Strings that are often the same: the distinct ones, and by row the position of its string among them. */
export interface PackedWords {
  readonly words: PackedStrings;
  readonly positions: PackedNumbers;
}

/** Lists of numbers below 2 ** 16, one after another. */
export interface PackedLists {
  readonly numbers: Uint16Array;
  /** End of each list in `numbers`, where the next one begins. */
  readonly ends: Uint32Array;
}

export function packNumbers(numbers: readonly number[]): PackedNumbers {
  const base = numbers.reduce((least, number) => Math.min(least, number), numbers[0] ?? 0);
  const range = numbers.reduce((most, number) => Math.max(most, number), 0) - base;
  // Other numbers could not be restored exactly from an offset.
  const isExact = range < 2 ** 32 && numbers.every(Number.isSafeInteger);
  if (!isExact) return { base: 0, offsets: Float64Array.from(numbers) };
  const offsets = numbers.map((number) => number - base);
  if (range < 2 ** 8) return { base, offsets: Uint8Array.from(offsets) };
  return { base, offsets: range < 2 ** 16 ? Uint16Array.from(offsets) : Uint32Array.from(offsets) };
}

export function numberAt({ base, offsets }: PackedNumbers, position: number): number {
  return base + (offsets[position] ?? 0);
}

/** Whether a stored value is this many packed numbers. */
export function arePackedNumbers(value: unknown, count: number): value is PackedNumbers {
  const { base, offsets } = (value ?? {}) as Partial<PackedNumbers>;
  const kinds = [Uint8Array, Uint16Array, Uint32Array, Float64Array];
  return (
    typeof base === 'number' && kinds.some((kind) => offsets instanceof kind) && offsets?.length === count
  );
}

export function packStrings(strings: readonly string[]): PackedStrings {
  const all = strings.join('');
  // oxlint-disable-next-line no-control-regex
  const units = /^[\0-\xff]*$/.test(all) ? new Uint8Array(all.length) : new Uint16Array(all.length);
  for (let at = 0; at < all.length; at++) units[at] = all.charCodeAt(at);
  let end = 0;
  return { units, ends: Uint32Array.from(strings, (string) => (end += string.length)) };
}

/** Returns the string at a position; empty beyond the last. */
export function stringAt({ units, ends }: PackedStrings, position: number): string {
  const end = ends[position] ?? 0;
  let string = '';
  // Character by character, which is the fastest way for short strings.
  for (let at = startOf(ends, position); at < end; at++) string += String.fromCharCode(units[at] ?? 0);
  return string;
}

export function unpackStrings(packed: PackedStrings): string[] {
  return Array.from(packed.ends, (_, position) => stringAt(packed, position));
}

/** Whether a stored value is packed strings. */
export function arePackedStrings(value: unknown): value is PackedStrings {
  const { units, ends } = (value ?? {}) as Partial<PackedStrings>;
  return (units instanceof Uint8Array || units instanceof Uint16Array) && ends instanceof Uint32Array;
}

/** Returns the position of a string by binary search, or -1. The strings must have been sorted by `<`. */
export function findString(packed: PackedStrings, wanted: string): number {
  const { length } = packed.ends;
  const position = firstPassing(length, (at) => compareAt(packed, at, wanted) >= 0);
  return position < length && compareAt(packed, position, wanted) === 0 ? position : -1;
}

/** Compares the string at a position with another one as `<` does, without unpacking it. */
function compareAt({ units, ends }: PackedStrings, position: number, other: string): number {
  const start = startOf(ends, position);
  const length = (ends[position] ?? 0) - start;
  for (let at = 0; at < length && at < other.length; at++) {
    const difference = (units[start + at] ?? 0) - other.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return length - other.length;
}

/** Returns the hash of the string at a position, without unpacking it. */
export function hashAt({ units, ends }: PackedStrings, position: number): number {
  const start = startOf(ends, position);
  return hashUnits((ends[position] ?? 0) - start, (at) => units[start + at] ?? 0);
}

export function packWords(words: readonly string[]): PackedWords {
  const distinct = [...new Set(words)];
  const positions = new Map(distinct.map((word, position) => [word, position]));
  return {
    words: packStrings(distinct),
    positions: packNumbers(words.map((word) => positions.get(word) ?? 0)),
  };
}

export function wordAt({ words, positions }: PackedWords, row: number): string {
  return stringAt(words, numberAt(positions, row));
}

/** Whether a stored value is this many packed words. */
export function arePackedWords(value: unknown, count: number): value is PackedWords {
  const { words, positions } = (value ?? {}) as Partial<PackedWords>;
  return arePackedStrings(words) && arePackedNumbers(positions, count);
}

export function packLists(lists: readonly Uint16Array[]): PackedLists {
  let end = 0;
  const ends = Uint32Array.from(lists, (list) => (end += list.length));
  const numbers = new Uint16Array(end);
  for (const [row, list] of lists.entries()) numbers.set(list, startOf(ends, row));
  return { numbers, ends };
}

export function listAt({ numbers, ends }: PackedLists, row: number): Uint16Array {
  return numbers.subarray(startOf(ends, row), ends[row]);
}

/** Whether a stored value is this many packed lists. */
export function arePackedLists(value: unknown, count: number): value is PackedLists {
  const { numbers, ends } = (value ?? {}) as Partial<PackedLists>;
  return numbers instanceof Uint16Array && ends instanceof Uint32Array && ends.length === count;
}

/** Returns where an item begins, given the end of each. */
export function startOf(ends: Uint32Array, position: number): number {
  return position === 0 ? 0 : (ends[position - 1] ?? 0);
}

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Returns a checksum that detects damaged columns, anywhere in the given objects: FNV-1a over words of 32 bits (G. Fowler, L. Noll, K.-P. Vo). It does
 * not protect against deliberate changes.
 */
export function checksumOf(packed: object): number {
  let hash = 0x811c9dc5;
  for (const column of columnsOf(packed))
    hash = mix(mix(hash, Uint32Array.of(column.length)), wordsOf(column));
  return hash;
}

function columnsOf(packed: unknown): Column[] {
  if (typeof packed === 'number') return [Float64Array.of(packed)];
  if (typeof packed !== 'object' || packed === null) return [];
  return 'byteLength' in packed ? [packed as Column] : Object.values(packed).flatMap(columnsOf);
}

function mix(start: number, words: Uint32Array): number {
  let hash = start;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193);
  return hash;
}

/** Returns the bytes of a column as whole words, padded with zeros. */
function wordsOf({ buffer, byteOffset, byteLength }: Column): Uint32Array {
  if (byteOffset % 4 === 0 && byteLength % 4 === 0)
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  const padded = new Uint8Array(Math.ceil(byteLength / 4) * 4);
  padded.set(new Uint8Array(buffer, byteOffset, byteLength));
  return new Uint32Array(padded.buffer);
}
