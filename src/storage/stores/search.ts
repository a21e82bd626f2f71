import { isConversationSegment, mergeSegments } from '../../search/conversation-segment.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { vectorFromText } from '../codec/plain-value.ts';
import { RowFields } from '../codec/row-fields.ts';
import { byScope } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getEach, uniqueBy } from '../rows.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { rowsOf, toBlock, type BlockKey } from '../vector-blocks.ts';

/** Saved keyword indexes. A backup has none, because they can be rebuilt. */
export const postings: StoreRules<'postings'> = {
  erase: (transaction, erasure) =>
    Promise.all(
      Array.from(byScope(erasure).keys(), async (scope) =>
        erasure.wholeScopes.has(scope)
          ? { deletes: { postings: [startingWith(scope)] } }
          : planWithoutDocuments(transaction, scope, erasure.ids),
      ),
    ),
};

export const vectors: StoreRules<'vectors'> = {
  erase: (transaction, erasure) =>
    Promise.all(
      Array.from(byScope(erasure).keys(), (scope) => planWithoutRows(transaction, scope, erasure.ids)),
    ),
  /** Written message by message, independent of their blocks: see `backup/vectors.ts`. */
  backup: { keyOf: ({ embedder, scope, id }) => [embedder, scope, id], read: checkVector },
};

/**
 * Removes everything that search needs of these messages, and writes nothing: the saved index of their scopes, and the
 * blocks with their vectors. All of it can be recomputed.
 */
export async function removeSearchRows(
  transaction: WriteTransaction,
  messages: readonly MessageRecord[],
): Promise<void> {
  const ids = messages.map((row) => row.id);
  for (const scope of new Set(messages.map((row) => row.scope))) {
    await transaction.objectStore('postings').delete(startingWith(scope));
    const blocks = await blocksHolding(transaction, scope, ids);
    await Promise.all(blocks.map((key) => transaction.objectStore('vectors').delete(key)));
  }
}

/**
 * Plans the removal of erased messages from the segments that contain them, or of all segments if one cannot be read.
 */
async function planWithoutDocuments(
  transaction: Transaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('postings');
  const keys = await keysHolding(store.index('ids'), erased);
  const rows = await getEach(
    store,
    keys.filter(([keyScope]) => keyScope === scope),
  );
  if (!rows.every(({ segment }) => isConversationSegment(segment)))
    return { deletes: { postings: [startingWith(scope)] } };
  // An empty segment stays, because its cursor shows how far the index is saved.
  return {
    puts: { postings: rows.map((row) => ({ ...row, segment: mergeSegments([row.segment], erased) })) },
  };
}

/** Plans the removal of erased messages' vectors from the blocks of all embedders in a scope. */
export async function planWithoutRows(
  transaction: Transaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const keys = await blocksHolding(transaction, scope, erased);
  const blocks = await getEach(transaction.objectStore('vectors'), keys);
  const left = blocks.map((block) =>
    toBlock(
      block,
      rowsOf(block).filter((row) => !erased.has(row.id)),
    ),
  );
  const sizeOf = (all: typeof blocks): number => all.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    deletes: {
      vectors: left.flatMap(({ ids, embedder, block }): BlockKey[] =>
        ids.length === 0 ? [[embedder, scope, block]] : [],
      ),
    },
    puts: { vectors: left.filter(({ ids }) => ids.length > 0) },
    counts: { vectors: sizeOf(blocks) - sizeOf(left) },
  };
}

async function blocksHolding(
  transaction: Transaction,
  scope: string,
  ids: Iterable<string>,
): Promise<BlockKey[]> {
  const keys = await keysHolding(transaction.objectStore('vectors').index('ids'), ids);
  return keys.filter(([, keyScope]) => keyScope === scope);
}

/** Returns the keys of the rows that contain any of these ids, without duplicates. Reads no row. */
async function keysHolding<Key>(
  index: { getAllKeys(id: string): Promise<Key[]> },
  ids: Iterable<string>,
): Promise<Key[]> {
  const keys = await Promise.all(Array.from(ids, (id) => index.getAllKeys(id)));
  return uniqueBy(keys.flat(), (key) => JSON.stringify(key));
}

function checkVector(row: unknown): BackupRows['vectors'] {
  const fields = new RowFields(row, ['embedder', 'scope', 'id', 'vector']);
  return {
    embedder: fields.id('embedder'),
    scope: fields.id('scope'),
    id: fields.id('id'),
    vector: vectorFromText(fields.text('vector')),
  };
}
