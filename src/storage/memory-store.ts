import { firstPassing } from '../model/ordered/binary-search.ts';
import { compareKeys, copyKey, isKey } from './key-range.ts';
import { indexShape, type StoreShape } from './schema.ts';

export interface MemoryRow {
  readonly key: unknown;
  readonly value: unknown;
}

/** Largest generated key. Larger numbers would not be distinct. */
const LAST_NUMBER = 2 ** 53;

/** Up to this number, rows are removed one by one. */
const FEW_ROWS = 64;

/** What undoes the changes of a transaction, oldest first. */
export type UndoList = (() => void)[];

/** One object store in memory: rows sorted by key, and its indexes. */
export class MemoryStore {
  /** All rows, by their keys. */
  readonly rows: SortedRows = new SortedRows(({ key }) => [key]);
  readonly #shape: StoreShape;
  readonly #indexes: ReadonlyMap<string, SortedRows>;
  #lastNumber = 0;

  constructor(shape: StoreShape) {
    this.#shape = shape;
    this.#indexes = new Map(
      Object.entries(shape.indexes ?? {}).map(([name, index]) => {
        const { keyPath, unique, multiEntry } = indexShape(index);
        const keysOf = ({ value }: MemoryRow): unknown[] => {
          const key = valueAt(value, keyPath);
          // As in IndexedDB, a row whose value is not a key is not in the index.
          return (multiEntry && Array.isArray(key) ? key : [key]).filter(isKey);
        };
        return [name, new SortedRows(keysOf, unique)];
      }),
    );
  }

  index(name: string): SortedRows {
    const index = this.#indexes.get(name);
    if (!index) throw new DOMException(`There is no index "${name}".`, 'NotFoundError');
    return index;
  }

  /** Writes a row and returns its key. */
  put(value: unknown, givenKey: unknown, ifThere: 'replace' | 'refuse', undo: UndoList): unknown {
    const copy: unknown = structuredClone(value);
    const lastNumber = this.#lastNumber;
    const key = this.#keyOf(copy, givenKey);
    const [present] = this.rows.select(key, 1);
    const row = { key, value: copy };
    for (const index of this.#indexes.values()) index.checkUnique(row, present);
    if (present && ifThere === 'refuse') throw new DOMException('The key is taken.', 'ConstraintError');
    if (present) this.#remove(present);
    this.#insert(row);
    if (this.#shape.autoIncrement && typeof key === 'number')
      this.#lastNumber = Math.max(lastNumber, Math.min(Math.floor(key), LAST_NUMBER));
    undo.push(() => {
      this.#remove(row);
      if (present) this.#insert(present);
      this.#lastNumber = lastNumber;
    });
    return copyKey(key);
  }

  /** Removes the rows that a key or range selects, or all rows without one. */
  delete(query: unknown, undo: UndoList): void {
    const removed = this.rows.select(query);
    if (removed.length <= FEW_ROWS) for (const row of removed) this.#remove(row);
    else this.#removeMany(new Set(removed));
    undo.push(() => removed.forEach((row) => this.#insert(row)));
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
    for (const rows of [this.rows, ...this.#indexes.values()]) rows.insert(row);
  }

  #removeMany(removed: ReadonlySet<MemoryRow>): void {
    for (const rows of [this.rows, ...this.#indexes.values()]) rows.removeMany(removed);
  }

  #remove(row: MemoryRow): void {
    for (const rows of [this.rows, ...this.#indexes.values()]) rows.remove(row);
  }
}

/** Rows sorted by their keys in the store or in an index, which may have none or several of a row. */
export class SortedRows {
  #entries: { readonly key: unknown; readonly row: MemoryRow }[] = [];
  readonly #keysOf: (row: MemoryRow) => readonly unknown[];
  readonly #isUnique: boolean;

  constructor(keysOf: (row: MemoryRow) => readonly unknown[], isUnique = false) {
    this.#keysOf = keysOf;
    this.#isUnique = isUnique;
  }

  /** Returns the rows that a key or range selects, or all rows without one. */
  select(query: unknown, count: number = Infinity): readonly MemoryRow[] {
    const { start, end } = this.#placesOf(query);
    return this.#entries.slice(start, Math.min(end, start + count)).map((entry) => entry.row);
  }

  /** Returns the greatest key that a key or range selects, or the key `before` rows before it. */
  lastKey(query: unknown, before: number): unknown {
    const { start, end } = this.#placesOf(query);
    return end - 1 - before < start ? undefined : this.#entries[end - 1 - before]?.key;
  }

  checkUnique(row: MemoryRow, replaced: MemoryRow | undefined): void {
    if (!this.#isUnique) return;
    for (const key of this.#keysOf(row)) {
      const [taken] = this.select(key, 1);
      if (taken && taken !== replaced) throw new DOMException('An index key is taken.', 'ConstraintError');
    }
  }

  insert(row: MemoryRow): void {
    for (const key of this.#keysOf(row)) {
      const position = this.#positionOf(key, row);
      if (!this.#isAt(position, key, row)) this.#entries.splice(position, 0, { key, row });
    }
  }

  remove(row: MemoryRow): void {
    for (const key of this.#keysOf(row)) {
      const position = this.#positionOf(key, row);
      if (this.#isAt(position, key, row)) this.#entries.splice(position, 1);
    }
  }

  /** Passes all rows once: each row that is removed alone moves those behind it. */
  removeMany(removed: ReadonlySet<MemoryRow>): void {
    this.#entries = this.#entries.filter(({ row }) => !removed.has(row));
  }

  #placesOf(query: unknown): { readonly start: number; readonly end: number } {
    const { lower, upper, lowerOpen, upperOpen } = rangeOf(query);
    const start = lower === undefined ? 0 : this.#first((key) => isPast(key, lower, lowerOpen));
    const end = this.#first((key) => upper !== undefined && isPast(key, upper, !upperOpen));
    return { start, end };
  }

  #positionOf(key: unknown, row: MemoryRow): number {
    return this.#first((other, { key: otherRow }) => {
      const order = compareKeys(other, key);
      return order > 0 || (order === 0 && compareKeys(otherRow, row.key) >= 0);
    });
  }

  #isAt(position: number, key: unknown, row: MemoryRow): boolean {
    const found = this.#entries[position];
    return found?.row === row && compareKeys(found.key, key) === 0;
  }

  /** Returns the first position at which `holds` is true. It must be true for all later ones. */
  #first(holds: (key: unknown, row: MemoryRow) => boolean): number {
    return firstPassing(this.#entries.length, (position) => {
      const entry = this.#entries[position];
      return entry !== undefined && holds(entry.key, entry.row);
    });
  }
}

function valueAt(value: unknown, path: string | readonly string[]): unknown {
  if (typeof path !== 'string') return path.map((each) => valueAt(value, each));
  let inner = value;
  for (const name of path.split('.'))
    inner = (inner as Readonly<Record<string, unknown>> | undefined)?.[name];
  return inner;
}

function rangeOf(query: unknown): Pick<IDBKeyRange, 'lower' | 'upper' | 'lowerOpen' | 'upperOpen'> {
  if (typeof query === 'object' && query !== null && 'lowerOpen' in query) return query as IDBKeyRange;
  const key = query ?? undefined;
  if (key !== undefined && !isKey(key)) throw new DOMException('The query is not a valid key.', 'DataError');
  return { lower: key, upper: key, lowerOpen: false, upperOpen: false };
}

/** Returns whether a key is at or above another one, or above it if `isOpen`. */
function isPast(key: unknown, other: unknown, isOpen: boolean): boolean {
  const order = compareKeys(key, other);
  return isOpen ? order > 0 : order >= 0;
}
