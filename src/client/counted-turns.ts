import { messageText, type StoredMessage } from '../model/message.ts';
import { inTurnOrder, splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/assemble-context.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Engine } from './engine.ts';

const PAGE_MESSAGES = 64;
/** Text of which a token has more characters than this is none that people write. */
const MOST_CHARACTERS_PER_TOKEN = 8;

/** The complete turns that the window may hold, turn after turn, oldest first: reads back no further than that. */
export async function listRecent(
  engine: Engine,
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const { recentTurns } = engine.settings;
  if (recentTurns === 0) return [];
  const isEnough = (turnIds: readonly string[]): boolean => turnIds.length > recentTurns;
  const recent = await readBack(engine, sessionId, -1, isEnough, signal);
  const turnIds = [...new Set(recent.map((message) => message.turnId))].slice(-recentTurns);
  return recent.filter((message) => turnIds.includes(message.turnId));
}

/**
 * The complete turns that no summary covers, turn after turn, oldest first. Reads back no further than a request of
 * `maxTokens` can hold.
 */
export function listUncovered(
  engine: Engine,
  sessionId: string,
  coversSeq: number,
  maxTokens: number,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const isEnough = (_turnIds: readonly string[], messages: readonly StoredMessage[]): boolean => {
    const characters = messages.reduce((sum, message) => sum + messageText(message).length, 0);
    return characters > maxTokens * MOST_CHARACTERS_PER_TOKEN;
  };
  return readBack(engine, sessionId, coversSeq, isEnough, signal);
}

/** Counts what has not been counted yet by this tokenizer, and keeps the counts. */
export async function countTurns(
  engine: Engine,
  tokenizer: Tokenizer,
  messages: readonly StoredMessage[],
): Promise<CountedTurn[]> {
  const fresh = new Map<string, number>();
  const count = (message: StoredMessage): number => {
    const known = message.tokens?.[tokenizer.id];
    if (known !== undefined) return known;
    const counted = tokenizer.countMessage(message);
    fresh.set(message.id, counted);
    return counted;
  };
  // System messages of old turns are not sent again.
  const said = messages.filter((message) => message.role !== 'system');
  const turns = splitTurns(said).map((turn) => ({
    turn: turn[0]?.turn ?? 0,
    tokens: turn.reduce((sum, message) => sum + count(message), 0),
    messages: turn,
  }));
  if (fresh.size > 0) {
    await engine.stores.transcript.recordTokens(tokenizer.id, fresh).catch((cause: unknown) => {
      engine.events.warn({ code: 'save-failed', message: 'Token counts could not be kept.', cause });
    });
  }
  return turns;
}

/** Reads backwards, page by page, until a sequence number is reached or there is enough; then turns that are whole. */
async function readBack(
  engine: Engine,
  sessionId: string,
  afterSeq: number,
  isEnough: (turnIds: readonly string[], messages: readonly StoredMessage[]) => boolean,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const { transcript } = engine.stores;
  let messages: StoredMessage[] = [];
  for (;;) {
    const beforeSeq = messages[0]?.seq ?? Infinity;
    const page = await transcript.listMessages(sessionId, {
      last: PAGE_MESSAGES,
      beforeSeq,
      afterSeq,
      ...(signal ? { signal } : {}),
    });
    messages = [...page, ...messages];
    const complete = inTurnOrder(messages.filter((message) => message.state === 'complete'));
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    const isAll = page.length < PAGE_MESSAGES;
    if (isAll && afterSeq < 0) return complete;
    // The oldest may have been read in part. Where two tabs answer at the same time, others may have been as well, so
    // that the turns are read once more, each as a whole.
    if (isAll) return (await transcript.loadTurns(turnIds, signal)).flat();
    if (isEnough(turnIds, complete)) return (await transcript.loadTurns(turnIds.slice(1), signal)).flat();
  }
}
