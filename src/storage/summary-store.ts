import type { JobTicket } from './jobs/job-store.ts';
import type { SummaryRecord } from './schema.ts';

/** A summary as it stands, and how far the session's erasing had come when it was read. */
export interface SummaryState {
  /** Undefined where there is none yet, or where it had to be erased. */
  summary: SummaryRecord | undefined;
  /** To be given back to `put`. */
  erasures: number;
}

/** The summaries of sessions. Each method is one transaction. */
export interface SummaryStore {
  load(sessionId: string, memoryId: string, signal?: AbortSignal): Promise<SummaryState>;
  /**
   * Stores a summary, and removes the job that it was made for. Returns false, and writes nothing, where messages of
   * the session were erased since it was loaded: they may be in it.
   *
   * @throws MnemoraError `leadership-lost`
   */
  put(summary: SummaryRecord, erasures: number, ticket?: JobTicket): Promise<boolean>;
  /** @throws MnemoraError `leadership-lost` */
  remove(sessionId: string, memoryId: string, ticket?: JobTicket): Promise<void>;
  /** The tombstones of entities that were forgotten as told by these messages. */
  forgotten(messageIds: readonly string[]): Promise<string[]>;
  /** All summaries of a scope. */
  list(scope: string): Promise<SummaryRecord[]>;
}
