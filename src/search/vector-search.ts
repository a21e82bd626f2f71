import type { SearchHit } from './search-hit.ts';

/** Vectors of messages and where these stand: columns, so that a thousand go to a worker in a few pieces. */
export interface VectorBatch {
  readonly ids: readonly string[];
  /** Of each message: its session. */
  readonly sessionIds: readonly string[];
  /** Of each message, in milliseconds since 1970. */
  readonly createdAt: Float64Array<ArrayBuffer>;
  /** The vectors one after the other, all of one length, each of unit length or zero. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** Which messages a search admits; both ends of the time are included. */
export interface MessageRange {
  /** @default every session */
  readonly sessionId?: string;
  /** In milliseconds since 1970. @default the beginning */
  readonly from?: number;
  /** In milliseconds since 1970. @default the end */
  readonly to?: number;
}

/** Whether a message that stands there is in the range. */
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

/** Exact search over the vectors of messages, here or in a worker. Calls take effect in their order. */
export interface VectorSearch {
  /** Adds vectors, whose numbers it takes over. An id that is present gets the new vector and place. */
  add(batch: VectorBatch): void;
  delete(ids: readonly string[]): void;
  /**
   * The `k` vectors nearest to `query` by cosine, best first; equal ones by id.
   *
   * @throws MnemoraError `worker-crashed` where the worker that held the vectors is gone, and they with it
   */
  search(query: Float32Array, k: number, range: MessageRange): Promise<SearchHit[]>;
  /** Frees the memory. */
  close(): void;
}
