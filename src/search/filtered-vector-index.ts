import type { SearchHit } from './search-hit.ts';
import { VectorIndex } from './vector-index.ts';
import {
  isInRange,
  isUnlimited,
  type MessageRange,
  type VectorBatch,
  type VectorSearch,
} from './vector-search.ts';

/** A vector index with the session and time of each message, by which a search is filtered. */
export class FilteredVectorIndex implements VectorSearch {
  #index: VectorIndex | undefined;
  readonly #metadata = new Map<string, { readonly sessionId: string; readonly createdAt: number }>();

  /** @throws MnemoraError `invalid-input` if the vectors differ in length from those before */
  add({ ids, sessionIds, createdAt, vectors }: VectorBatch): void {
    if (ids.length === 0) return;
    const dimensions = vectors.length / ids.length;
    this.#index ??= new VectorIndex({ dimensions });
    for (const [row, id] of ids.entries()) {
      this.#index.add(id, vectors.subarray(row * dimensions, (row + 1) * dimensions));
      this.#metadata.set(id, { sessionId: sessionIds[row] ?? '', createdAt: createdAt[row] ?? 0 });
    }
  }

  delete(ids: readonly string[]): void {
    for (const id of ids) {
      this.#index?.delete(id);
      this.#metadata.delete(id);
    }
  }

  async search(query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]> {
    const isAdmitted = (id: string): boolean => {
      const metadata = this.#metadata.get(id);
      return metadata !== undefined && isInRange(metadata, range);
    };
    return this.#index?.search(query, k, isUnlimited(range) ? undefined : isAdmitted) ?? [];
  }

  close(): void {
    this.#index = undefined;
    this.#metadata.clear();
  }
}
