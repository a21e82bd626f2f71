import { entityTombstoneRange } from '../entity-tombstone.ts';
import { byScope } from '../erasure.ts';
import type { StoreDefinition } from '../store-definition.ts';

export const messages: StoreDefinition<'messages'> = {
  keyPath: ['sessionId', 'seq'],
  indexes: {
    id: { keyPath: 'id', unique: true },
    turnId: { keyPath: 'turnId' },
    created: { keyPath: ['scope', 'createdAt'] },
  },
  erase: async (_transaction, erasure) => ({
    deletes: erasure.messages.flatMap(({ sessionId, seq, id }) => [
      { store: 'messages', key: [sessionId, seq] },
      { store: 'tombstones', key: entityTombstoneRange(id) },
    ]),
    puts: erasure.messages.map(({ id }) => ({ store: 'tombstones', row: true, key: id })),
    changes: Array.from(byScope(erasure), ([scope, rows]) => ({
      kind: 'removed',
      scope,
      ids: rows.map((row) => row.id),
    })),
    counts: {
      messages: erasure.ids.size,
      turns: new Set(erasure.messages.map((row) => row.turnId)).size,
    },
  }),
};
