import { isConversationSegment, mergeSegments } from '../../search/conversation-segment.ts';
import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { vectorFromText } from '../codec/plain-value.ts';
import { RowFields } from '../codec/row-fields.ts';
import { byScope, type Erasure } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getEach, uniqueBy } from '../rows.ts';
import type { MessageRecord, VectorBlockRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { rowsOf, toBlock, type BlockKey, type VectorRow } from '../vector-blocks.ts';

/** Saved keyword indexes. A backup has none, because they can be rebuilt. */
export const postings: StoreRules<'postings'> = {
  erase: (transaction, erasure) =>
    Promise.all(
      Array.from(byScope(erasure).keys(), (scope) => planWithoutDocuments(transaction, scope, erasure)),
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
    const store = transaction.objectStore('vectors');
    const blocks = await keysHolding(store.index('ids'), scope, 1, ids);
    await Promise.all(blocks.map((key) => store.delete(key)));
  }
}

/**
 * Plans the removal of erased messages from the segments that contain them, or of all segments if one cannot be read.
 */
async function planWithoutDocuments(
  transaction: Transaction,
  scope: string,
  { ids, wholeScopes }: Erasure,
): Promise<Plan> {
  const store = transaction.objectStore('postings');
  const keys = wholeScopes.has(scope) ? [] : await keysHolding(store.index('ids'), scope, 0, ids);
  const rows = await getEach(store, keys);
  if (wholeScopes.has(scope) || !rows.every(({ segment }) => isConversationSegment(segment)))
    return { deletes: { postings: [startingWith(scope)] } };
  // An empty segment stays, because its cursor shows how far the index is saved.
  return { puts: { postings: rows.map((row) => ({ ...row, segment: mergeSegments([row.segment], ids) })) } };
}

/** Plans the removal of erased messages' vectors from the blocks of all embedders in a scope. */
export async function planWithoutRows(
  transaction: Transaction,
  scope: string,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('vectors');
  const blocks = await getEach(store, await keysHolding(store.index('ids'), scope, 1, erased));
  const keptIn = (block: VectorBlockRecord): VectorRow[] =>
    rowsOf(block).filter((row) => !erased.has(row.id));
  const left = blocks.map((block) => toBlock(block, keptIn(block)));
  const sizeOf = (all: typeof blocks): number => all.reduce((sum, { ids }) => sum + ids.length, 0);
  const empty = left.filter(({ ids }) => ids.length === 0);
  return {
    deletes: { vectors: empty.map(({ embedder, block }): BlockKey => [embedder, scope, block]) },
    puts: { vectors: left.filter(({ ids }) => ids.length > 0) },
    counts: { vectors: sizeOf(blocks) - sizeOf(left) },
  };
}

/**
 * Returns the keys of a scope's rows that contain any of these ids, without duplicates. Reads no row.
 *
 * @param part position of the scope in a key
 */
async function keysHolding<Key extends readonly unknown[]>(
  index: { getAllKeys(id: string): Promise<Key[]> },
  scope: string,
  part: number,
  ids: Iterable<string>,
): Promise<Key[]> {
  const keys = await Promise.all(Array.from(ids, (id) => index.getAllKeys(id)));
  const own = keys.flat().filter((key) => key[part] === scope);
  return uniqueBy(own, (key) => JSON.stringify(key));
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
