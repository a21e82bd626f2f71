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
  let low = 0;
  let high = packed.ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stringAt(packed, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < packed.ends.length && stringAt(packed, low) === wanted ? low : -1;
}

/** Returns where an item begins, given the end of each. */
export function startOf(ends: Uint32Array, position: number): number {
  return position === 0 ? 0 : (ends[position - 1] ?? 0);
}

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Returns a checksum that detects damaged columns: FNV-1a over words of 32 bits (G. Fowler, L. Noll, K.-P. Vo). It does
 * not protect against deliberate changes.
 */
export function checksumOf(packed: readonly (Column | PackedNumbers | PackedStrings)[]): number {
  let hash = 0x811c9dc5;
  for (const column of packed.flatMap(columnsOf)) {
    hash = mix(mix(hash, Uint32Array.of(column.length)), wordsOf(column));
  }
  return hash;
}

function columnsOf(packed: Column | PackedNumbers | PackedStrings): Column[] {
  if ('units' in packed) return [packed.units, packed.ends];
  return 'base' in packed ? [Float64Array.of(packed.base), packed.offsets] : [packed];
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
