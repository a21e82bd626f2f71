import { anything, checkOptions, objectWith } from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type ChatMemoryLimit,
  type ChatMemoryOptions,
} from './chat-memory-list.ts';

export interface MessageWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Maximum number of messages, including the system message; a function is called for each use. */
  maxMessages: ChatMemoryLimit;
}

/**
 * A memory of the newest messages, like LangChain4j's class of the same name. It has at most one system message, which
 * is never evicted: adding the same one changes nothing, and a different one replaces it. A tool result is never kept
 * without its call.
 *
 * Evicted messages are lost, unless the store is a database: then all messages stay in the history of the session with
 * the memory's id, even after `clear()`.
 */
export class MessageWindowChatMemory extends ChatMemoryList {
  /** @throws MnemoraError `invalid-option` */
  constructor(options: MessageWindowChatMemoryOptions) {
    checkOptions('MessageWindowChatMemory', options, { ...CHAT_MEMORY_CHECKS, maxMessages: anything });
    super(options, { name: 'maxMessages', limit: options.maxMessages });
  }
}

export interface TokenWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Maximum tokens of all messages, including the system message; a function is called for each use. */
  maxTokens: ChatMemoryLimit;
  /** Counts tokens. Required, because the limit depends on the model's tokenizer. */
  tokenizer: Tokenizer;
}

/**
 * A memory of the newest messages within a number of tokens, like LangChain4j's class of the same name. System and tool
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
    const { maxTokens, tokenizer } = options;
    if (tokenizer === undefined) {
      throw invalidOption('TokenWindowChatMemory needs a tokenizer: pass await tiktokenTokenizer().');
    }
    super(options, { name: 'maxTokens', limit: maxTokens, tokenizer });
  }
}
