import type { Clock } from '../model/clock.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { SummaryState, SummaryStore } from '../storage/summary-store.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import type { NewSummary, SessionSummaries } from './chat-message-history.ts';

/** Stores the summaries of one session. */
export class StoredSessionSummaries implements SessionSummaries {
  readonly #transcript: TranscriptStore;
  readonly #store: SummaryStore;
  readonly #sessionId: string;
  readonly #clock: Clock;

  constructor(transcript: TranscriptStore, store: SummaryStore, sessionId: string, clock: Clock) {
    this.#transcript = transcript;
    this.#store = store;
    this.#sessionId = sessionId;
    this.#clock = clock;
  }

  load(memoryId: string, signal?: AbortSignal): Promise<SummaryState> {
    return this.#store.load(this.#sessionId, memoryId, signal);
  }

  async save(
    memoryId: string,
    summary: NewSummary,
    state: SummaryState,
    ticket?: JobTicket,
  ): Promise<boolean> {
    const session = await this.#transcript.session(this.#sessionId);
    if (!session) return false;
    const { id: sessionId, scope } = session;
    const record = { sessionId, memoryId, scope, ...summary, updatedAt: this.#clock() };
    return this.#store.put(record, state.erasures, ticket);
  }

  remove(memoryId: string): Promise<void> {
    return this.#store.remove(this.#sessionId, memoryId);
  }

  forgotten(messageIds: readonly string[]): Promise<string[]> {
    return this.#store.forgotten(messageIds);
  }
}
