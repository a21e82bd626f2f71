/** A key, or part of one: a string, a number or a list of keys. */
type KeyPart = unknown;

/**
 * Returns a range of the keys that begin with these parts. Arrays sort after strings and numbers, so an empty array
 * is above all of them.
 */
export function startingWith(...parts: readonly (string | number)[]): IDBKeyRange {
  return between(parts, [...parts, []]);
}

/** Returns a range of the keys from `lower` to `upper`, both included unless marked as open. */
export function between(
  lower: KeyPart,
  upper: KeyPart,
  { lowerOpen = false, upperOpen = false }: { lowerOpen?: boolean; upperOpen?: boolean } = {},
): IDBKeyRange {
  return typeof IDBKeyRange === 'undefined'
    ? plainRange({ lower, upper, lowerOpen, upperOpen })
    : IDBKeyRange.bound(lower, upper, lowerOpen, upperOpen);
}

/** Returns a range of the keys above `lower`. */
export function above(lower: KeyPart): IDBKeyRange {
  return typeof IDBKeyRange === 'undefined'
    ? plainRange({ lower, upper: undefined, lowerOpen: true, upperOpen: true })
    : IDBKeyRange.lowerBound(lower, true);
}

/** Returns a range of the keys up to and including `upper`. */
export function upTo(upper: KeyPart): IDBKeyRange {
  return typeof IDBKeyRange === 'undefined'
    ? plainRange({ lower: undefined, upper, lowerOpen: true, upperOpen: false })
    : IDBKeyRange.upperBound(upper);
}

/** Returns a range with the same four fields for the memory engine where there is no IndexedDB. */
function plainRange(range: Omit<IDBKeyRange, 'includes'>): IDBKeyRange {
  const { lower, upper, lowerOpen, upperOpen } = range as Readonly<Record<string, unknown>>;
  const ends = [lower, upper].filter((end) => end !== undefined);
  const order = ends.length < 2 ? -1 : compareKeys(lower, upper);
  if (ends.length === 0 || !ends.every(isKey) || order > 0 || (order === 0 && (lowerOpen || upperOpen)))
    throw new DOMException('The range has no valid ends.', 'DataError');
  return range as IDBKeyRange;
}

/**
 * Orders keys as IndexedDB does: numbers, then strings, then arrays part by part.
 *
 * @see https://www.w3.org/TR/IndexedDB/#compare-two-keys
 */
export function compareKeys(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b || 0;
  if (Array.isArray(a) && Array.isArray(b)) return compareParts(a, b);
  return rankOf(a) - rankOf(b);
}

function compareParts(a: readonly unknown[], b: readonly unknown[]): number {
  for (let part = 0; part < a.length && part < b.length; part += 1) {
    const order = compareKeys(a[part], b[part]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function rankOf(key: unknown): number {
  if (typeof key === 'number') return 0;
  return typeof key === 'string' ? 1 : 2;
}

/** Returns whether IndexedDB accepts a value as a key. Dates and binary keys are not used here. */
export function isKey(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isNaN(value);
  if (!Array.isArray(value)) return typeof value === 'string';
  return value.every(isKey) && !value.includes(undefined); // `every` skips holes
}

/** Returns a deep copy of a key. */
export function copyKey(key: unknown): unknown {
  return Array.isArray(key) ? key.map(copyKey) : key;
}
