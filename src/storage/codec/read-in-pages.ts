import { above, between } from '../key-range.ts';
import type { Transaction } from '../storage-engine.ts';
import type { Schema, StoreName } from '../schema.ts';

const PAGE_ROWS = 256;
/** Each row of these stores combines many, so they are read one by one. */
const LARGE: ReadonlySet<StoreName> = new Set(['vectors', 'postings']);

interface Page<Name extends StoreName> {
  readonly rows: readonly Schema[Name]['value'][];
  readonly keys: readonly Schema[Name]['key'][];
}

/** The methods needed to read any store. */
interface RowSource {
  getAll(range: IDBKeyRange | undefined, count: number): Promise<unknown[]>;
  getAllKeys(range: IDBKeyRange | undefined, count: number): Promise<unknown[]>;
}

/** Yields the rows of a store, or of a range of it, in pages and in the order of their keys. */
export async function* readPages<Name extends StoreName>(
  transaction: Transaction,
  name: Name,
  range?: IDBKeyRange,
): AsyncGenerator<Page<Name>, void> {
  const store = transaction.objectStore(name) as unknown as RowSource;
  const count = LARGE.has(name) ? 1 : PAGE_ROWS;
  for (let rest = range; ;) {
    // Both requests belong to one transaction, so they see the same rows.
    const [rows, keys] = await Promise.all([store.getAll(rest, count), store.getAllKeys(rest, count)]);
    if (rows.length > 0) yield { rows, keys } as Page<Name>;
    if (keys.length < count) return;
    const last = keys.at(-1);
    rest =
      range?.upper === undefined
        ? above(last)
        : between(last, range.upper, { lowerOpen: true, upperOpen: range.upperOpen });
  }
}

/** Yields the rows of a store, or of a range of it, one by one. */
export async function* readRows<Name extends StoreName>(
  transaction: Transaction,
  name: Name,
  range?: IDBKeyRange,
): AsyncGenerator<Schema[Name]['value'], void> {
  for await (const { rows } of readPages(transaction, name, range)) yield* rows;
}
