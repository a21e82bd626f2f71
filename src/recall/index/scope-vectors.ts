import { MnemoraError } from '../../model/error.ts';
import type { MessageMetadata } from '../../search/conversation-segment.ts';
import type { SearchHit } from '../../search/search-hit.ts';
import type { MessageRange, VectorSearch } from '../../search/vector-search.ts';
import type { SearchRows } from '../../storage/search-rows.ts';
import type { VectorRow } from '../../storage/vector-blocks.ts';

/** Members of an embedder that vector search uses. */
export interface VectorSource {
  readonly id: string;
  readonly rankingWeight?: number;
  /** Returns a search in the embedder's worker. Absent in an embedder of the caller's own. */
  openVectors?(): VectorSearch;
}

export interface ScopeVectorsOptions {
  readonly store: Pick<SearchRows, 'readVectors'>;
  readonly scope: string;
  readonly embedder: VectorSource;
  /** Returns the metadata of a message; undefined if the message is not searchable. */
  readonly metadataOf: (id: string) => MessageMetadata | undefined;
}

/** Loaded for embedders of the caller's own alone: the others have a worker that searches. */
async function searchOnPage(): Promise<VectorSearch> {
  const { FilteredVectorIndex } = await import('../../search/filtered-vector-index.ts');
  return new FilteredVectorIndex();
}

/** Vectors per message to the worker: 2 MB at 512 dimensions. */
const ROWS_PER_BATCH = 1024;

/**
 * The vectors of a scope's messages, searched in the embedder's worker if it has one and on the page otherwise. They are
 * loaded when they are first needed, which the first answer by keywords does not wait for, and again after the worker
 * has crashed.
 */
export class ScopeVectors {
  readonly #options: ScopeVectorsOptions;
  #open: OpenVectors | undefined;
  #isClosed = false;

  constructor(options: ScopeVectorsOptions) {
    this.#options = options;
  }

  get areLoaded(): boolean {
    return this.#open !== undefined;
  }

  has(id: string): boolean {
    return this.#open?.ids.has(id) === true;
  }

  /**
   * Loads the stored vectors block by block, so that the page holds one block at a time.
   *
   * @throws MnemoraError `model-unavailable` if the embedder's worker cannot be started
   */
  async load(): Promise<void> {
    const { store, scope, embedder, metadataOf } = this.#options;
    this.unload();
    const open = new OpenVectors(embedder.openVectors?.() ?? (await searchOnPage()), metadataOf);
    try {
      await store.readVectors(scope, embedder.id, (entries) => {
        if (!this.#isClosed) open.add(entries);
      });
    } catch (error) {
      open.search.close();
      throw error;
    }
    if (this.#isClosed) open.search.close();
    else this.#open = open;
  }

  unload(): void {
    this.#open?.search.close();
    this.#open = undefined;
  }

  /** Frees the vectors and prevents them from being loaded again. */
  close(): void {
    this.#isClosed = true;
    this.unload();
  }

  add(entries: readonly VectorRow[]): void {
    this.#open?.add(entries);
  }

  delete(ids: readonly string[]): void {
    this.#open?.delete(ids);
  }

  /**
   * Returns the `k` messages nearest to a query vector, best first.
   *
   * @throws MnemoraError `model-unavailable` if the stored vectors have another length, because an embedder changed its
   *   model but kept its id; `worker-crashed` if the worker has crashed, after which the vectors must be loaded again
   */
  async search(query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]> {
    const { dimensions } = this.#open ?? {};
    if (dimensions !== undefined && dimensions !== query.length) {
      throw new MnemoraError(
        'model-unavailable',
        `The embedder "${this.#options.embedder.id}" returns ${query.length} numbers for a text, but the vectors stored under its id have ${dimensions}. Use another embedder id for another model.`,
      );
    }
    try {
      return (await this.#open?.search.search(query, k, range)) ?? [];
    } catch (error) {
      this.unload();
      throw error;
    }
  }
}

/** Vectors that can be searched, with the ids of their messages. */
class OpenVectors {
  readonly search: VectorSearch;
  readonly ids = new Set<string>();
  readonly #metadataOf: ScopeVectorsOptions['metadataOf'];
  /** Length of the vectors; undefined if there are none. */
  dimensions: number | undefined;

  constructor(search: VectorSearch, metadataOf: ScopeVectorsOptions['metadataOf']) {
    this.search = search;
    this.#metadataOf = metadataOf;
  }

  add(entries: readonly VectorRow[]): void {
    const placed = entries.flatMap(({ id, vector }) => {
      const place = this.#metadataOf(id);
      return place ? [{ id, place, vector }] : [];
    });
    const [first] = placed;
    if (!first) return;
    const dimensions = (this.dimensions ??= first.vector.length);
    for (let start = 0; start < placed.length; start += ROWS_PER_BATCH) {
      const rows = placed.slice(start, start + ROWS_PER_BATCH);
      const vectors = new Float32Array(rows.length * dimensions);
      for (const [row, { vector }] of rows.entries()) vectors.set(vector, row * dimensions);
      this.search.add({
        ids: rows.map(({ id }) => id),
        sessionIds: rows.map(({ place }) => place.sessionId),
        createdAt: Float64Array.from(rows, ({ place }) => place.createdAt),
        vectors,
      });
    }
    for (const { id } of placed) this.ids.add(id);
  }

  delete(ids: readonly string[]): void {
    this.search.delete(ids);
    for (const id of ids) this.ids.delete(id);
  }
}
