import { randomHex } from '../model/id.ts';
import { indexShape, STORES, type StoreShape } from './schema.ts';

/** Objects that a migration changes: the browser's own, so that a released step does not depend on our code. */
export type UpgradeDatabase = IDBDatabase;
export type UpgradeTransaction = IDBTransaction;

/**
 * Upgrades a database by one version. Migrations are numbered from 1 by position and only ever appended: a released
 * step is frozen, because databases that it has made exist. It may create more than its version had: an upgrade always
 * ends at the newest version. The next step begins when the promise of this one resolves.
 */
export type Migration = (database: UpgradeDatabase, transaction: UpgradeTransaction) => void | Promise<void>;

export const MIGRATIONS: readonly Migration[] = [
  function createTranscript(database, transaction) {
    createMissing(database, transaction);
    transaction.objectStore('meta').put({ key: 'generation', value: randomHex(16) });
  },
  createMissing,
  async function addSecret(_database, transaction) {
    transaction.objectStore('meta').put({ key: 'secret', value: randomHex(32) });
    // Marks pending turns with the field by which they are found since this version.
    await eachRow(transaction.objectStore('messages'), (cursor) => {
      const row = cursor.value as { state?: string };
      if (row.state === 'pending') cursor.update({ ...row, openedBy: '' });
    });
    // Removes the stored fence marks, which are computed from the secret since this version.
    await eachRow(transaction.objectStore('sessions'), (cursor) => {
      const { fenceMark: _mark, ...row } = cursor.value as { fenceMark?: string };
      cursor.update(row);
    });
  },
  // Four versions that only added object stores and indexes.
  createMissing,
  createMissing,
  createMissing,
  createMissing,
  async function keyByScope(database, transaction) {
    await addScopes(transaction);
    const moved = Object.entries<StoreShape>(STORES).flatMap(([name, shape]) => {
      const store = transaction.objectStore(name);
      dropChangedIndexes(store, shape);
      if (!shape.keyPath || isSamePath(store.keyPath, shape.keyPath)) return [];
      store.name = `${name} of version 7`;
      return [{ name, store }];
    });
    createMissing(database, transaction);
    for (const { name, store } of moved) {
      const made = transaction.objectStore(name);
      await eachRow(store, ({ value }) => made.put(value));
      database.deleteObjectStore(store.name);
    }
  },
];

export const DATABASE_VERSION: number = MIGRATIONS.length;

/** Creates the object stores and indexes of the table that do not exist yet. */
function createMissing(database: UpgradeDatabase, transaction: UpgradeTransaction): void {
  for (const [name, { keyPath, autoIncrement = false, indexes = {} }] of Object.entries<StoreShape>(STORES)) {
    const store = database.objectStoreNames.contains(name)
      ? transaction.objectStore(name)
      : database.createObjectStore(name, { keyPath: keyPath ? mutable(keyPath) : null, autoIncrement });
    for (const [index, given] of Object.entries(indexes)) {
      const shape = indexShape(given);
      if (!store.indexNames.contains(index)) store.createIndex(index, mutable(shape.keyPath), shape);
    }
  }
}

/** Stores with each text of a retriever the scope that it belonged to. The ids of sessions were unique in version 7. */
async function addScopes(transaction: UpgradeTransaction): Promise<void> {
  const scopes = new Map<unknown, string>();
  await eachRow(transaction.objectStore('sessions'), ({ value }) => {
    const { id, scope } = value as { id: string; scope: string };
    scopes.set(id, scope);
  });
  const known = new Set(scopes.values());
  await eachRow(transaction.objectStore('documents'), (cursor) => {
    const row = cursor.value as { collection: string; sessionId?: string };
    // A collection with the name of a scope was that scope's.
    const owner = known.has(row.collection) ? undefined : scopes.get(row.sessionId);
    cursor.update({ scope: owner ?? row.collection, ...row });
  });
}

function dropChangedIndexes(store: IDBObjectStore, { indexes = {} }: StoreShape): void {
  for (const [name, shape] of Object.entries(indexes)) {
    if (!store.indexNames.contains(name)) continue;
    if (!isSamePath(store.index(name).keyPath, indexShape(shape).keyPath)) store.deleteIndex(name);
  }
}

function isSamePath(path: unknown, other: unknown): boolean {
  return JSON.stringify(path) === JSON.stringify(other);
}

/** Calls a function with a cursor at each row of a store. Resolves after the last row. */
function eachRow(store: IDBObjectStore, visit: (cursor: IDBCursorWithValue) => unknown): Promise<void> {
  return new Promise((resolve) => {
    // An error aborts the transaction, which ends the upgrade.
    store.openCursor().onsuccess = (event) => {
      const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
      if (!cursor) return resolve();
      visit(cursor);
      cursor.continue();
    };
  });
}

function mutable(path: string | readonly string[]): string | string[] {
  return typeof path === 'string' ? path : [...path];
}
