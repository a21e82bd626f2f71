/**
 * Strings in one array of UTF-16 units, or of bytes if all units fit. Any string is read without unpacking the others,
 * and all strings are preserved exactly.
 */
export interface PackedStrings {
  readonly units: Uint8Array | Uint16Array;
  /** End of each string in `units`, where the next one begins. */
  readonly ends: Uint32Array;
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
  if (typeof value !== 'object' || value === null) return false;
  const { units, ends } = value as Partial<PackedStrings>;
  return (units instanceof Uint8Array || units instanceof Uint16Array) && ends instanceof Uint32Array;
}

/** Returns the position of a string by binary search, or -1. The strings must have been sorted by `<`. */
export function findString(packed: PackedStrings, wanted: string): number {
  let low = 0;
  let high = packed.ends.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareAt(packed, middle, wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Returns a negative number if the string at a position comes before the wanted one. */
function compareAt({ units, ends }: PackedStrings, position: number, wanted: string): number {
  const start = startOf(ends, position);
  const length = (ends[position] ?? 0) - start;
  const shared = Math.min(length, wanted.length);
  for (let at = 0; at < shared; at++) {
    const difference = (units[start + at] ?? 0) - wanted.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

function startOf(ends: Uint32Array, position: number): number {
  return position === 0 ? 0 : (ends[position - 1] ?? 0);
}
