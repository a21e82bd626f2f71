import type { ChatMessageHistory, NewSummary, SessionSummaries } from './chat-message-history.ts';
import type { StoredMessage } from '../model/message.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import type { SummaryState } from '../storage/summary-store.ts';

/** Returns the summaries of a history: its own store, or one in RAM that lives as long as the history object. */
export function summariesOf(history: ChatMessageHistory): SessionSummaries {
  const kept = history.summaries ?? inMemory.get(history) ?? new InMemorySummaries(history);
  if (!history.summaries) inMemory.set(history, kept);
  return kept;
}

const inMemory = new WeakMap<ChatMessageHistory, SessionSummaries>();

/**
 * Keeps summaries for a history that cannot store any.
 *
 * Such a history does not report erased messages, so every read checks that the last covered message still exists: a
 * summary of erased messages must not hide new ones that get the same sequence numbers.
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
    // A history without paging returns all its rows.
    return rows.find((row) => row.seq === seq);
  }
}
