import { documentTombstone } from './document-tombstone.ts';
import { above, startingWith } from './key-range.ts';
import { readSince, type ChangeCursor } from './change-log.ts';
import { applyPlans, type Plan } from './plan.ts';
import { findRows } from './rows.ts';
import type { StorageEngine, Transaction, WriteTransaction } from './storage-engine.ts';
import type { Change, DocumentRecord } from './schema.ts';

/** Changes of a collection since a cursor. */
export interface DocumentChanges {
  cursor: ChangeCursor;
  /** True if this is the whole collection: drop everything read before. */
  reset: boolean;
  documents: DocumentRecord[];
  removed: string[];
}

/** Stores the texts of retrievers, by collection. */
export class Documents {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  /**
   * Adds documents whose ids are new. Leaves out documents that would have been forgotten since the cursor if they
   * had already been stored.
   */
  add(
    collection: string,
    documents: readonly DocumentRecord[],
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const write = async (transaction: WriteTransaction): Promise<void> => {
      const store = transaction.objectStore('documents');
      // Read without the generation, because an import changes that while the log continues.
      const missed = since ? await transaction.objectStore('changes').getAll(above(since.revision)) : [];
      const keys = await Promise.all(documents.map(({ id }) => store.getKey([collection, id])));
      const added = documents.filter(
        (document, position) =>
          keys[position] === undefined && !missed.some((change) => isForgottenBy(document, change)),
      );
      if (added.length === 0) return;
      const ids = added.map((document) => document.id);
      // An id that was forgotten before is used again: its text is in backups from now on.
      const tombstones = transaction.objectStore('tombstones');
      await Promise.all(added.map((document) => tombstones.delete(documentTombstone(document))));
      await applyPlans(transaction, [
        { puts: { documents: added }, changes: [{ kind: 'documents', scope: collection, ids }] },
      ]);
    };
    return this.#engine.write(['documents', 'tombstones', 'changes'], write, signal);
  }

  /**
   * Stores the vectors of another embedder with the documents that still exist. This is not logged for other tabs:
   * the texts are the same, and a tab with the old embedder would only recompute its own vectors.
   */
  replaceEmbeddings(collection: string, embedded: readonly DocumentRecord[]): Promise<void> {
    return this.#engine.write(['documents'], async (transaction) => {
      const store = transaction.objectStore('documents');
      await Promise.all(
        embedded.map(async ({ id, embedding }) => {
          const document = await store.get([collection, id]);
          if (document && embedding) await store.put({ ...document, embedding });
        }),
      );
    });
  }

  /** Removes documents. Ids that do not exist are ignored. */
  async remove(collection: string, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const plan: Plan = {
      deletes: { documents: ids.map((id) => [collection, id]) },
      changes: [{ kind: 'documents', scope: collection, ids: [...ids] }],
    };
    await this.#engine.write(['documents', 'changes'], (tx) => applyPlans(tx, [plan]), signal);
  }

  readChanges(
    collection: string,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
  ): Promise<DocumentChanges> {
    const read = async (transaction: Transaction): Promise<DocumentChanges> => {
      const store = transaction.objectStore('documents');
      return readSince(transaction, since, {
        whole: async () => ({ documents: await store.getAll(startingWith(collection)), removed: [] }),
        async missed(changes) {
          const ids = changes.flatMap((change) =>
            change.kind === 'documents' && change.scope === collection ? change.ids : [],
          );
          const byId = { get: (id: string) => store.get([collection, id]) };
          const { found, missing } = await findRows(byId, ids);
          return { documents: found, removed: missing };
        },
      });
    };
    return this.#engine.read(['documents', 'changes', 'meta'], read, signal);
  }
}

function isForgottenBy({ scope, sessionId, createdAt }: DocumentRecord, change: Change): boolean {
  if (change.kind !== 'forgotten' || change.scope !== scope) return false;
  const { sessionIds, before = -Infinity } = change;
  return sessionIds.includes(sessionId) || createdAt < before;
}
