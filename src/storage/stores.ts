import type { StoreName } from './schema.ts';
import type { StoreDefinition } from './store-definition.ts';

/** The table of object stores. */
export const STORES: { readonly [Name in StoreName]: StoreDefinition<Name> } = {
  sessions: { keyPath: 'id', indexes: { scope: { keyPath: 'scope' } } },
  messages: {
    keyPath: ['sessionId', 'seq'],
    indexes: {
      id: { keyPath: 'id', unique: true },
      turnId: { keyPath: 'turnId' },
      created: { keyPath: ['scope', 'createdAt'] },
    },
  },
  chatMemories: { keyPath: 'id' },
  documents: { keyPath: ['collection', 'id'], indexes: { sessionId: { keyPath: 'sessionId' } } },
  vectors: {
    keyPath: ['embedder', 'scope', 'block'],
    indexes: { ids: { keyPath: 'ids', multiEntry: true } },
  },
  postings: {
    keyPath: ['scope', 'part'],
    indexes: { ids: { keyPath: 'segment.keywords.ids', multiEntry: true } },
  },
  summaries: { keyPath: ['sessionId', 'memoryId'], indexes: { scope: { keyPath: 'scope' } } },
  entities: {
    keyPath: ['scope', 'key'],
    indexes: { id: { keyPath: 'id', unique: true }, messageIds: { keyPath: 'messageIds', multiEntry: true } },
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
  jobs: {
    keyPath: 'id',
    autoIncrement: true,
    indexes: {
      queue: { keyPath: 'queue' },
      sessionId: { keyPath: 'sessionId' },
      scope: { keyPath: 'scope' },
    },
  },
  changes: { autoIncrement: true },
  tombstones: {},
  meta: { keyPath: 'key' },
};
