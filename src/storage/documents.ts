import { startingWith } from './key-range.ts';
import { readMissed, recordChange } from './change-log.ts';
import type { StorageEngine } from './storage-engine.ts';
import type { DocumentRecord } from './schema.ts';
import type { ChangeCursor } from './transcript-store.ts';

/** What has come to a collection since a cursor. */
export interface DocumentChanges {
  cursor: ChangeCursor;
  /** This is the whole collection: forget all that was read before. */
  reset: boolean;
  documents: DocumentRecord[];
  removed: string[];
}

/** The texts of retrievers, in IndexedDB, by collection. */
export class Documents {
  readonly #connection: StorageEngine;

  constructor(connection: StorageEngine) {
    this.#connection = connection;
  }

  add(collection: string, documents: readonly DocumentRecord[], signal?: AbortSignal): Promise<void> {
    return this.#connection.write(
      ['documents', 'changes'],
      'strict',
      async (transaction) => {
        const store = transaction.objectStore('documents');
        await Promise.all(documents.map(async (document) => store.put(document)));
        const ids = documents.map((document) => document.id);
        await recordChange(transaction, { kind: 'documents', scope: collection, ids });
      },
      signal,
    );
  }

  /**
   * Keeps vectors of another embedder with the documents that are still there. No change for other tabs: the texts are
   * the same, and a tab with the old embedder would only make its own vectors anew.
   */
  replaceEmbeddings(collection: string, embedded: readonly DocumentRecord[]): Promise<void> {
    return this.#connection.write(['documents'], 'relaxed', async (transaction) => {
      const store = transaction.objectStore('documents');
      await Promise.all(
        embedded.map(async ({ id, embedding }) => {
          const document = await store.get([collection, id]);
          if (document && embedding) await store.put({ ...document, embedding });
        }),
      );
    });
  }

  /** Ids that are not there are passed over. */
  remove(collection: string, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#connection.write(
      ['documents', 'changes'],
      'strict',
      async (transaction) => {
        const store = transaction.objectStore('documents');
        await Promise.all(ids.map((id) => store.delete([collection, id])));
        await recordChange(transaction, { kind: 'documents', scope: collection, ids: [...ids] });
      },
      signal,
    );
  }

  readChanges(
    collection: string,
    since: ChangeCursor | undefined,
    signal?: AbortSignal,
  ): Promise<DocumentChanges> {
    return this.#connection.read(
      ['documents', 'changes', 'meta'],
      async (transaction) => {
        const store = transaction.objectStore('documents');
        const { cursor, missed } = await readMissed(transaction, since);
        if (!missed) {
          const documents = await store.getAll(startingWith(collection));
          return { cursor, reset: true, documents, removed: [] };
        }
        const ids = new Set(
          missed.flatMap((change) =>
            change.kind === 'documents' && change.scope === collection ? change.ids : [],
          ),
        );
        const found = await Promise.all([...ids].map((id) => store.get([collection, id])));
        const documents = found.filter((document) => document !== undefined);
        for (const document of documents) ids.delete(document.id);
        return { cursor, reset: false, documents, removed: [...ids] };
      },
      signal,
    );
  }
}
