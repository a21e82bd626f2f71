import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type ChatMemoryLimit,
  type ChatMemoryOptions,
} from './chat-memory-list.ts';
import { checkOptions } from '../../model/check-options.ts';

export interface MessageWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Maximum number of messages, including the system message; a function is called for each use. */
  maxMessages: ChatMemoryLimit;
}

/**
 * A memory of the newest messages, like LangChain4j's class of that name. It has at most one system message, which is never
 * evicted: adding the same one changes nothing, and another one replaces it. No tool result is kept without its call.
 *
 * Memory is not history: evicted messages are lost here. With a database, all messages stay in the history of the session
 * whose id is the memory's, even after `clear()`.
 */
export class MessageWindowChatMemory extends ChatMemoryList {
  /** @throws MnemoraError `invalid-option` */
  constructor(options: MessageWindowChatMemoryOptions) {
    checkOptions('MessageWindowChatMemory', options, { ...CHAT_MEMORY_CHECKS, maxMessages: () => undefined });
    super(options, {
      limitName: 'maxMessages',
      limit: options.maxMessages,
      costOf: () => 1,
      prepare: (message) => message,
    });
  }
}
