import type { StoreRules } from '../codec/backup-rows.ts';
import { encodePlain, isFiniteVector, vectorFromText, vectorToText } from '../codec/plain-value.ts';
import { RowFields } from '../codec/row-fields.ts';
import { documentTombstone } from '../document-tombstone.ts';
import type { Erasure } from '../erasure.ts';
import { between } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getAllOf, groupedBy } from '../rows.ts';
import type { Change, DocumentRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const documents: StoreRules<'documents'> = {
  /** Erasing a session, a period or everything erases the documents that retrievers of the scope have stored. */
  async erase(transaction, erasure) {
    const selected = await selectDocuments(transaction, erasure);
    return [{ changes: forgottenBy(erasure) }, planWithoutTexts(selected)];
  },
  tombstones: { keyOf: documentTombstone, planWithout: (_transaction, rows) => [planWithoutTexts(rows)] },
  backup: {
    keyOf: ({ collection, id }) => [collection, id],
    read: checkDocument,
    write: (document, contents) =>
      contents.isWanted(document.scope)
        ? contents.scoped(document.scope, encodeDocument(document))
        : undefined,
  },
};

/** Plans the removal of texts of retrievers, with tombstones so that no backup restores them. */
export function planWithoutTexts(rows: readonly DocumentRecord[]): Plan {
  return {
    deletes: { documents: rows.map(({ collection, id }) => [collection, id]) },
    changes: Array.from(
      groupedBy(rows, (row) => row.collection),
      ([scope, gone]) => ({ kind: 'documents', scope, ids: gone.map((row) => row.id) }),
    ),
    tombstones: rows.map(documentTombstone),
    counts: { documents: rows.length },
  };
}

async function selectDocuments(transaction: Transaction, erasure: Erasure): Promise<DocumentRecord[]> {
  const { scope, wholeScopes } = erasure;
  const store = transaction.objectStore('documents');
  const before = wholeScopes.size > 0 ? Infinity : erasure.before;
  if (scope === undefined || before === undefined)
    return getAllOf(store.index('sessionId'), erasure.sessions);
  return store.index('created').getAll(between([scope], [scope, before], { upperOpen: true }));
}

/** Returns log entries for documents that are still being embedded, and must not be stored afterwards. */
function forgottenBy({ sessions, scope, before, wholeScopes }: Erasure): Change[] {
  const end = wholeScopes.size > 0 ? Infinity : before;
  if (scope === undefined || (sessions.length === 0 && end === undefined)) return [];
  const sessionIds = sessions.map(([, id]) => id);
  return [{ kind: 'forgotten', scope, sessionIds, ...(end === undefined ? {} : { before: end }) }];
}

/** Encodes a document. A vector with NaN or an infinity is left out, because it can be recomputed. */
function encodeDocument({ scope: _scope, metadata, embedding, ...document }: DocumentRecord): object {
  return {
    ...document,
    metadata: metadata && encodePlain(metadata),
    embedding:
      embedding && isFiniteVector(embedding.vector)
        ? { embedder: embedding.embedder, vector: vectorToText(embedding.vector) }
        : undefined,
  };
}

const FIELDS = {
  id: 'id',
  collection: 'id',
  scope: 'scope',
  sessionId: 'id',
  text: 'text',
  createdAt: 'time',
  metadata: 'metadata?',
} as const;

function checkDocument(row: unknown, fileScope: string | undefined): DocumentRecord {
  const fields = new RowFields(row, [...Object.keys(FIELDS), 'embedding'], { fileScope });
  const document = fields.all(FIELDS) as DocumentRecord;
  if (!fields.has('embedding')) return document;
  const embedding = new RowFields(fields.raw('embedding'), ['embedder', 'vector'], { what: 'embedding' });
  const vector = vectorFromText(embedding.text('vector'));
  return { ...document, embedding: { embedder: embedding.id('embedder'), vector } };
}
