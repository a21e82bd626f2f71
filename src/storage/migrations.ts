import { randomHex } from '../model/id.ts';
import { STORES, type IndexShape, type StoreShape } from './stores.ts';

/** Objects that a migration changes: the browser's own, so that a released step does not depend on our code. */
export type UpgradeDatabase = IDBDatabase;
export type UpgradeTransaction = IDBTransaction;

/**
 * Upgrades a database by one version. Migrations are numbered from 1 by position and only ever appended: a released
 * step is frozen, because databases that it has made exist.
 */
export type Migration = (database: UpgradeDatabase, transaction: UpgradeTransaction) => void;

/** Number of migrations that are written out. All later ones only add object stores and indexes. */
const FIRST_VERSIONS = 3;

export const MIGRATIONS: readonly Migration[] = [
  function createTranscript(database, transaction) {
    database.createObjectStore('sessions', { keyPath: 'id' }).createIndex('scope', 'scope');
    const messages = database.createObjectStore('messages', { keyPath: ['sessionId', 'seq'] });
    messages.createIndex('id', 'id', { unique: true });
    messages.createIndex('turnId', 'turnId');
    messages.createIndex('created', ['scope', 'createdAt']);
    database.createObjectStore('chatMemories', { keyPath: 'id' });
    database
      .createObjectStore('documents', { keyPath: ['collection', 'id'] })
      .createIndex('sessionId', 'sessionId');
    database.createObjectStore('vectors', { keyPath: ['embedder', 'scope', 'block'] });
    database.createObjectStore('changes', { autoIncrement: true });
    database.createObjectStore('tombstones');
    database.createObjectStore('meta', { keyPath: 'key' });
    const generation = { key: 'generation', value: randomHex(16) } as const;
    transaction.objectStore('meta').put(generation);
  },
  function createDerivedState(database, transaction) {
    transaction.objectStore('vectors').createIndex('ids', 'ids', { multiEntry: true });
    database
      .createObjectStore('summaries', { keyPath: ['sessionId', 'memoryId'] })
      .createIndex('scope', 'scope');
    database
      .createObjectStore('postings', { keyPath: ['scope', 'part'] })
      .createIndex('ids', 'segment.keywords.ids', { multiEntry: true });
    const entities = database.createObjectStore('entities', { keyPath: ['scope', 'key'] });
    entities.createIndex('id', 'id', { unique: true });
    entities.createIndex('messageIds', 'messageIds', { multiEntry: true });
    const triples = database.createObjectStore('triples', { keyPath: 'id' });
    triples.createIndex('scope', 'scope');
    triples.createIndex('messageIds', 'messageIds', { multiEntry: true });
    triples.createIndex('subject', ['scope', 'subjectKey']);
    triples.createIndex('object', ['scope', 'objectKey']);
    const jobs = database.createObjectStore('jobs', { keyPath: 'id', autoIncrement: true });
    jobs.createIndex('queue', 'queue');
    jobs.createIndex('sessionId', 'sessionId');
    jobs.createIndex('scope', 'scope');
  },
  function addSecret(_database, transaction) {
    transaction.objectStore('meta').put({ key: 'secret', value: randomHex(32) });
    // Marks pending turns with the field by which they are found since this version.
    transaction.objectStore('messages').openCursor().onsuccess = (event) => {
      const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
      const row = cursor?.value as { state?: string } | undefined;
      if (row?.state === 'pending') cursor?.update({ ...row, openedBy: '' });
      cursor?.continue();
    };
    // Removes the stored fence marks, which are computed from the secret since this version.
    transaction.objectStore('sessions').openCursor().onsuccess = (event) => {
      const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
      if (!cursor) return;
      const { fenceMark: _mark, ...row } = cursor.value as { fenceMark?: string };
      cursor.update(row);
      cursor.continue();
    };
  },
  ...laterVersions(),
];

export const DATABASE_VERSION: number = MIGRATIONS.length;

/** Returns a step for each version that only added object stores and indexes, as listed in the table. */
function laterVersions(): Migration[] {
  const newest = Math.max(...Object.values<StoreShape>(STORES).map(({ since = 0 }) => since));
  return Array.from({ length: Math.max(0, newest - FIRST_VERSIONS) }, () => createMissing);
}

/** Creates the object stores and indexes of the table that do not exist yet. */
function createMissing(database: IDBDatabase, transaction: IDBTransaction): void {
  for (const [name, { keyPath, autoIncrement = false, indexes = {} }] of Object.entries(STORES)) {
    const store = database.objectStoreNames.contains(name)
      ? transaction.objectStore(name)
      : database.createObjectStore(name, { keyPath: toKeyPath(keyPath), autoIncrement });
    for (const [index, shape] of Object.entries<IndexShape>(indexes)) {
      if (store.indexNames.contains(index)) continue;
      store.createIndex(index, toKeyPath(shape.keyPath) ?? [], shape);
    }
  }
}

function toKeyPath(path: string | readonly string[] | undefined): string | string[] | null {
  if (path === undefined || typeof path === 'string') return path ?? null;
  return [...path];
}
