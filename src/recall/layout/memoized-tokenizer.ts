import { toChatMessage } from '../../model/message.ts';
import { wholeCount, type Tokenizer } from '../../tokens/tokenizer.ts';
import type { CountedTurn } from './context-layout.ts';

/**
 * Returns a tokenizer that counts each text and each message once and starts with the stored counts. It serves a single
 * request: trying one more turn rebuilds the whole request, but only one of its messages has not been counted yet.
 * What the tokenizer returns is checked and rounded up here. Its methods throw `invalid-option` if it is not a count.
 */
export function memoizedTokenizer(tokenizer: Tokenizer, turns: readonly CountedTurn[]): Tokenizer {
  const texts = new Map<string, number>();
  const messages = new Map<string, number>();
  for (const message of turns.flatMap((turn) => turn.messages)) {
    const known = message.tokens?.[tokenizer.id];
    if (known !== undefined) messages.set(JSON.stringify(toChatMessage(message)), known);
  }
  const once = (counts: Map<string, number>, key: string, count: () => number): number => {
    const known = counts.get(key) ?? wholeCount(tokenizer, count());
    counts.set(key, known);
    return known;
  };
  return {
    id: tokenizer.id,
    countText: (text) => once(texts, text, () => tokenizer.countText(text)),
    countMessage: (message) => once(messages, JSON.stringify(message), () => tokenizer.countMessage(message)),
  };
}
