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
  function createStores(database, transaction) {
    createMissing(database, transaction);
    for (const key of ['generation', 'secret'])
      transaction.objectStore('meta').put({ key, value: randomHex(32) });
  },
  /** Statements become claims, which are read again in the background. Packed knowledge is made again. */
  async function claimStatements(database, transaction) {
    createMissing(database, transaction);
    if (!database.objectStoreNames.contains('statements')) return;
    const claims = transaction.objectStore('claims');
    for (const { id, text, ...row } of await allRows(transaction, 'statements')) {
      const start = Number(id.slice(id.lastIndexOf('/') + 1));
      const place = { sessionId: '', seq: 0, start, end: start + text.length };
      claims.put({ id, text, ...row, ...place, matters: [] });
    }
    transaction.objectStore('packedKnowledge').clear();
    database.deleteObjectStore('statements');
  },
  /** Sessions are listed in pages, newest first. */
  function indexSessionsByTime(database, transaction) {
    createMissing(database, transaction);
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

function allRows(
  transaction: UpgradeTransaction,
  store: string,
): Promise<({ id: string; text: string } & Record<string, unknown>)[]> {
  return new Promise((resolve, reject) => {
    const request = transaction.objectStore(store).getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function mutable(path: string | readonly string[]): string | string[] {
  return typeof path === 'string' ? path : [...path];
}
