import { messageText, type StoredMessage } from '../model/message.ts';
import { requireScope } from '../storage/transcript/append-plan.ts';
import type { SessionReach } from '../storage/transcript/read-back.ts';
import { readSession } from '../storage/transcript/read-session.ts';
import type { SummaryRecord } from '../storage/schema.ts';
import type { Engine } from './engine.ts';
import { SUMMARY_ID } from './stores.ts';

/** What a request is made from besides what is searched. */
export interface SessionState {
  /** Undefined where no summary was known at that time. */
  readonly summary: SummaryRecord | undefined;
  /** Complete turns that the window may hold, turn after turn, oldest first. */
  readonly messages: readonly StoredMessage[];
}

export interface SessionStateQuery {
  /** Tokens of the whole request: no more is read than fits into it. */
  readonly maxTokens: number;
  readonly knownAt?: number;
  readonly signal?: AbortSignal;
}

/** Whether the turns that no summary covers are sent, instead of the newest ones whatever covers them. */
export function sendsUncovered({ enrichment, settings }: Engine): boolean {
  return enrichment !== undefined && settings.recentTurns > 0;
}

/** Reads in one transaction what a session adds to a request. @throws MnemoraError `invalid-input` on another scope */
export async function readState(
  engine: Engine,
  sessionId: string,
  { maxTokens, knownAt = Infinity, signal }: SessionStateQuery,
): Promise<SessionState> {
  const { recentTurns, scope } = engine.settings;
  const usable = (summary: SummaryRecord | undefined): SummaryRecord | undefined =>
    summary !== undefined && summary.updatedAt <= knownAt ? summary : undefined;
  const reach = (summary: SummaryRecord | undefined): SessionReach | undefined => {
    if (recentTurns === 0) return undefined;
    if (!sendsUncovered(engine)) {
      return { afterSeq: -1, isEnough: (turnIds) => turnIds.length > recentTurns };
    }
    return {
      afterSeq: usable(summary)?.coversSeq ?? -1,
      isEnough: (_turnIds, messages) =>
        messages.reduce((sum, message) => sum + leastTokens(message), 0) > maxTokens,
    };
  };
  const { session, summary, messages } = await readSession(engine.stores.engine, sessionId, {
    memoryId: SUMMARY_ID,
    reach,
    ...(signal ? { signal } : {}),
  });
  if (session) requireScope(session, scope);
  return {
    summary: usable(summary),
    messages: sendsUncovered(engine) ? messages : newestTurns(messages, recentTurns),
  };
}

function newestTurns(messages: readonly StoredMessage[], count: number): StoredMessage[] {
  if (count === 0) return [];
  const turnIds = new Set([...new Set(messages.map((message) => message.turnId))].slice(-count));
  return messages.filter((message) => turnIds.has(message.turnId));
}

/** Every message has some tokens besides its text, and of no text that people write a token has more characters. */
function leastTokens(message: StoredMessage): number {
  return 4 + messageText(message).length / 8;
}
