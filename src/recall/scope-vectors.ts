import type { Embedder } from '../embedding/embedder.ts';
import { MnemoraError } from '../model/error.ts';
import { FilteredVectorIndex } from '../search/filtered-vector-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { MessageRange, VectorSearch } from '../search/vector-search.ts';
import type { SearchRows } from '../storage/search-rows.ts';
import type { VectorRow } from '../storage/vector-blocks.ts';
import type { IndexedMessage } from './indexed-message.ts';

export interface ScopeVectorsOptions {
  readonly store: Pick<SearchRows, 'readVectors'>;
  readonly scope: string;
  readonly embedder: Pick<Embedder, 'id' | 'openVectors'>;
  /** Undefined for a message that is not searched. */
  readonly metadataOf: (id: string) => IndexedMessage | undefined;
}

/** Vectors are handed to the worker in pieces of this many: 2 MB of those with 512 numbers. */
const ROWS_PER_BATCH = 1024;

/**
 * The vectors of a scope's messages: searched in the embedder's worker where it has one, on the page otherwise. They
 * are read when they are first needed, which the first answer by keywords does not wait for, and again where the worker
 * was lost.
 */
export class ScopeVectors {
  readonly #options: ScopeVectorsOptions;
  readonly #ids = new Set<string>();
  #search: VectorSearch | undefined;
  #dimensions: number | undefined;
  #isClosed = false;

  constructor(options: ScopeVectorsOptions) {
    this.#options = options;
  }

  get areLoaded(): boolean {
    return this.#search !== undefined;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Reads what is stored. @throws MnemoraError `model-unavailable` where the embedder's worker cannot be started */
  async load(): Promise<void> {
    const { store, scope, embedder } = this.#options;
    const entries = await store.readVectors(scope, embedder.id);
    if (this.#isClosed) return; // nobody would ever free what was opened now
    this.unload();
    this.#search = embedder.openVectors?.() ?? new FilteredVectorIndex();
    this.add(entries);
  }

  unload(): void {
    this.#search?.close();
    this.#search = undefined;
    this.#dimensions = undefined;
    this.#ids.clear();
  }

  /** Unloads for good. */
  close(): void {
    this.#isClosed = true;
    this.unload();
  }

  add(entries: readonly VectorRow[]): void {
    const placed = entries.flatMap(({ id, vector }) => {
      const place = this.#options.metadataOf(id);
      return place ? [{ place, vector }] : [];
    });
    const [first] = placed;
    if (!first) return;
    const dimensions = (this.#dimensions ??= first.vector.length);
    for (let start = 0; start < placed.length; start += ROWS_PER_BATCH) {
      const rows = placed.slice(start, start + ROWS_PER_BATCH);
      const vectors = new Float32Array(rows.length * dimensions);
      for (const [row, { vector }] of rows.entries()) vectors.set(vector, row * dimensions);
      this.#search?.add({
        ids: rows.map(({ place }) => place.id),
        sessionIds: rows.map(({ place }) => place.sessionId),
        createdAt: Float64Array.from(rows, ({ place }) => place.createdAt),
        vectors,
      });
    }
    for (const { place } of placed) this.#ids.add(place.id);
  }

  delete(ids: readonly string[]): void {
    this.#search?.delete(ids);
    for (const id of ids) this.#ids.delete(id);
  }

  /**
   * The `k` messages nearest to a query vector, best first.
   *
   * @throws MnemoraError `model-unavailable` where the vectors stored are of another length: an embedder has changed
   *   and kept its id; `worker-crashed` where the worker is gone, and then nothing is loaded any more
   */
  async search(query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]> {
    if (this.#dimensions !== undefined && this.#dimensions !== query.length) {
      throw new MnemoraError(
        'model-unavailable',
        `The embedder "${this.#options.embedder.id}" gives ${query.length} numbers a text, but what is stored under its id has ${this.#dimensions}. Give another model another embedder id.`,
      );
    }
    try {
      return (await this.#search?.search(query, k, range)) ?? [];
    } catch (error) {
      this.unload();
      throw error;
    }
  }
}
