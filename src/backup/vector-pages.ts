import type { VectorEntry } from '../storage/codec/backup-rows.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import type { VectorBlockRecord } from '../storage/schema.ts';
import { isFiniteVector } from '../storage/codec/plain-value.ts';

/** Number of vectors held in memory at a time: some ten megabytes. All blocks are read once for each page. */
const PAGE_VECTORS = 8192;

type BlockKey = [embedder: string, scope: string, block: number];

/**
 * Yields the wanted vectors, sorted by embedder, scope and id, independent of their division into blocks. If an id
 * has several vectors, the last stored one counts. Vectors of another length than the first, or with NaN or an
 * infinity, are skipped: they can be recomputed.
 */
export async function* readVectorPages(
  transaction: Transaction,
  isWanted: (scope: string, id: string) => boolean,
): AsyncGenerator<VectorEntry[]> {
  const keys = await transaction.objectStore('vectors').getAllKeys();
  for (const group of groupsOf(keys)) {
    const ids = await listIds(transaction, group, isWanted);
    for (let at = 0; at < ids.length; at += PAGE_VECTORS) {
      const page = new Map(ids.slice(at, at + PAGE_VECTORS).map(({ id, place }) => [id, place]));
      yield await readPage(transaction, group, page);
    }
  }
}

/** Groups the keys of blocks by embedder and scope. */
function groupsOf(keys: readonly BlockKey[]): BlockKey[][] {
  const groups = new Map<string, BlockKey[]>();
  for (const key of keys) {
    const name = JSON.stringify(key.slice(0, 2));
    groups.set(name, [...(groups.get(name) ?? []), key]);
  }
  return [...groups.values()];
}

async function listIds(
  transaction: Transaction,
  group: readonly BlockKey[],
  isWanted: (scope: string, id: string) => boolean,
): Promise<{ id: string; place: string }[]> {
  const places = new Map<string, string>();
  let dimensions: number | undefined;
  for await (const block of readBlocks(transaction, group)) {
    dimensions ??= dimensionsOf(block);
    if (dimensionsOf(block) !== dimensions) continue;
    for (const [row, id] of block.ids.entries()) {
      if (isWanted(block.scope, id) && isFiniteVector(vectorAt(block, row)))
        places.set(id, placeOf(block, row));
    }
  }
  return Array.from(places, ([id, place]) => ({ id, place })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function readPage(
  transaction: Transaction,
  group: readonly BlockKey[],
  places: ReadonlyMap<string, string>,
): Promise<VectorEntry[]> {
  const found = new Map<string, VectorEntry>();
  for await (const block of readBlocks(transaction, group)) {
    const { embedder, scope } = block;
    for (const [row, id] of block.ids.entries()) {
      if (places.get(id) !== placeOf(block, row)) continue;
      found.set(id, { embedder, scope, id, vector: vectorAt(block, row).slice() });
    }
  }
  return [...places.keys()].flatMap((id) => found.get(id) ?? []);
}

async function* readBlocks(
  transaction: Transaction,
  keys: readonly BlockKey[],
): AsyncGenerator<VectorBlockRecord> {
  for (const key of keys) {
    const block = await transaction.objectStore('vectors').get(key);
    if (block && Number.isInteger(dimensionsOf(block))) yield block;
  }
}

function placeOf({ block }: VectorBlockRecord, row: number): string {
  return `${block}/${row}`;
}

/** Returns the number of dimensions, which is not a whole number if the block is empty or damaged. */
export function dimensionsOf(block: VectorBlockRecord): number {
  return block.vectors.length / block.ids.length;
}

export function vectorAt(block: VectorBlockRecord, row: number): Float32Array {
  const dimensions = dimensionsOf(block);
  return block.vectors.subarray(row * dimensions, (row + 1) * dimensions);
}
