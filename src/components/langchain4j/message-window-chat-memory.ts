import type { ChatMessage } from '../../model/message.ts';
import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type AnswerTurn,
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
export class MessageWindowChatMemory {
  readonly #list: ChatMemoryList;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: MessageWindowChatMemoryOptions) {
    checkOptions('MessageWindowChatMemory', options, { ...CHAT_MEMORY_CHECKS, maxMessages: () => undefined });
    this.#list = new ChatMemoryList(options, {
      limitName: 'maxMessages',
      limit: options.maxMessages,
      costOf: () => 1,
      prepare: (message) => message,
    });
  }

  get id(): string {
    return this.#list.id;
  }

  /** @throws MnemoraError `invalid-message` */
  async add(message: ChatMessage): Promise<void> {
    await this.#list.addAll([message]);
  }

  /** Adds in one read and one write. @throws MnemoraError `invalid-message`; nothing was added then. */
  addAll(messages: readonly ChatMessage[]): Promise<void> {
    return this.#list.addAll(messages);
  }

  /** Replaces all messages in one write. @throws MnemoraError `invalid-input` where there are none. */
  set(messages: readonly ChatMessage[]): Promise<void> {
    return this.#list.set(messages);
  }

  /** What the model may see, oldest first, in a fresh array. Writes nothing, also where the limit has shrunk. */
  messages(): Promise<ChatMessage[]> {
    return this.#list.messages();
  }

  /**
   * Runs one turn: `answer` gets the messages with the user's, and what it gives is stored together with that. Where it
   * fails nothing is stored.
   *
   * @returns the messages afterwards
   */
  runTurn(
    userMessage: ChatMessage,
    answer: AnswerTurn,
    options: { signal?: AbortSignal } = {},
  ): Promise<ChatMessage[]> {
    return this.#list.runTurn(userMessage, answer, options);
  }

  /** Removes all messages, the system message too. */
  clear(): Promise<void> {
    return this.#list.clear();
  }
}
