import type { StoredMessage } from '../model/message.ts';
import { splitTurns } from '../model/turn.ts';
import type { CountedTurn } from '../recall/context-layout.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Engine } from './engine.ts';

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
