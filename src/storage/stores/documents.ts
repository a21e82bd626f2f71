import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { encodePlain, isFiniteVector, vectorFromText, vectorToText } from '../codec/plain-value.ts';
import { RowFields } from '../codec/row-fields.ts';
import type { Erasure } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { getAllOf, groupedBy } from '../rows.ts';
import type { Change, DocumentRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const documents: StoreRules<'documents'> = {
  /** Erasing a session, a period or everything erases the documents of the collection with the scope's name. */
  async erase(transaction, erasure) {
    const selected = (await candidates(transaction, erasure)).filter(
      ({ collection }) => erasure.scope === undefined || collection === erasure.scope,
    );
    return [
      {
        deletes: { documents: selected.map(({ collection, id }) => [collection, id]) },
        changes: [
          ...forgottenBy(erasure),
          ...Array.from(
            groupedBy(selected, (document) => document.collection),
            ([scope, rows]) => ({ kind: 'documents', scope, ids: rows.map((row) => row.id) }) as const,
          ),
        ],
        counts: { documents: selected.length },
      },
    ];
  },
  backup: {
    keyOf: ({ collection, id }) => [collection, id],
    read: checkDocument,
    refersTo: ({ sessionId, id }) => ({ sessionId, tombstone: id }),
    write: (document, contents) =>
      contents.isWanted(document.collection) || contents.session(document.sessionId)
        ? encodeDocument(document)
        : undefined,
  },
};

async function candidates(transaction: Transaction, erasure: Erasure): Promise<DocumentRecord[]> {
  const { sessionIds, scope, before = Infinity, wholeScopes } = erasure;
  const store = transaction.objectStore('documents');
  const isWhole = wholeScopes.size > 0;
  if (!isWhole && before === Infinity) return getAllOf(store.index('sessionId'), sessionIds);
  const ofScope = scope === undefined ? [] : await store.getAll(startingWith(scope));
  return ofScope.filter(({ createdAt }) => isWhole || createdAt < before);
}

/** Returns log entries for documents that are still being embedded, and must not be stored afterwards. */
function forgottenBy({ sessionIds, scope, before, wholeScopes }: Erasure): Change[] {
  const end = wholeScopes.size > 0 ? Infinity : before;
  if (sessionIds.size === 0 && end === undefined) return [];
  return [
    {
      kind: 'forgotten',
      sessionIds: [...sessionIds],
      ...(scope === undefined ? {} : { scope }),
      ...(end === undefined ? {} : { before: end }),
    },
  ];
}

/** Encodes a document. A vector with NaN or an infinity is left out, because it can be recomputed. */
function encodeDocument({ metadata, embedding, ...document }: DocumentRecord): object {
  return {
    ...document,
    ...(metadata === undefined ? {} : { metadata: encodePlain(metadata) }),
    ...(embedding && isFiniteVector(embedding.vector)
      ? { embedding: { embedder: embedding.embedder, vector: vectorToText(embedding.vector) } }
      : {}),
  };
}

function checkDocument(row: unknown): BackupRows['documents'] {
  const names = ['id', 'collection', 'sessionId', 'text', 'createdAt', 'metadata', 'embedding'];
  const fields = new RowFields(row, names);
  return {
    id: fields.id('id'),
    collection: fields.id('collection'),
    // The first databases have documents without one.
    ...(fields.optional('sessionId', (name) => fields.id(name)) as { sessionId: string }),
    text: fields.text('text'),
    createdAt: fields.time('createdAt'),
    ...fields.optional('metadata', (name) => fields.metadata(name)),
    ...fields.optional('embedding', (name) => {
      const embedding = new RowFields(fields.raw(name), ['embedder', 'vector'], 'embedding');
      return { embedder: embedding.id('embedder'), vector: vectorFromText(embedding.text('vector')) };
    }),
  };
}
