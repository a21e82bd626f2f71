import { toChatMessage, type ChatMessage } from '../model/message.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { CountedTurn } from './context-layout.ts';

/**
 * A tokenizer that counts each text and each message once, and begins with the counts that are stored. For one request:
 * trying one more turn lays out everything again, and only its last message is new.
 */
export function memoizedTokenizer(tokenizer: Tokenizer, turns: readonly CountedTurn[]): Tokenizer {
  const texts = new Map<string, number>();
  const messages = new Map<string, number>();
  for (const message of turns.flatMap((turn) => turn.messages)) {
    const known = message.tokens?.[tokenizer.id];
    if (known !== undefined) messages.set(keyOf(toChatMessage(message)), known);
  }
  return {
    id: tokenizer.id,
    countText: (text) => once(texts, text, () => tokenizer.countText(text)),
    countMessage: (message) => once(messages, keyOf(message), () => tokenizer.countMessage(message)),
  };
}

function once(counts: Map<string, number>, key: string, count: () => number): number {
  const known = counts.get(key) ?? count();
  counts.set(key, known);
  return known;
}

function keyOf(message: ChatMessage): string {
  return JSON.stringify(message);
}
