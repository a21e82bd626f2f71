import type { Schema, StoreName } from './schema.ts';

type KeyPath = string | readonly string[];

export interface IndexShape {
  readonly keyPath: KeyPath;
  readonly unique?: true;
  /** Each item of a list is an index key of its own. */
  readonly multiEntry?: true;
}

/** Keys and indexes of an object store. */
export interface StoreShape {
  /** Absent if the key of each row is passed separately. */
  readonly keyPath?: KeyPath;
  readonly autoIncrement?: true;
  /** Database version that added it. Stores of the first three versions are created by their own migrations. */
  readonly since?: number;
  readonly indexes?: Readonly<Record<string, IndexShape>>;
}

type IndexNames<Name extends StoreName> = Schema[Name] extends { indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

type Shape<Name extends StoreName> = StoreShape & {
  readonly indexes?: Readonly<Record<IndexNames<Name>, IndexShape>>;
};

/**
 * The table of object stores. A backup holds them in this order, so that references point backwards. How each is
 * erased and written to a backup is in `store-rules.ts`, which a page loads when it needs it.
 */
export const STORES: { readonly [Name in StoreName]: Shape<Name> } = {
  tombstones: {},
  sessions: { keyPath: 'id', indexes: { scope: { keyPath: 'scope' } } },
  messages: {
    since: 6,
    keyPath: ['sessionId', 'seq'],
    indexes: {
      id: { keyPath: 'id', unique: true },
      turnId: { keyPath: 'turnId' },
      created: { keyPath: ['scope', 'createdAt'] },
      openedBy: { keyPath: 'openedBy' },
    },
  },
  summaries: { keyPath: ['sessionId', 'memoryId'], indexes: { scope: { keyPath: 'scope' } } },
  chatMemories: { keyPath: 'id' },
  documents: { keyPath: ['collection', 'id'], indexes: { sessionId: { keyPath: 'sessionId' } } },
  records: {
    since: 4,
    keyPath: ['namespace', 'key'],
    indexes: {
      scope: { keyPath: 'scope' },
      sessionId: { keyPath: 'sessionId' },
      messageIds: { keyPath: 'messageIds', multiEntry: true },
    },
  },
  triples: {
    keyPath: 'id',
    indexes: {
      scope: { keyPath: 'scope' },
      messageIds: { keyPath: 'messageIds', multiEntry: true },
      subject: { keyPath: ['scope', 'subjectKey'] },
      object: { keyPath: ['scope', 'objectKey'] },
    },
  },
  entities: {
    keyPath: ['scope', 'key'],
    indexes: { id: { keyPath: 'id', unique: true }, messageIds: { keyPath: 'messageIds', multiEntry: true } },
  },
  vectors: {
    keyPath: ['embedder', 'scope', 'block'],
    indexes: { ids: { keyPath: 'ids', multiEntry: true } },
  },
  jobs: {
    keyPath: 'id',
    autoIncrement: true,
    indexes: {
      queue: { keyPath: 'queue' },
      sessionId: { keyPath: 'sessionId' },
      scope: { keyPath: 'scope' },
    },
  },
  statements: {
    since: 5,
    keyPath: 'id',
    indexes: { scope: { keyPath: 'scope' }, messageId: { keyPath: 'messageId' } },
  },
  postings: {
    keyPath: ['scope', 'part'],
    indexes: { ids: { keyPath: 'segment.keywords.ids', multiEntry: true } },
  },
  packedKnowledge: { since: 7, keyPath: 'scope' },
  changes: { autoIncrement: true },
  meta: { keyPath: 'key' },
};

export const STORE_NAMES: readonly StoreName[] = Object.keys(STORES) as StoreName[];
