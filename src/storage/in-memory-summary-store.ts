import type { InMemoryJobStore } from './in-memory-job-store.ts';
import type { JobTicket } from './job-store.ts';
import type { MessageRecord, SummaryRecord } from './schema.ts';
import type { SummaryState, SummaryStore } from './summary-store.ts';
import { coversAny } from './without-messages.ts';

/** Summaries that live as long as the page. */
export class InMemorySummaryStore implements SummaryStore {
  readonly #jobs: InMemoryJobStore;
  readonly #erasuresOf: (sessionId: string) => number | undefined;
  readonly #summaries = new Map<string, SummaryRecord>();

  /** @param erasuresOf how often messages of a session were erased; undefined where there is no such session */
  constructor(jobs: InMemoryJobStore, erasuresOf: (sessionId: string) => number | undefined) {
    this.#jobs = jobs;
    this.#erasuresOf = erasuresOf;
  }

  async load(sessionId: string, memoryId: string): Promise<SummaryState> {
    const summary = structuredClone(this.#summaries.get(keyOf(sessionId, memoryId)));
    return { summary, erasures: this.#erasuresOf(sessionId) ?? 0 };
  }

  async put(summary: SummaryRecord, erasures: number, ticket?: JobTicket): Promise<boolean> {
    if (ticket && !this.#jobs.requireTicket(ticket)) return false;
    if (this.#erasuresOf(summary.sessionId) !== erasures) return false;
    this.#summaries.set(keyOf(summary.sessionId, summary.memoryId), structuredClone(summary));
    if (ticket) this.#jobs.end(ticket);
    return true;
  }

  async remove(sessionId: string, memoryId: string, ticket?: JobTicket): Promise<void> {
    if (ticket) this.#jobs.requireTicket(ticket);
    this.#summaries.delete(keyOf(sessionId, memoryId));
  }

  async list(scope: string): Promise<SummaryRecord[]> {
    return structuredClone([...this.#summaries.values()].filter((summary) => summary.scope === scope));
  }

  /** Erases the summaries that cover erased messages of their session. Returns how many there were. */
  erase(sessionId: string, rows: readonly MessageRecord[], isEmpty: boolean): number {
    const seqs = rows.map((row) => row.seq);
    const covering = [...this.#summaries.values()].filter(
      (summary) => summary.sessionId === sessionId && coversAny(summary, seqs),
    );
    for (const { memoryId, queue, scope } of covering) {
      this.#summaries.delete(keyOf(sessionId, memoryId));
      if (queue === undefined || isEmpty) continue;
      this.#jobs.add([{ queue }], { scope, sessionId, turnIds: [], now: Date.now() });
    }
    return covering.length;
  }
}

function keyOf(sessionId: string, memoryId: string): string {
  return JSON.stringify([sessionId, memoryId]);
}
