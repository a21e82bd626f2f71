import type { CountedMessage } from '../../model/message.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type ChatMemoryLimit,
  type ChatMemoryOptions,
} from './chat-memory-list.ts';
import { checkMethods, checkOptions, objectWith } from '../../model/check-options.ts';

export interface TokenWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Maximum tokens of all messages, including the system message; a function is called for each use. */
  maxTokens: ChatMemoryLimit;
  /** Counts tokens. Required, because the limit depends on the model's tokenizer. */
  tokenizer: Tokenizer;
}

/**
 * A memory of the newest messages within a number of tokens, like LangChain4j's class of that name. System and tool
 * messages are treated as in `MessageWindowChatMemory`. The limit applies to the sum over the messages.
 *
 * Each message is counted once, and its count is stored with it.
 */
export class TokenWindowChatMemory extends ChatMemoryList {
  /** @throws MnemoraError `invalid-option` */
  constructor(options: TokenWindowChatMemoryOptions) {
    checkOptions('TokenWindowChatMemory', options, {
      ...CHAT_MEMORY_CHECKS,
      maxTokens: () => undefined,
      tokenizer: objectWith('countMessage'),
    });
    const tokenizer = checkMethods('tokenizer', options.tokenizer, ['countMessage']);
    super(options, {
      limitName: 'maxTokens',
      limit: options.maxTokens,
      costOf: (message) => message.tokens?.[tokenizer.id] ?? tokenizer.countMessage(message),
      prepare: (message) => withCount(message, tokenizer),
    });
  }
}

function withCount(message: CountedMessage, tokenizer: Tokenizer): CountedMessage {
  if (message.tokens?.[tokenizer.id] !== undefined) return message;
  return { ...message, tokens: { ...message.tokens, [tokenizer.id]: tokenizer.countMessage(message) } };
}
