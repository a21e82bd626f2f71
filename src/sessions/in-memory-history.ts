import type { ChatMessage, CountedMessage, StoredMessage } from '../model/message.ts';
import { memoizeAsync } from '../model/memoize-async.ts';
import {
  parseCountedMessages,
  type AddMessagesOptions,
  type ChatMessageHistory,
  type ListMessagesOptions,
  type SessionSummaries,
} from './chat-message-history.ts';
import type { TranscriptHistory } from './transcript-history.ts';

/**
 * A history that lives as long as the page.
 *
 * @example
 * const history = new InMemoryChatMessageHistory([{ role: 'user', content: 'Hello' }]);
 */
export class InMemoryChatMessageHistory implements ChatMessageHistory {
  /** Opens the in-memory transcript. Its code is loaded when the first history is made. */
  readonly #open: () => Promise<TranscriptHistory>;
  /** @internal */
  readonly summaries: SessionSummaries;

  /**
   * Creates a history, by default an empty one.
   *
   * @param messages the messages that it begins with
   * @throws MnemoraError `invalid-message`
   */
  constructor(messages: readonly CountedMessage[] = []) {
    const parsed = parseCountedMessages(messages);
    const open = memoizeAsync(async () => {
      const { openMemoryHistory } = await import('./open-memory-history.ts');
      return openMemoryHistory(parsed);
    });
    open().catch(() => undefined); // reported to the next call
    this.#open = open;
    this.summaries = {
      load: async (...args) => (await open()).summaries.load(...args),
      save: async (...args) => (await open()).summaries.save(...args),
      remove: async (...args) => (await open()).summaries.remove(...args),
      forgotten: async (...args) => (await open()).summaries.forgotten?.(...args) ?? [],
    };
  }

  async getMessages(): Promise<ChatMessage[]> {
    return (await this.#open()).getMessages();
  }

  async addMessages(messages: readonly CountedMessage[], options?: AddMessagesOptions): Promise<void> {
    const parsed = parseCountedMessages(messages); // parsed now, because the caller may change them later
    return (await this.#open()).addMessages(parsed, options);
  }

  async addMessage(message: ChatMessage): Promise<void> {
    await this.addMessages([message]);
  }

  async addUserMessage(text: string): Promise<void> {
    await this.addMessages([{ role: 'user', content: text }]);
  }

  async addAIMessage(text: string): Promise<void> {
    await this.addMessages([{ role: 'assistant', content: text }]);
  }

  async addAIChatMessage(text: string): Promise<void> {
    await this.addAIMessage(text);
  }

  async list(options?: ListMessagesOptions): Promise<StoredMessage[]> {
    return (await this.#open()).list(options);
  }

  async recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return (await this.#open()).recordTokens(tokenizerId, counts);
  }

  async clear(): Promise<void> {
    return (await this.#open()).clear();
  }
}
