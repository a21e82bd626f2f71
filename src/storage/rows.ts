import { between } from './key-range.ts';
import type { Transaction } from './storage-engine.ts';

/** Returns the rows that exist under these keys. */
export async function getEach<Key, Row>(
  store: { get(key: Key): Promise<Row | undefined> },
  keys: Iterable<Key>,
): Promise<Row[]> {
  const rows = await askEach(keys, (key) => store.get(key));
  return rows.filter((row): row is Awaited<Row> => row !== undefined);
}

/** Largest number of rows that IndexedDB can be asked for, or that a cursor can pass: 32 bits. */
export const MOST_ROWS: number = 2 ** 32 - 1;

/** Requests made at once, which takes a few milliseconds. */
const REQUESTS_AT_ONCE = 100;

/** Makes a request for each item, in slices, so that the requests of a large transaction are not made in one task. */
export async function askEach<Item, Answer>(
  items: Iterable<Item>,
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const some of slicesOf(items, REQUESTS_AT_ONCE)) answers.push(...(await Promise.all(some.map(ask))));
  return answers;
}

/** Looks rows up by their ids. Returns those that exist, and the ids of the others. */
export async function findRows<Row extends { readonly id: string }>(
  store: { get(id: string): Promise<Row | undefined> },
  ids: Iterable<string>,
): Promise<{ found: Row[]; missing: string[] }> {
  const missing = new Set(ids);
  const found = await getEach(store, missing);
  for (const { id } of found) missing.delete(id);
  return { found, missing: [...missing] };
}

/** Returns the rows of an index under any of these keys. A row under several of them is returned several times. */
export async function getAllOf<Key, Row>(
  index: { getAll(key: Key): Promise<Row[]> },
  keys: Iterable<Key>,
): Promise<Row[]> {
  return (await askEach(keys, (key) => index.getAll(key))).flat();
}

/** Returns the rows without duplicates: the last of each key. */
export function uniqueBy<Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): Row[] {
  return [...new Map(Array.from(rows, (row) => [keyOf(row), row])).values()];
}

/** Yields rows in slices, each of which is made when it is needed. */
export function* slicesOf<Row>(rows: Iterable<Row>, size: number): Generator<Row[], void> {
  let slice: Row[] = [];
  for (const row of rows) {
    slice.push(row);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

export function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Returns the tombstones of entities in these messages. */
export async function tombstonesOf(
  transaction: Transaction,
  messageIds: readonly string[],
): Promise<string[]> {
  const store = transaction.objectStore('tombstones');
  return (await Promise.all(messageIds.map((id) => store.getAllKeys(entityTombstoneRange(id))))).flat();
}

/** Returns the key range of all tombstones of entities in a message. */
export function entityTombstoneRange(messageId: string): IDBKeyRange {
  return between(`${messageId}/`, `${messageId}/\uffff`);
}
