import type { ChatMessage, CountedMessage } from '../../model/message.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import {
  CHAT_MEMORY_CHECKS,
  ChatMemoryList,
  type AnswerTurn,
  type ChatMemoryLimit,
  type ChatMemoryOptions,
} from './chat-memory-list.ts';
import { checkMethods, checkOptions, objectWith } from '../../model/check-options.ts';

export interface TokenWindowChatMemoryOptions extends ChatMemoryOptions {
  /** Most tokens of all messages together, the system message included; a function is asked at each use. */
  maxTokens: ChatMemoryLimit;
  /** Required: a limit in tokens means nothing without a way to count them. */
  tokenizer: Tokenizer;
}

/**
 * A list of the newest messages within a number of tokens: LangChain4j's memory of that name. System and tool messages
 * are treated as in `MessageWindowChatMemory`. The limit is compared with the sum over the messages.
 *
 * Each message is counted once: its count is stored with it.
 */
export class TokenWindowChatMemory {
  readonly #list: ChatMemoryList;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: TokenWindowChatMemoryOptions) {
    checkOptions('TokenWindowChatMemory', options, {
      ...CHAT_MEMORY_CHECKS,
      maxTokens: () => undefined,
      tokenizer: objectWith('countMessage'),
    });
    const tokenizer = checkMethods('tokenizer', options.tokenizer, ['countMessage']);
    this.#list = new ChatMemoryList(options, {
      limitName: 'maxTokens',
      limit: options.maxTokens,
      costOf: (message) => message.tokens?.[tokenizer.id] ?? tokenizer.countMessage(message),
      prepare: (message) => withCount(message, tokenizer),
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

function withCount(message: CountedMessage, tokenizer: Tokenizer): CountedMessage {
  if (message.tokens?.[tokenizer.id] !== undefined) return message;
  return { ...message, tokens: { ...message.tokens, [tokenizer.id]: tokenizer.countMessage(message) } };
}
