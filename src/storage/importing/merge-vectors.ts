import type { VectorEntry } from '../codec/backup-rows.ts';
import { startingWith } from '../key-range.ts';
import { readRows } from '../codec/read-in-pages.ts';
import { appendRows, dimensionsOf } from '../vector-blocks.ts';
import type { ImportTarget, StoreMerge } from './import-target.ts';

const BATCH_VECTORS = 1024;

/**
 * Adds vectors of a file for messages without one, in batches. The file lists them embedder by embedder and scope by
 * scope.
 */
export function mergeVectors(target: ImportTarget): StoreMerge<'vectors'> {
  const { transaction } = target;
  let embedder = '';
  let scope = '';
  /** Ids of messages that have a vector of this embedder in this scope. */
  let stored = new Set<string>();
  let dimensions: number | undefined;
  let batch: VectorEntry[] = [];

  const end = async (): Promise<void> => {
    await appendRows(transaction, embedder, scope, batch);
    batch = [];
  };
  const begin = async (entry: VectorEntry): Promise<void> => {
    await end();
    ({ embedder, scope } = entry);
    stored = new Set();
    dimensions = undefined;
    for await (const block of readRows(transaction, 'vectors', startingWith(embedder, scope))) {
      if (block.ids.length > 0) dimensions ??= dimensionsOf(block);
      for (const id of block.ids) stored.add(id);
    }
  };
  const put = async (entry: VectorEntry): Promise<boolean> => {
    if (!target.messages.has(entry.id)) return false;
    if (embedder !== entry.embedder || scope !== entry.scope) await begin(entry);
    // If an embedder has changed its dimensions and kept its id, the stored vectors stay; missing ones can be
    // recomputed.
    const fits = (dimensions ??= entry.vector.length) === entry.vector.length;
    if (!fits || stored.has(entry.id)) return false;
    batch.push(entry);
    if (batch.length >= BATCH_VECTORS) await end();
    return true;
  };
  return { put: (rows) => target.putEach('vectors', rows, put), end };
}
