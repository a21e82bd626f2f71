import { messagesToText } from '../../src/model/message-text.ts';
import { messageText, type ChatMessage } from '../../src/model/message.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** A tokenizer that tells how often it was asked. */
export interface WatchedTokenizer extends Tokenizer {
  calls(): number;
}

const COUNTERS: Readonly<Record<string, (message: ChatMessage) => number>> = {
  words: (message) => countWords(messagesToText([message])),
  contentWords: (message) => countWords(messageText(message)),
  'contentWords+2perCall': (message) => countWords(messageText(message)) + 2 * countCalls(message),
  messages: () => 1,
  characters: (message) => messageText(message).length,
  tenPerMessage: ({ content }) => 6 + 4 * (Array.isArray(content) ? content.length : 1),
};

export function tokenCounter(name: string): WatchedTokenizer {
  const count = COUNTERS[name];
  if (!count) throw new Error(`unknown token counter "${name}"`);
  let calls = 0;
  return {
    id: `conformance/${name}`,
    countText: countWords,
    countMessage: (message) => {
      calls += 1;
      return count(message);
    },
    calls: () => calls,
  };
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function countCalls(message: ChatMessage): number {
  return message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0;
}
