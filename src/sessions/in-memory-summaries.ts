import type { ChatMessageHistory, NewSummary, SessionSummaries } from './chat-message-history.ts';
import type { StoredMessage } from '../model/message.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import type { SummaryState } from '../storage/summary-store.ts';

/** Where the summaries of a history are kept: by itself, or in RAM as long as the history object lives. */
export function summariesOf(history: ChatMessageHistory): SessionSummaries {
  const kept = history.summaries ?? inMemory.get(history) ?? new InMemorySummaries(history);
  if (!history.summaries) inMemory.set(history, kept);
  return kept;
}

const inMemory = new WeakMap<ChatMessageHistory, SessionSummaries>();

/**
 * Summaries of a history that cannot keep any.
 *
 * Such a history does not tell when its messages go, so that the last message covered is looked for at each reading: a
 * summary of messages that are gone must not hide the new ones that take their numbers.
 */
class InMemorySummaries implements SessionSummaries {
  readonly #history: ChatMessageHistory;
  readonly #kept = new Map<string, { summary: SummaryRecord; lastId: string }>();
  #erasures = 0;

  constructor(history: ChatMessageHistory) {
    this.#history = history;
  }

  async load(memoryId: string): Promise<SummaryState> {
    const kept = this.#kept.get(memoryId);
    if (kept && (await this.#messageAt(kept.summary.coversSeq))?.id !== kept.lastId) {
      await this.remove(memoryId);
    }
    return { summary: structuredClone(this.#kept.get(memoryId)?.summary), erasures: this.#erasures };
  }

  async save(memoryId: string, summary: NewSummary, state: SummaryState): Promise<boolean> {
    const last = await this.#messageAt(summary.coversSeq);
    if (!last || state.erasures !== this.#erasures) return false;
    this.#kept.set(memoryId, {
      summary: { ...summary, memoryId, sessionId: last.sessionId, scope: '', updatedAt: last.createdAt },
      lastId: last.id,
    });
    return true;
  }

  async remove(memoryId: string): Promise<void> {
    this.#kept.delete(memoryId);
    this.#erasures += 1;
  }

  async #messageAt(seq: number): Promise<StoredMessage | undefined> {
    const rows = await this.#history.list({ last: 1, beforeSeq: seq + 1 });
    // A history that knows no paging gives all its rows.
    return rows.find((row) => row.seq === seq);
  }
}
