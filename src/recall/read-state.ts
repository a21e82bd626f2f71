import { messageText, type StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import { SUMMARY_ID } from '../sessions/memory-stores.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import { readSession, type SessionSnapshot } from '../storage/transcript/read-session.ts';
import type { RecallParts } from './recall-parts.ts';

/** Whether the turns that no summary covers are sent, rather than the newest turns whether covered or not. */
export function sendsUncovered({ isLearning, settings }: RecallParts): boolean {
  return isLearning && settings.recentTurns > 0;
}

/**
 * Reads the summary and the turns that a request of `maxTokens` contains, in one transaction. No more turns are read
 * than fit. The summary is undefined if none was known at `knownAt`.
 */
export async function readState(
  parts: RecallParts,
  sessionId: string,
  { maxTokens, knownAt = Infinity, signal }: { maxTokens: number; knownAt?: number; signal?: AbortSignal },
): Promise<Pick<SessionSnapshot, 'summary' | 'messages'>> {
  const { recentTurns, scope } = parts.settings;
  const isUncovered = sendsUncovered(parts);
  const usable = (summary?: SummaryRecord): SummaryRecord | undefined =>
    summary !== undefined && summary.updatedAt <= knownAt ? summary : undefined;
  // A turn is known as a whole, once it has ended.
  const knownTurns = (messages: readonly StoredMessage[]): StoredMessage[][] =>
    splitTurns(messages).filter((turn) => turn.every(({ createdAt }) => createdAt <= knownAt));
  const isEnough = (messages: readonly StoredMessage[]): boolean => {
    const turns = knownTurns(messages);
    return isUncovered
      ? turns.flat().reduce((sum, message) => sum + leastTokens(message), 0) > maxTokens
      : turns.length > recentTurns;
  };
  const { summary, messages } = await readSession(parts.stores.engine, [scope, sessionId], {
    memoryId: SUMMARY_ID,
    reach: (found) =>
      recentTurns === 0
        ? undefined
        : { afterSeq: isUncovered ? (usable(found)?.coversSeq ?? -1) : -1, isEnough },
    ...(signal ? { signal } : {}),
  });
  const turns = knownTurns(messages);
  return { summary: usable(summary), messages: (isUncovered ? turns : turns.slice(-recentTurns)).flat() };
}

/** Every message costs some tokens besides its text, and no token of natural text has more characters. */
function leastTokens(message: StoredMessage): number {
  return 4 + messageText(message).length / 8;
}
