import { compareKeys, copyKey, isKey } from './key-range.ts';
import type { StoreShape } from './stores.ts';

export interface MemoryRow {
  readonly key: unknown;
  readonly value: unknown;
}

interface IndexEntry {
  readonly key: unknown;
  readonly row: MemoryRow;
}

/** Largest generated key. Larger numbers would not be distinct. */
const LAST_NUMBER = 2 ** 53;

type KeyPath = string | readonly string[];

/** Result of a change, and how to undo it. */
interface Change<T> {
  readonly result: T;
  readonly undo: () => void;
}

/** One object store in memory: rows sorted by key, and its indexes. */
export class MemoryStore {
  readonly #shape: StoreShape;
  readonly #rows: MemoryRow[] = [];
  readonly #indexes: ReadonlyMap<string, MemoryIndex>;
  #lastNumber = 0;

  constructor(shape: StoreShape) {
    this.#shape = shape;
    this.#indexes = new Map(
      Object.entries(shape.indexes ?? {}).map(([name, index]) => [name, new MemoryIndex(index)]),
    );
  }

  /** Returns the rows that a key or range selects, or all rows without one. */
  select(query: unknown, count: number = Infinity): readonly MemoryRow[] {
    return within(this.#rows, query, count);
  }

  index(name: string): MemoryIndex {
    const index = this.#indexes.get(name);
    if (!index) throw new DOMException(`There is no index "${name}".`, 'NotFoundError');
    return index;
  }

  put(value: unknown, givenKey: unknown, ifThere: 'replace' | 'refuse'): Change<unknown> {
    const copy: unknown = structuredClone(value);
    const lastNumber = this.#lastNumber;
    const key = this.#keyOf(copy, givenKey);
    const [present] = this.select(key, 1);
    const row = { key, value: copy };
    for (const index of this.#indexes.values()) index.checkUnique(row, present);
    if (present && ifThere === 'refuse') throw new DOMException('The key is taken.', 'ConstraintError');
    if (present) this.#remove(present);
    this.#insert(row);
    if (this.#shape.autoIncrement && typeof key === 'number')
      this.#lastNumber = Math.max(lastNumber, Math.min(Math.floor(key), LAST_NUMBER));
    const undo = (): void => {
      this.#remove(row);
      if (present) this.#insert(present);
      this.#lastNumber = lastNumber;
    };
    return { result: copyKey(key), undo };
  }

  delete(query: unknown): Change<void> {
    const removed = [...this.select(query)];
    for (const row of removed) this.#remove(row);
    return { result: undefined, undo: () => removed.forEach((row) => this.#insert(row)) };
  }

  clear(): void {
    this.delete(undefined);
  }

  #keyOf(value: unknown, given: unknown): unknown {
    const { keyPath, autoIncrement } = this.#shape;
    const isInRow = keyPath !== undefined;
    if (isInRow && (given !== undefined || typeof value !== 'object' || value === null))
      throw new DOMException('Rows of this store hold their keys.', 'DataError');
    let key = isInRow ? valueAt(value, keyPath) : copyKey(given);
    if (key === undefined && autoIncrement) {
      if (this.#lastNumber >= LAST_NUMBER) throw new DOMException('All numbers are used.', 'ConstraintError');
      key = this.#lastNumber + 1;
      if (typeof keyPath === 'string') (value as Record<string, unknown>)[keyPath] = key;
    }
    if (!isKey(key)) throw new DOMException('The row has no valid key.', 'DataError');
    return key;
  }

  #insert(row: MemoryRow): void {
    insert(this.#rows, row);
    for (const index of this.#indexes.values()) index.insert(row);
  }

  #remove(row: MemoryRow): void {
    remove(this.#rows, row, compareRows);
    for (const index of this.#indexes.values()) index.remove(row);
  }
}

class MemoryIndex {
  readonly #shape: NonNullable<StoreShape['indexes']>[string];
  readonly #entries: IndexEntry[] = [];

  constructor(shape: NonNullable<StoreShape['indexes']>[string]) {
    this.#shape = shape;
  }

  select(query: unknown, count: number = Infinity): readonly MemoryRow[] {
    return within(this.#entries, query, count).map((entry) => entry.row);
  }

  checkUnique(row: MemoryRow, replaced: MemoryRow | undefined): void {
    if (!this.#shape.unique) return;
    for (const { key } of this.#entriesOf(row)) {
      const [taken] = this.select(key, 1);
      if (taken && taken !== replaced) throw new DOMException('An index key is taken.', 'ConstraintError');
    }
  }

  insert(row: MemoryRow): void {
    for (const entry of this.#entriesOf(row)) insert(this.#entries, entry, compareEntries);
  }

  remove(row: MemoryRow): void {
    for (const entry of this.#entriesOf(row)) remove(this.#entries, entry, compareEntries);
  }

  #entriesOf(row: MemoryRow): IndexEntry[] {
    const { keyPath, multiEntry } = this.#shape;
    const key = valueAt(row.value, keyPath);
    // As in IndexedDB, a row whose value is not a key is not in the index.
    if (multiEntry && Array.isArray(key))
      return uniqueKeys(key.filter(isKey)).map((each) => ({ key: each, row }));
    return isKey(key) ? [{ key, row }] : [];
  }
}

/** Removes duplicate keys and keeps the first of each. */
function uniqueKeys(keys: readonly unknown[]): unknown[] {
  const lists = keys.filter((key) => Array.isArray(key));
  const others = new Set(keys.filter((key) => !Array.isArray(key)));
  return [
    ...others,
    ...lists.filter((key, at) => lists.findIndex((each) => compareKeys(each, key) === 0) === at),
  ];
}

function valueAt(value: unknown, path: KeyPath): unknown {
  if (typeof path !== 'string') return path.map((each) => valueAt(value, each));
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
      value,
    );
}

interface Keyed {
  readonly key: unknown;
}

function within<T extends Keyed>(entries: readonly T[], query: unknown, count: number): readonly T[] {
  const { lower, upper, lowerOpen, upperOpen } = rangeOf(query);
  const start =
    lower === undefined ? 0 : firstAt(entries, (entry) => order(entry, lower) >= (lowerOpen ? 1 : 0));
  const end =
    upper === undefined
      ? entries.length
      : firstAt(entries, (entry) => order(entry, upper) >= (upperOpen ? 0 : 1));
  return entries.slice(start, Math.min(end, start + count));
}

function order({ key }: Keyed, other: unknown): number {
  return Math.sign(compareKeys(key, other));
}

function rangeOf(query: unknown): Pick<IDBKeyRange, 'lower' | 'upper' | 'lowerOpen' | 'upperOpen'> {
  if (query === undefined || query === null) {
    return { lower: undefined, upper: undefined, lowerOpen: false, upperOpen: false };
  }
  if (typeof query === 'object' && 'lowerOpen' in query) return query as IDBKeyRange;
  if (!isKey(query)) throw new DOMException('The query is not a valid key.', 'DataError');
  return { lower: query, upper: query, lowerOpen: false, upperOpen: false };
}

/** Binary search: returns the first position at which `holds` is true. It must be true for all later ones. */
function firstAt<T>(entries: readonly T[], holds: (entry: T) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && holds(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function insert<T extends Keyed>(
  entries: T[],
  entry: T,
  compare: (a: T, b: T) => number = compareRows,
): void {
  const last = entries.at(-1);
  if (last === undefined || compare(last, entry) < 0) entries.push(entry);
  else
    entries.splice(
      firstAt(entries, (each) => compare(each, entry) >= 0),
      0,
      entry,
    );
}

function remove<T extends Keyed>(entries: T[], entry: T, compare: (a: T, b: T) => number): void {
  const position = firstAt(entries, (each) => compare(each, entry) >= 0);
  const found = entries[position];
  if (found !== undefined && compare(found, entry) === 0) entries.splice(position, 1);
}

function compareRows(a: Keyed, b: Keyed): number {
  return compareKeys(a.key, b.key);
}

function compareEntries(a: IndexEntry, b: IndexEntry): number {
  return compareKeys(a.key, b.key) || compareKeys(a.row.key, b.row.key);
}
