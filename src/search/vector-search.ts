import type { SearchHit } from './search-hit.ts';
import { VectorIndex } from './vector-index.ts';

/** Vectors of messages with their metadata, in columns, so that a thousand are sent to a worker as a few objects. */
export interface VectorBatch {
  readonly ids: readonly string[];
  /** Session id of each message. */
  readonly sessionIds: readonly string[];
  /** Time of each message, in milliseconds since 1970. */
  readonly createdAt: Float64Array<ArrayBuffer>;
  /** Concatenated vectors with the same number of dimensions, each of unit length or zero. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** The messages that a search admits. Both times are inclusive. */
export interface MessageRange {
  /** Id of the session. @default all sessions */
  readonly sessionId?: string;
  /** Earliest time, in milliseconds since 1970. @default no limit */
  readonly from?: number;
  /** Latest time, in milliseconds since 1970. @default no limit */
  readonly to?: number;
}

/** Whether a message with this session and time is in the range. */
export function isInRange(
  { sessionId, createdAt }: { readonly sessionId: string; readonly createdAt: number },
  range: MessageRange,
): boolean {
  return (
    (range.sessionId === undefined || range.sessionId === sessionId) &&
    createdAt >= (range.from ?? -Infinity) &&
    createdAt <= (range.to ?? Infinity)
  );
}

/** Whether a range admits every message. */
export function isUnlimited({ sessionId, from = -Infinity, to = Infinity }: MessageRange): boolean {
  return sessionId === undefined && from === -Infinity && to === Infinity;
}

/** Exact search over the vectors of messages, on the page or in a worker. Calls take effect in order. */
export interface VectorSearch {
  /** Adds vectors, or replaces those with the same ids. The arrays are transferred and must not be used afterwards. */
  add(batch: VectorBatch): void;
  delete(ids: readonly string[]): void;
  /**
   * Returns the `k` vectors nearest to `query` by cosine, best first; equal scores are ordered by id.
   *
   * @throws MnemoraError `worker-crashed` if the worker that held the vectors has crashed, so that they are lost
   */
  search(query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]>;
  /** Frees the memory. */
  close(): void;
}

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
