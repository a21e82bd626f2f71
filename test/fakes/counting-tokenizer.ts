import { messageText, type ChatMessage } from '../../src/model/message.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** Counts the words of a message, and keeps what it was asked to count. */
export function countingTokenizer(): Tokenizer & { readonly counted: ChatMessage[] } {
  const counted: ChatMessage[] = [];
  const countText = (text: string): number => text.split(/\s+/).filter(Boolean).length;
  return {
    id: 'test/words',
    counted,
    countText,
    countMessage: (message) => {
      counted.push(message);
      return countText(messageText(message));
    },
  };
}
