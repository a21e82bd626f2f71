import { endJob, requireTicket, type JobTicket } from './jobs/job-store.ts';
import { tombstonesOf } from './rows.ts';
import { startingWith } from './key-range.ts';
import type { SessionKey, SummaryRecord } from './schema.ts';
import type { StorageEngine } from './storage-engine.ts';
import { readSummary } from './transcript/read-session.ts';

/** A summary, and the erasure counter of its session when it was read. */
export interface SummaryState {
  /** Undefined if there is no summary, or if it was erased. */
  summary: SummaryRecord | undefined;
  /** Erasure counter; pass it to `put`. */
  erasures: number;
}

/**
 * Stores the summaries of sessions. Each method is one transaction.
 */
export class SummaryStore {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  async load(session: SessionKey, memoryId: string, signal?: AbortSignal): Promise<SummaryState> {
    const { summary, erasures } = await this.#engine.read(
      ['sessions', 'summaries'],
      (transaction) => readSummary(transaction, session, memoryId),
      signal,
    );
    return { summary, erasures };
  }

  /**
   * Stores a summary and removes the job that made it. Returns false, and writes nothing, if messages of the session
   * were erased since it was loaded, because the summary may contain them.
   *
   * @throws MnemoraError `leadership-lost`
   */
  put(summary: SummaryRecord, erasures: number, ticket?: JobTicket, lastId?: string): Promise<boolean> {
    return this.#engine.write(['sessions', 'messages', 'summaries', 'jobs', 'meta'], async (transaction) => {
      if (ticket && !(await requireTicket(transaction, ticket))) return false;
      const session = await transaction.objectStore('sessions').get([summary.scope, summary.sessionId]);
      if (!session || (session.erasures ?? 0) !== erasures) return false;
      // A session that was deleted and begun again counts from 0 again.
      const { scope, sessionId, coversSeq } = summary;
      const covered = lastId && transaction.objectStore('messages').get([scope, sessionId, coversSeq]);
      if (covered && (await covered)?.id !== lastId) return false;
      await transaction.objectStore('summaries').put(summary);
      if (ticket) await endJob(transaction, ticket);
      return true;
    });
  }

  /** Removes a summary. @throws MnemoraError `leadership-lost` */
  remove(session: SessionKey, memoryId: string, ticket?: JobTicket): Promise<void> {
    return this.#engine.write(['summaries', 'jobs', 'meta'], async (transaction) => {
      if (ticket) await requireTicket(transaction, ticket);
      await transaction.objectStore('summaries').delete([...session, memoryId]);
    });
  }

  /** Returns the tombstones of entities that were forgotten in these messages. */
  forgotten(messageIds: readonly string[]): Promise<string[]> {
    return this.#engine.read(['tombstones'], (transaction) => tombstonesOf(transaction, messageIds));
  }

  /** Lists all summaries of a scope. */
  list(scope: string): Promise<SummaryRecord[]> {
    return this.#engine.read(['summaries'], (transaction) =>
      transaction.objectStore('summaries').getAll(startingWith(scope)),
    );
  }
}
