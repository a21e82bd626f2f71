import type { ChatMessage, CountedMessage, StoredMessage } from '../model/message.ts';
import { MemoryEngine } from '../storage/memory-engine.ts';
import { Summaries } from '../storage/summaries.ts';
import { Transcript } from '../storage/transcript.ts';
import type {
  AddMessagesOptions,
  ChatMessageHistory,
  ListMessagesOptions,
  SessionSummaries,
} from './chat-message-history.ts';
import { parseCountedMessages, TranscriptHistory } from './transcript-history.ts';

/**
 * A history that lives as long as the page.
 *
 * @example
 * const history = new InMemoryChatMessageHistory([{ role: 'user', content: 'Hello' }]);
 */
export class InMemoryChatMessageHistory implements ChatMessageHistory {
  readonly #history: TranscriptHistory;

  /**
   * @param messages what it holds from the beginning
   * @throws MnemoraError `invalid-message`
   */
  constructor(messages: readonly CountedMessage[] = []) {
    const parsed = parseCountedMessages(messages);
    const engine = new MemoryEngine();
    // No jobs: what is done in the background is to survive the page.
    const stores = { transcript: new Transcript(engine), summaries: new Summaries(engine) };
    this.#history = new TranscriptHistory(stores, 'default');
    // Not waited for: a store in memory carries out its calls in the order in which they come.
    void this.#history.addMessages(parsed);
  }

  get summaries(): SessionSummaries {
    return this.#history.summaries;
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
