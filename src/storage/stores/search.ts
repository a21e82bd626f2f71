import { isConversationSegment, mergeSegments } from '../../search/conversation-segment.ts';
import type { BackupContents } from '../codec/backup-contents.ts';
import type { StoreRules } from '../codec/backup-rows.ts';
import { requireField } from '../codec/damaged.ts';
import { isFiniteVector, vectorFromText, vectorToText } from '../codec/plain-value.ts';
import { readFields } from '../codec/row-fields.ts';
import { VectorPages } from '../codec/vector-pages.ts';
import { keepTransactionAlive } from '../codec/keep-alive.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { readRows } from '../codec/read-in-pages.ts';
import { getEach, groupedBy, uniqueBy } from '../rows.ts';
import type { MessageRecord } from '../schema.ts';
import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { dimensionsOf, rowsOf, toBlock, type BlockKey } from '../vector-blocks.ts';

/** Saved keyword indexes. A backup has none, because they can be rebuilt. */
export const postings: StoreRules<'postings'> = {
  /**
   * Removes erased messages from the segments that contain them, or all segments of a scope if none of its
   * messages are left or a segment cannot be read.
   */
  async erase(transaction, { ids, wholeScopes }) {
    const store = transaction.objectStore('postings');
    const keys = wholeScopes.size > 0 ? [] : await keysHolding(store.index('ids'), ids);
    const rows = await getEach(store, keys);
    const unreadable = rows.filter(({ segment }) => !isConversationSegment(segment));
    const dropped = new Set([...wholeScopes, ...unreadable.map(({ scope }) => scope)]);
    const left = rows.filter(({ scope }) => !dropped.has(scope));
    return [
      {
        deletes: { postings: Array.from(dropped, (scope) => startingWith(scope)) },
        // An empty segment stays, because its cursor shows how far the index is saved.
        puts: { postings: left.map((row) => ({ ...row, segment: mergeSegments([row.segment], ids) })) },
      },
    ];
  },
};

export const vectors: StoreRules<'vectors'> = {
  erase: async (transaction, { ids }) => [await planWithoutVectors(transaction, ids)],
  *problems(block, contents) {
    const { embedder, scope, ids } = block;
    const dimensions = dimensionsOf(block);
    const isSame = contents.first(['dimensions', embedder], dimensions) === dimensions;
    const bad = rowsOf(block).find(({ vector }) => !isFiniteVector(vector));
    if (!Number.isInteger(dimensions) || !isSame) yield 'its vectors have different lengths';
    else if (bad) yield `the vector of "${bad.id}" contains NaN or Infinity`;
    for (const id of contents.missing(scope, ids)) yield `the message "${id}" is not there`;
  },
  backup: {
    keyOf: ({ embedder, scope, id }) => [embedder, scope, id],
    read(record) {
      const { vector, ...row } = readFields(record, {
        embedder: 'id',
        scope: 'id',
        id: 'id',
        vector: 'text',
      });
      return { ...row, vector: vectorFromText(vector) };
    },
    check({ embedder, scope, id, vector: { length } }, contents) {
      requireField(contents.scopeOf(id) === scope, 'id', 'refers to a message that is missing');
      const dimensions = contents.first(['dimensions', embedder, scope], length);
      requireField(length === dimensions, 'vector', `must have ${dimensions} numbers like the other vectors`);
    },
    writeAll: writeVectors,
  },
};

/**
 * Yields the vectors of the messages in a file, sorted by embedder, scope and id, independent of their division into
 * blocks, each of which is read once. If an id has several vectors, the last stored one counts. Vectors of another
 * length than the first, or with NaN or an infinity, are skipped: they can be recomputed.
 */
async function* writeVectors(transaction: Transaction, contents: BackupContents): AsyncGenerator<object> {
  const keys = await transaction.objectStore('vectors').getAllKeys();
  for (const [first] of groupedBy(keys, (key) => JSON.stringify(key.slice(0, 2))).values()) {
    const [embedder = '', scope = ''] = first ?? [];
    if (!contents.isWanted(scope)) continue;
    const pages = new VectorPages(contents.messageIds(scope));
    let dimensions: number | undefined;
    for await (const block of readRows(transaction, 'vectors', startingWith(embedder, scope))) {
      if (!Number.isInteger(dimensionsOf(block))) continue;
      dimensions ??= dimensionsOf(block);
      for (const row of rowsOf(block)) {
        const fits = row.vector.length === dimensions && contents.scopeOf(row.id) === scope;
        if (fits && isFiniteVector(row.vector)) pages.add(row);
      }
    }
    for (const page of pages.read())
      for (const { id, vector } of await keepTransactionAlive(transaction, page))
        yield { embedder, scope, id, vector: vectorToText(vector) };
  }
}

/**
 * Removes everything that search needs of these messages, and writes nothing: the saved index of their scopes, and the
 * blocks with their vectors. All of it can be recomputed.
 */
export async function removeSearchRows(
  transaction: WriteTransaction,
  messages: readonly MessageRecord[],
): Promise<void> {
  const store = transaction.objectStore('vectors');
  const ids = messages.map((row) => row.id);
  const blocks = await keysHolding(store.index('ids'), ids);
  await Promise.all(blocks.map((key) => store.delete(key)));
  for (const scope of new Set(messages.map((row) => row.scope)))
    await transaction.objectStore('postings').delete(startingWith(scope));
}

/** Plans the removal of erased messages' vectors from the blocks of all embedders. */
export async function planWithoutVectors(
  transaction: Transaction,
  erased: ReadonlySet<string>,
): Promise<Plan> {
  const store = transaction.objectStore('vectors');
  const blocks = await getEach(store, await keysHolding(store.index('ids'), erased));
  const left = blocks.map((block) =>
    toBlock(
      block,
      rowsOf(block).filter((row) => !erased.has(row.id)),
    ),
  );
  const sizeOf = (all: typeof blocks): number => all.reduce((sum, { ids }) => sum + ids.length, 0);
  const empty = left.filter(({ ids }) => ids.length === 0);
  return {
    deletes: { vectors: empty.map(({ embedder, scope, block }): BlockKey => [embedder, scope, block]) },
    puts: { vectors: left.filter(({ ids }) => ids.length > 0) },
    counts: { vectors: sizeOf(blocks) - sizeOf(left) },
  };
}

/** Returns the keys of the rows that contain any of these ids, without duplicates. Reads no row. */
async function keysHolding<Key>(
  index: { getAllKeys(id: string): Promise<Key[]> },
  ids: Iterable<string>,
): Promise<Key[]> {
  const keys = await Promise.all(Array.from(ids, (id) => index.getAllKeys(id)));
  return uniqueBy(keys.flat(), (key) => JSON.stringify(key));
}
