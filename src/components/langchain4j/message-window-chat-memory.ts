import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type ChatMemoryLimit,
  type ChatMemoryOptions,
} from './chat-memory-list.ts';
import { checkOptions } from '../../model/check-options.ts';

export interface MessageWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Most messages to keep, the system message included; a function is asked at each use. */
  maxMessages: ChatMemoryLimit;
}

/**
 * A list of the newest messages: LangChain4j's memory of that name. There is at most one system message and it is never
 * evicted; adding the same one again changes nothing, another replaces it. No tool result is left without its call.
 *
 * Memory is not history: what is evicted here is gone from the list. Over a database all that was added stays in the
 * history of the session whose id is the memory's, also after `clear()`.
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
