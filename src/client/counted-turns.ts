import { messageText, type StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import { CountedTokens } from '../sessions/counted-tokens.ts';
import { recentTurns, sessionTurns, turnsNewestFirst } from '../sessions/read-turns.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { MemoryEvents } from './memory-events.ts';
import type { MemoryStores } from './stores.ts';

/** Where turns are read from, and who is told what went wrong with that. */
export interface TurnReading {
  readonly stores: Pick<MemoryStores, 'transcript'>;
  readonly events: Pick<MemoryEvents, 'warn'>;
}

/** The complete turns that the window may hold, turn after turn, oldest first: reads back no further than that. */
export async function listRecent(
  { stores, settings }: Pick<TurnReading, 'stores'> & { readonly settings: { readonly recentTurns: number } },
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const source = sessionTurns(stores.transcript, sessionId);
  return (await recentTurns(source, settings.recentTurns, signal)).flat();
}

/**
 * The complete turns that no summary covers, turn after turn, oldest first. Reads back no further than a request of
 * `maxTokens` can hold.
 */
export async function listUncovered(
  { stores }: Pick<TurnReading, 'stores'>,
  sessionId: string,
  coversSeq: number,
  maxTokens: number,
  signal: AbortSignal | undefined,
): Promise<StoredMessage[]> {
  const turns: StoredMessage[][] = [];
  let tokens = 0;
  const source = sessionTurns(stores.transcript, sessionId);
  for await (const turn of turnsNewestFirst(source, { afterSeq: coversSeq, signal })) {
    turns.unshift(turn);
    for (const message of turn) tokens += leastTokens(message);
    if (tokens > maxTokens) break;
  }
  return turns.flat();
}

/** Counts what has not been counted yet by this tokenizer, and keeps the counts. */
export async function countTurns(
  { stores, events }: TurnReading,
  tokenizer: Tokenizer,
  messages: readonly StoredMessage[],
): Promise<CountedTurn[]> {
  const counted = new CountedTokens(tokenizer);
  // System messages of old turns are not sent again.
  const said = messages.filter((message) => message.role !== 'system');
  const turns = splitTurns(said).map((turn) => ({
    turn: turn[0]?.turn ?? 0,
    tokens: turn.reduce((sum, message) => sum + counted.of(message), 0),
    messages: turn,
  }));
  await counted.record(stores.transcript, (cause) => {
    events.warn({ code: 'save-failed', message: 'Token counts could not be kept.', cause });
  });
  return turns;
}

/** Every message has some tokens besides its text, and of no text that people write a token has more characters. */
function leastTokens(message: StoredMessage): number {
  return 4 + messageText(message).length / 8;
}
