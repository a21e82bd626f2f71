import { messageText, type StoredMessage } from '../model/message.ts';
import { inTurnOrder, splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import type { TranscriptStore } from '../storage/transcript-store.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Engine } from './engine.ts';

const PAGE_MESSAGES = 64;

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
  const isEnough = (_turnIds: readonly string[], messages: readonly StoredMessage[]): boolean =>
    messages.reduce((sum, message) => sum + leastTokens(message), 0) > maxTokens;
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

/** Every message has some tokens besides its text, and of no text that people write a token has more characters. */
function leastTokens(message: StoredMessage): number {
  return 4 + messageText(message).length / 8;
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
    if (isAll || isEnough(turnIds, complete)) return wholeTurns(transcript, complete, turnIds, signal);
  }
}

/**
 * Reads those turns once more, each as a whole, that may have been read in part: the oldest, and, where two tabs answer
 * at the same time, others of which the question is missing.
 */
async function wholeTurns(
  transcript: TranscriptStore,
  messages: readonly StoredMessage[],
  turnIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const read = new Map(turnIds.map((id) => [id, messages.filter((message) => message.turnId === id)]));
  const torn = turnIds.filter((id, position) => position === 0 || read.get(id)?.[0]?.role !== 'user');
  for (const turn of await transcript.loadTurns(torn, signal)) read.set(turn[0]?.turnId ?? '', turn);
  return [...read.values()].flat();
}
