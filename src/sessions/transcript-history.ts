import type { Clock } from '../model/clock.ts';
import { requireId } from '../model/id.ts';
import {
  isNotice,
  toChatMessage,
  type ChatMessage,
  type CountedMessage,
  type StoredMessage,
} from '../model/message.ts';
import { inTurnOrder } from '../model/turn.ts';
import type { SessionKey } from '../storage/schema.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import {
  parseCountedMessages,
  type AddMessagesOptions,
  type ChatMessageHistory,
  type HistoryBackground,
  type ListMessagesOptions,
  type SessionSummaries,
} from './chat-message-history.ts';
import { storedSummaries, type UseStores } from './session-summaries.ts';
import { checkTurnState } from '../model/call-options.ts';
import { argument, wholeNumber } from '../model/check-options.ts';

/** A history that stores one session of a transcript. */
export class TranscriptHistory implements ChatMessageHistory {
  readonly #withStores: UseStores;
  readonly #key: SessionKey;
  readonly #clock: Clock;
  /** @internal */
  readonly summaries: SessionSummaries;
  /** @internal */
  readonly background?: HistoryBackground;

  /**
   * @internal
   * @param engine storage engine for background jobs. Absent if nothing is to be done in the background
   */
  constructor(withStores: UseStores, key: SessionKey, clock: Clock = Date.now, engine?: StorageEngine) {
    this.#withStores = withStores;
    this.#key = key;
    this.#clock = clock;
    this.summaries = storedSummaries(withStores, key, clock);
    if (engine) this.background = { scope: key[0], sessionId: key[1], engine };
  }

  async getMessages(): Promise<ChatMessage[]> {
    const messages = await this.list();
    return inTurnOrder(messages.filter((message) => message.state === 'complete')).map(toChatMessage);
  }

  async addMessages(messages: readonly CountedMessage[], options: AddMessagesOptions = {}): Promise<void> {
    const parsed = parseCountedMessages(messages);
    if (parsed.length === 0) return;
    const [scope, sessionId] = this.#key;
    // Made now, because the caller may change its parts later.
    const turn = {
      scope,
      sessionId,
      messages: parsed,
      ...(options.turnId === undefined ? {} : { turnId: requireId(options.turnId, 'A turn id') }),
      state: checkTurnState('The state of a turn', options.state ?? 'complete'),
      createdAt: this.#clock,
      ...(this.background && options.jobs ? { jobs: options.jobs } : {}),
    };
    await this.#withStores(({ transcript }) => transcript.append(turn, options.signal));
  }

  addMessage(message: ChatMessage): Promise<void> {
    return this.addMessages([message]);
  }

  addUserMessage(text: string): Promise<void> {
    return this.addMessages([{ role: 'user', content: text }]);
  }

  addAIMessage(text: string): Promise<void> {
    return this.addMessages([{ role: 'assistant', content: text }]);
  }

  addAIChatMessage(text: string): Promise<void> {
    return this.addAIMessage(text);
  }

  async list(options: ListMessagesOptions = {}): Promise<StoredMessage[]> {
    for (const name of ['last', 'beforeSeq'] as const) checkCount(name, options[name]);
    const read = (part: ListMessagesOptions): Promise<StoredMessage[]> =>
      this.#withStores(({ transcript }) => transcript.listMessages(this.#key, part));
    const { last = Infinity } = options;
    // Notices of the page are shown to the user only; no component reads them. A page is as full as without them.
    let page = await read(options);
    let found = page.filter((message) => !isNotice(message));
    for (let wanted = last; page.length === wanted && found.length < last;) {
      wanted = last - found.length;
      page = await read({ ...options, last: wanted, beforeSeq: page[0]?.seq ?? 0 });
      found = [...page.filter((message) => !isNotice(message)), ...found];
    }
    return found;
  }

  recordTokens(tokenizerId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#withStores(({ transcript }) => transcript.recordTokens(tokenizerId, counts));
  }

  async clear(): Promise<void> {
    await this.#withStores(({ transcript }) => transcript.clearSession(this.#key, 'keep-row'));
  }
}

function checkCount(name: string, value: number | undefined): void {
  if (value !== undefined && value !== Infinity) argument(wholeNumber(0))(name, value);
}
