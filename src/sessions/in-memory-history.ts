import type { ChatMessage, CountedMessage, StoredMessage } from '../model/message.ts';
import { parseCountedMessages } from './counted-messages.ts';
import { sharedOnceDone } from '../model/shared-once-done.ts';
import type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
  SessionSummaries,
} from './chat-message-history.ts';
import type { TranscriptHistory } from './transcript-history.ts';

/**
 * A history that lives as long as the page.
 *
 * @example
 * const history = new InMemoryChatMessageHistory([{ role: 'user', content: 'Hello' }]);
 */
export class InMemoryChatMessageHistory implements ChatMessageHistory {
  /** What it keeps them in, whose code a page loads when it makes the first history. */
  readonly #open: () => Promise<TranscriptHistory>;
  /** @internal */
  readonly summaries: SessionSummaries;

  /**
   * @param messages what it holds from the beginning
   * @throws MnemoraError `invalid-message`
   */
  constructor(messages: readonly CountedMessage[] = []) {
    const parsed = parseCountedMessages(messages);
    const open = sharedOnceDone(async () => {
      const { openMemoryHistory } = await import('./open-memory-history.ts');
      return openMemoryHistory(parsed);
    });
    open().catch(() => undefined); // whoever uses it is told
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
    const parsed = parseCountedMessages(messages); // now: the caller may change them meanwhile
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
