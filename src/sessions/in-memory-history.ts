import { memoizeAsync } from '../model/loading.ts';
import type { ChatMessage, CountedMessage, StoredMessage } from '../model/message.ts';
import {
  parseCountedMessages,
  type AddMessagesOptions,
  type ChatMessageHistory,
  type ListMessagesOptions,
  type SessionSummaries,
} from './chat-message-history.ts';
import { DEFAULT_SCOPE } from '../model/scope.ts';
import { TranscriptHistory } from './transcript-history.ts';

/**
 * A history in RAM that lives as long as the page.
 *
 * @example
 * const history = new InMemoryChatMessageHistory([{ role: 'user', content: 'Hello' }]);
 */
export class InMemoryChatMessageHistory implements ChatMessageHistory {
  readonly #history: TranscriptHistory;
  /** @internal */
  readonly summaries: SessionSummaries;

  /**
   * Creates a history, by default an empty one.
   *
   * @param messages initial messages
   * @throws MnemoraError `invalid-message`
   */
  constructor(messages: readonly CountedMessage[] = []) {
    const parsed = parseCountedMessages(messages);
    const open = memoizeAsync(async () => {
      const { openMemoryStores } = await import('./open-memory-history.ts');
      return openMemoryStores('default', parsed);
    });
    open().catch(() => undefined); // reported to the next call
    // Without an engine the history queues no jobs: background work has to survive the page.
    this.#history = new TranscriptHistory(async (use) => use(await open()), [DEFAULT_SCOPE, 'default']);
    this.summaries = this.#history.summaries;
  }

  getMessages(): Promise<ChatMessage[]> {
    return this.#history.getMessages();
  }

  addMessages(messages: readonly CountedMessage[], options?: AddMessagesOptions): Promise<void> {
    return this.#history.addMessages(messages, options);
  }

  addMessage(message: ChatMessage): Promise<void> {
    return this.#history.addMessage(message);
  }

  addUserMessage(text: string): Promise<void> {
    return this.#history.addUserMessage(text);
  }

  addAIMessage(text: string): Promise<void> {
    return this.#history.addAIMessage(text);
  }

  addAIChatMessage(text: string): Promise<void> {
    return this.#history.addAIChatMessage(text);
  }

  list(options?: ListMessagesOptions): Promise<StoredMessage[]> {
    return this.#history.list(options);
  }

  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#history.recordTokens(tokenizerId, counts);
  }

  clear(): Promise<void> {
    return this.#history.clear();
  }
}
