import type { JobTicket } from './jobs/job-store.ts';
import type { SummaryRecord } from './schema.ts';

/** A summary, and the erasure counter of its session when it was read. */
export interface SummaryState {
  /** Undefined if there is no summary, or if it was erased. */
  summary: SummaryRecord | undefined;
  /** Erasure counter; pass it to `put`. */
  erasures: number;
}

/** Stores the summaries of sessions. Each method is one transaction. */
export interface SummaryStore {
  load(sessionId: string, memoryId: string, signal?: AbortSignal): Promise<SummaryState>;
  /**
   * Stores a summary and removes the job that made it. Returns false, and writes nothing, if messages of the session
   * were erased since it was loaded, because the summary may contain them.
   *
   * @throws MnemoraError `leadership-lost`
   */
  put(summary: SummaryRecord, erasures: number, ticket?: JobTicket): Promise<boolean>;
  /** Removes a summary. @throws MnemoraError `leadership-lost` */
  remove(sessionId: string, memoryId: string, ticket?: JobTicket): Promise<void>;
  /** Returns the tombstones of entities that were forgotten in these messages. */
  forgotten(messageIds: readonly string[]): Promise<string[]>;
  /** Lists all summaries of a scope. */
  list(scope: string): Promise<SummaryRecord[]>;
}
