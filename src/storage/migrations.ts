import { randomHex } from '../model/id.ts';

/** What a migration changes: the browser's own objects, so that a step that was released rests on nothing of ours. */
export type UpgradeDatabase = IDBDatabase;
export type UpgradeTransaction = IDBTransaction;

/**
 * Brings a database from one version to the next. Numbered from 1 by position, only ever appended to: a released
 * step is frozen, because databases that it has made are out there.
 */
export type Migration = (database: UpgradeDatabase, transaction: UpgradeTransaction) => void;

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
  },
];

export const DATABASE_VERSION: number = MIGRATIONS.length;
