import type { StorageEngine } from './storage-engine.ts';
import { tombstonesOf } from './rows.ts';
import { endJob, requireTicket } from './jobs/job-rows.ts';
import type { JobTicket } from './jobs/job-store.ts';
import type { SummaryRecord } from './schema.ts';
import type { SummaryState, SummaryStore } from './summary-store.ts';

/** Stores summaries. Commits are `relaxed`, because summaries can be made again. */
export class Summaries implements SummaryStore {
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  load(sessionId: string, memoryId: string, signal?: AbortSignal): Promise<SummaryState> {
    return this.#engine.read(
      ['sessions', 'summaries'],
      async (transaction) => {
        const [session, summary] = await Promise.all([
          transaction.objectStore('sessions').get(sessionId),
          transaction.objectStore('summaries').get([sessionId, memoryId]),
        ]);
        return { summary, erasures: session?.erasures ?? 0 };
      },
      signal,
    );
  }

  put(summary: SummaryRecord, erasures: number, ticket?: JobTicket): Promise<boolean> {
    return this.#engine.write(['sessions', 'summaries', 'jobs', 'meta'], 'relaxed', async (transaction) => {
      if (ticket && !(await requireTicket(transaction, ticket))) return false;
      const session = await transaction.objectStore('sessions').get(summary.sessionId);
      if (!session || (session.erasures ?? 0) !== erasures) return false;
      await transaction.objectStore('summaries').put(summary);
      if (ticket) await endJob(transaction, ticket);
      return true;
    });
  }

  remove(sessionId: string, memoryId: string, ticket?: JobTicket): Promise<void> {
    return this.#engine.write(['summaries', 'jobs', 'meta'], 'strict', async (transaction) => {
      if (ticket) await requireTicket(transaction, ticket);
      await transaction.objectStore('summaries').delete([sessionId, memoryId]);
    });
  }

  forgotten(messageIds: readonly string[]): Promise<string[]> {
    return this.#engine.read(['tombstones'], (transaction) => tombstonesOf(transaction, messageIds));
  }

  list(scope: string): Promise<SummaryRecord[]> {
    return this.#engine.read(['summaries'], (transaction) =>
      transaction.objectStore('summaries').index('scope').getAll(scope),
    );
  }
}
