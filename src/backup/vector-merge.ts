import type { VectorEntry } from '../storage/codec/backup-rows.ts';
import { startingWith } from '../storage/key-range.ts';
import type { WriteTransaction } from '../storage/storage-engine.ts';
import { appendRows } from '../storage/vector-blocks.ts';
import { dimensionsOf } from './vector-pages.ts';

const BATCH_VECTORS = 1024;

/** Vectors of one embedder in one scope. */
interface VectorGroup {
  embedder: string;
  scope: string;
  /** Ids of messages that have a vector. */
  stored: ReadonlySet<string>;
  dimensions: number | undefined;
}

/**
 * Adds vectors of a file for messages without one, in batches. The file lists them embedder by embedder and scope by
 * scope.
 */
export class VectorMerge {
  readonly #transaction: WriteTransaction;
  #group: VectorGroup = { embedder: '', scope: '', stored: new Set(), dimensions: undefined };
  #batch: VectorEntry[] = [];

  constructor(transaction: WriteTransaction) {
    this.#transaction = transaction;
  }

  /** Adds a vector. Returns whether it is imported. */
  async put(entry: VectorEntry): Promise<boolean> {
    const { embedder, scope, id, vector } = entry;
    if (this.#group.embedder !== embedder || this.#group.scope !== scope) {
      await this.flush();
      this.#group = await this.#readGroup(embedder, scope);
    }
    // If an embedder has changed its dimensions and kept its id, the stored vectors stay; missing ones can be
    // recomputed.
    const fits = (this.#group.dimensions ??= vector.length) === vector.length;
    if (!fits || this.#group.stored.has(id)) return false;
    this.#batch.push(entry);
    if (this.#batch.length >= BATCH_VECTORS) await this.flush();
    return true;
  }

  async flush(): Promise<void> {
    const { embedder, scope } = this.#group;
    await appendRows(this.#transaction, embedder, scope, this.#batch);
    this.#batch = [];
  }

  async #readGroup(embedder: string, scope: string): Promise<VectorGroup> {
    const store = this.#transaction.objectStore('vectors');
    const stored = new Set<string>();
    let dimensions: number | undefined;
    for (const key of await store.getAllKeys(startingWith(embedder, scope))) {
      const block = await store.get(key);
      if (!block || block.ids.length === 0) continue;
      dimensions ??= dimensionsOf(block);
      for (const id of block.ids) stored.add(id);
    }
    return { embedder, scope, stored, dimensions };
  }
}
