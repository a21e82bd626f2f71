import { groupedBy, type Erasure } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { DocumentRecord } from '../schema.ts';
import type { StoreDefinition } from '../store-definition.ts';
import type { Transaction } from '../storage-engine.ts';

export const documents: StoreDefinition<'documents'> = {
  keyPath: ['collection', 'id'],
  indexes: { sessionId: { keyPath: 'sessionId' } },
  /** A session, a time or all takes documents with it: those of the collection that is named as the scope. */
  async erase(transaction, erasure) {
    const selected = (await candidates(transaction, erasure)).filter(
      ({ collection }) => erasure.scope === undefined || collection === erasure.scope,
    );
    return {
      deletes: selected.map(({ collection, id }) => ({ store: 'documents', key: [collection, id] })),
      changes: Array.from(
        groupedBy(selected, (document) => document.collection),
        ([scope, rows]) => ({ kind: 'documents', scope, ids: rows.map((row) => row.id) }),
      ),
      counts: { documents: selected.length },
    };
  },
};

async function candidates(transaction: Transaction, erasure: Erasure): Promise<DocumentRecord[]> {
  const { sessionIds, scope, before = Infinity, isWholeScope } = erasure;
  const store = transaction.objectStore('documents');
  if (isWholeScope || before < Infinity) {
    const ofScope = scope === undefined ? [] : await store.getAll(startingWith(scope));
    return ofScope.filter((document) => isWholeScope || document.createdAt < before);
  }
  const lists = Array.from(sessionIds, (sessionId) => store.index('sessionId').getAll(sessionId));
  return (await Promise.all(lists)).flat();
}
