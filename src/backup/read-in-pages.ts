import { above, between } from '../storage/key-range.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import type { Schema, StoreName } from '../storage/schema.ts';

const PAGE_ROWS = 256;

/** Yields the rows of a store, or of a range of it, in pages and in the order of their keys. */
export async function* readPages<Name extends StoreName>(
  transaction: Transaction,
  name: Name,
  range?: IDBKeyRange,
): AsyncGenerator<Schema[Name]['value'][]> {
  const store = transaction.objectStore(name) as unknown as RowSource;
  let rest = range;
  for (;;) {
    // Both requests belong to one transaction, so they see the same rows.
    const [rows, keys] = await Promise.all([
      store.getAll(rest, PAGE_ROWS),
      store.getAllKeys(rest, PAGE_ROWS),
    ]);
    if (rows.length > 0) yield rows as Schema[Name]['value'][];
    if (keys.length < PAGE_ROWS) return;
    rest = after(keys.at(-1), range);
  }
}

/** Yields the keys of a store in pages. */
export async function* readKeyPages<Name extends StoreName>(
  transaction: Transaction,
  name: Name,
): AsyncGenerator<Schema[Name]['key'][]> {
  const store = transaction.objectStore(name) as unknown as RowSource;
  let rest: IDBKeyRange | undefined;
  for (;;) {
    const keys = await store.getAllKeys(rest, PAGE_ROWS);
    if (keys.length > 0) yield keys as Schema[Name]['key'][];
    if (keys.length < PAGE_ROWS) return;
    rest = after(keys.at(-1), undefined);
  }
}

/** The methods needed to read any store. */
interface RowSource {
  getAll(range: IDBKeyRange | undefined, count: number): Promise<unknown[]>;
  getAllKeys(range: IDBKeyRange | undefined, count: number): Promise<unknown[]>;
}

function after(key: unknown, range: IDBKeyRange | undefined): IDBKeyRange {
  return range?.upper === undefined
    ? above(key)
    : between(key, range.upper, { lowerOpen: true, upperOpen: range.upperOpen });
}
