import type { StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import { CountedTokens } from '../sessions/counted-tokens.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { MemoryEvents } from './memory-events.ts';
import type { MemoryStores } from './stores.ts';

/** Where turns are read from, and who is told what went wrong with that. */
export interface TurnReading {
  readonly stores: Pick<MemoryStores, 'transcript'>;
  readonly events: Pick<MemoryEvents, 'warn'>;
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
