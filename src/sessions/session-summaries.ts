import type { Clock } from '../model/clock.ts';
import type { StoredMessage } from '../model/message.ts';
import type { SessionKey } from '../storage/schema.ts';
import type { SummaryState, SummaryStore } from '../storage/summary-store.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import type { ChatMessageHistory, NewSummary, SessionSummaries } from './chat-message-history.ts';

/** Stores that a history reads and writes. */
export interface HistoryStores {
  readonly transcript: TranscriptStore;
  readonly summaries: SummaryStore;
}

/** Calls a function with the stores: at once if they are open, so that what it begins precedes a later `close`. */
export type UseStores = <R>(use: (stores: HistoryStores) => Promise<R>) => Promise<R>;

/** Returns the summaries of one stored session. */
export function storedSummaries(withStores: UseStores, key: SessionKey, clock: Clock): SessionSummaries {
  const [scope, sessionId] = key;
  return {
    load: (memoryId, signal) => withStores(({ summaries }) => summaries.load(key, memoryId, signal)),
    save: (memoryId, { lastId, ...summary }, { erasures }, ticket) =>
      withStores(({ summaries }) =>
        summaries.put(
          { sessionId, memoryId, scope, ...summary, updatedAt: clock() },
          erasures,
          ticket,
          lastId,
        ),
      ),
    remove: (memoryId) => withStores(({ summaries }) => summaries.remove(key, memoryId)),
    forgotten: (messageIds) => withStores(({ summaries }) => summaries.forgotten(messageIds)),
  };
}

/** Returns the summaries of a history: its own store, or one in RAM that lives as long as the history object. */
export function summariesOf(history: ChatMessageHistory): SessionSummaries {
  const kept = history.summaries ?? inMemory.get(history) ?? memorySummaries(history);
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
function memorySummaries(history: ChatMessageHistory): SessionSummaries {
  const summaries = new Map<string, { summary: NonNullable<SummaryState['summary']>; lastId: string }>();
  let erasures = 0;

  async function messageAt(seq: number): Promise<StoredMessage | undefined> {
    const rows = await history.list({ last: 1, beforeSeq: seq + 1 });
    // A history without paging returns all its rows.
    return rows.find((row) => row.seq === seq);
  }

  async function remove(memoryId: string): Promise<void> {
    summaries.delete(memoryId);
    erasures += 1;
  }

  return {
    async load(memoryId) {
      const kept = summaries.get(memoryId);
      if (kept && (await messageAt(kept.summary.coversSeq))?.id !== kept.lastId) await remove(memoryId);
      return { summary: structuredClone(summaries.get(memoryId)?.summary), erasures };
    },
    async save(memoryId: string, summary: NewSummary, state: SummaryState) {
      const last = await messageAt(summary.coversSeq);
      if (!last || state.erasures !== erasures) return false;
      const { id: lastId, sessionId, createdAt: updatedAt } = last;
      summaries.set(memoryId, { summary: { ...summary, memoryId, sessionId, scope: '', updatedAt }, lastId });
      return true;
    },
    remove,
  };
}
