import type { SearchHit } from './search-hit.ts';

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
