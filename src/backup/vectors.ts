import type { VectorEntry } from '../storage/codec/backup-rows.ts';
import { isFiniteVector } from '../storage/codec/plain-value.ts';
import { groupedBy } from '../storage/rows.ts';
import { startingWith } from '../storage/key-range.ts';
import type { VectorBlockRecord } from '../storage/schema.ts';
import type { Transaction, WriteTransaction } from '../storage/storage-engine.ts';
import { appendRows, type BlockKey } from '../storage/vector-blocks.ts';

/** Number of vectors held in memory at a time: some ten megabytes. All blocks are read once for each page. */
const PAGE_VECTORS = 8192;
const BATCH_VECTORS = 1024;

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
  for (const group of groupedBy(keys, (key) => JSON.stringify(key.slice(0, 2))).values()) {
    const places = await placesOf(transaction, group, isWanted);
    const ids = [...places.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    for (let at = 0; at < ids.length; at += PAGE_VECTORS) {
      const page = ids.slice(at, at + PAGE_VECTORS);
      const wanted = new Set(page);
      const found = new Map<string, VectorEntry>();
      for await (const { block, row, id } of readVectors(transaction, group)) {
        if (!wanted.has(id) || places.get(id) !== placeOf(block, row)) continue;
        const { embedder, scope } = block;
        found.set(id, { embedder, scope, id, vector: vectorAt(block, row).slice() });
      }
      yield page.flatMap((id) => found.get(id) ?? []);
    }
  }
}

/** Maps each wanted id to the place of its vector. */
async function placesOf(
  transaction: Transaction,
  group: readonly BlockKey[],
  isWanted: (scope: string, id: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  let dimensions: number | undefined;
  for await (const { block, row, id } of readVectors(transaction, group)) {
    dimensions ??= dimensionsOf(block);
    const fits = dimensionsOf(block) === dimensions && isWanted(block.scope, id);
    if (fits && isFiniteVector(vectorAt(block, row))) places.set(id, placeOf(block, row));
  }
  return places;
}

async function* readVectors(
  transaction: Transaction,
  keys: readonly BlockKey[],
): AsyncGenerator<{ block: VectorBlockRecord; row: number; id: string }, void> {
  for (const key of keys) {
    const block = await transaction.objectStore('vectors').get(key);
    if (!block || !Number.isInteger(dimensionsOf(block))) continue;
    for (const [row, id] of block.ids.entries()) yield { block, row, id };
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

/**
 * Adds vectors of a file for messages without one, in batches. The file lists them embedder by embedder and scope by
 * scope.
 */
export class VectorMerge {
  readonly #transaction: WriteTransaction;
  #embedder = '';
  #scope = '';
  /** Ids of messages that have a vector of this embedder in this scope. */
  #stored = new Set<string>();
  #dimensions: number | undefined;
  #batch: VectorEntry[] = [];

  constructor(transaction: WriteTransaction) {
    this.#transaction = transaction;
  }

  /** Adds a vector. Returns whether it is imported. */
  async put(entry: VectorEntry): Promise<boolean> {
    const { embedder, scope, id, vector } = entry;
    if (this.#embedder !== embedder || this.#scope !== scope) {
      await this.flush();
      await this.#begin(embedder, scope);
    }
    // If an embedder has changed its dimensions and kept its id, the stored vectors stay; missing ones can be
    // recomputed.
    const fits = (this.#dimensions ??= vector.length) === vector.length;
    if (!fits || this.#stored.has(id)) return false;
    this.#batch.push(entry);
    if (this.#batch.length >= BATCH_VECTORS) await this.flush();
    return true;
  }

  async flush(): Promise<void> {
    await appendRows(this.#transaction, this.#embedder, this.#scope, this.#batch);
    this.#batch = [];
  }

  async #begin(embedder: string, scope: string): Promise<void> {
    this.#embedder = embedder;
    this.#scope = scope;
    this.#stored = new Set();
    this.#dimensions = undefined;
    const store = this.#transaction.objectStore('vectors');
    for (const key of await store.getAllKeys(startingWith(embedder, scope))) {
      const block = await store.get(key);
      if (!block || block.ids.length === 0) continue;
      this.#dimensions ??= dimensionsOf(block);
      for (const id of block.ids) this.#stored.add(id);
    }
  }
}
