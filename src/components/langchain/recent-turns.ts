import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { StoredMessage } from '../../model/message.ts';
import { turnsNewestFirst } from './turns-newest-first.ts';

/** The last `count` complete turns, oldest first. */
export async function recentTurns(history: ChatMessageHistory, count: number): Promise<StoredMessage[][]> {
  const recent: StoredMessage[][] = [];
  if (count === 0) return recent;
  for await (const turn of turnsNewestFirst(history, 2 * count + 2)) {
    recent.unshift(turn);
    if (recent.length === count) break;
  }
  return recent;
}

/** Some turns of a conversation, where they stand in it. */
export interface Passage {
  /** The turns asked for that are still there, oldest first. */
  readonly turns: readonly StoredMessage[][];
  /** From `k` turns before the first of them to the last, without a gap. */
  readonly window: readonly StoredMessage[][];
}

/**
 * Finds turns by their ids, newest first. Turns that were written after the last of them, by another tab perhaps, are
 * left out: it could not refer to them. A history that does not keep the ids of turns gives its newest ones.
 */
export async function findPassage(
  history: ChatMessageHistory,
  turnIds: readonly string[],
  k: number,
): Promise<Passage> {
  const wanted = new Set(turnIds);
  const turns: StoredMessage[][] = [];
  const window: StoredMessage[][] = [];
  let before = 0;
  let read = 0;
  for await (const turn of turnsNewestFirst(history, 2 * (k + turnIds.length) + 2)) {
    const [first] = turn;
    const isWanted = first !== undefined && wanted.delete(first.turnId);
    if (isWanted) turns.unshift(turn);
    else if (wanted.size === 0) before += 1;
    if (turns.length > 0 && before <= k) window.unshift(turn);
    read += 1;
    if ((wanted.size === 0 && before >= k) || read >= MOST_TURNS_READ) break;
  }
  const keepsIds = turns.length > 0 || history.background !== undefined;
  if (keepsIds) {
    // While one that is not there was looked for, more was read.
    const start = turns[0] ? window.indexOf(turns[0]) : 0;
    return { turns, window: window.slice(Math.max(0, start - k)) };
  }
  const newest = await recentTurns(history, k + turnIds.length);
  return { turns: newest.slice(-turnIds.length), window: newest };
}

/** What lies further back is not waited for: it was forgotten, or is too old to be read. */
const MOST_TURNS_READ = 500;
