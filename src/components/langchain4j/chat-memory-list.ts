import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../sessions/chat-memory-store.ts';
import { MnemoraError } from '../../model/error.ts';
import { parseMessages, toChatMessage, type ChatMessage, type CountedMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import { checkBoolean, checkMethods, checkName, checkWord } from '../../model/check-options.ts';
import { fitMessages, fitTurns, type ChatMemoryFit } from './fit-chat-memory.ts';
import { oneAtATime } from '../../model/one-at-a-time.ts';

/** Options of all chat memories. */
export interface ChatMemoryOptions {
  /** The name of the list in the store. @default 'default' */
  id?: string;
  /** @default new InMemoryChatMemoryStore() */
  store?: ChatMemoryStore;
  /** Put a system message before all others, whenever it is added. @default false */
  alwaysKeepSystemMessageFirst?: boolean;
  /**
   * What is evicted when the limit is reached. `turn`: whole turns; the newest one is kept until the next begins.
   * `message`: single messages, as LangChain4j does; the window may then begin in the middle of a turn.
   * @default 'turn'
   */
  evictionUnit?: 'turn' | 'message';
  /** Hears `over-budget` where the limit cannot be kept, or the newest turn not be shown whole. */
  onWarning?: WarningListener;
}

/** Names of {@link ChatMemoryOptions}, for the check against misspelt ones. */
export const CHAT_MEMORY_OPTION_NAMES: readonly (keyof ChatMemoryOptions)[] = [
  'id',
  'store',
  'alwaysKeepSystemMessageFirst',
  'evictionUnit',
  'onWarning',
];

/** What makes one chat memory differ from another. */
export interface ChatMemoryMeasure {
  /** How the limit is called in messages to the developer. */
  limitName: string;
  /** The limit as it stands now. @throws MnemoraError `invalid-option` */
  limit(): number;
  costOf(message: CountedMessage): number;
  /** Notes on a message what `costOf` will read, before it is stored. */
  prepare(message: CountedMessage): CountedMessage;
}

/**
 * The list behind a chat memory: reads it from the store, changes it, evicts, writes it back. Changes of one list are
 * made one at a time.
 */
export class ChatMemoryList {
  readonly id: string;
  readonly #store: ChatMemoryStore;
  readonly #systemFirst: boolean;
  readonly #unit: 'turn' | 'message';
  readonly #measure: ChatMemoryMeasure;
  readonly #onWarning: WarningListener | undefined;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ChatMemoryOptions, measure: ChatMemoryMeasure) {
    this.id = checkName('id', options.id ?? 'default');
    this.#store = checkMethods('store', options.store ?? new InMemoryChatMemoryStore(), [
      'getMessages',
      'updateMessages',
      'deleteMessages',
    ]);
    this.#systemFirst = checkBoolean(
      'alwaysKeepSystemMessageFirst',
      options.alwaysKeepSystemMessageFirst ?? false,
    );
    this.#unit = checkWord('evictionUnit', options.evictionUnit ?? 'turn', ['turn', 'message']);
    this.#measure = measure;
    this.#onWarning = options.onWarning;
  }

  /** One read and one write for all; no write where nothing changes. */
  async addAll(messages: readonly ChatMessage[]): Promise<void> {
    const added = this.#parse(messages);
    const limit = this.#measure.limit();
    let fit: ChatMemoryFit<CountedMessage> | undefined;
    await this.#change((list) => {
      fit = undefined;
      for (const message of added) {
        // LangChain4j evicts on reading too, which counts where the new message replaces another.
        const before: readonly CountedMessage[] =
          fit?.stored ?? (this.#unit === 'message' ? this.#fit(list, limit).stored : list);
        const next = this.#append(before, message);
        if (next) fit = this.#fit(next, limit);
      }
      return fit?.stored;
    });
    if (fit?.overBudget) this.#warn(limit);
  }

  /** One write, no read. */
  async set(messages: readonly ChatMessage[]): Promise<void> {
    const parsed = this.#parse(messages);
    if (parsed.length === 0) {
      throw new MnemoraError(
        'invalid-input',
        'The messages to set are null or empty. Use clear() to remove all.',
      );
    }
    const limit = this.#measure.limit();
    const fit = this.#fit(this.#unit === 'turn' ? this.#orderSystem(parsed) : parsed, limit);
    if (fit.overBudget) this.#warn(limit);
    await this.#serialise(() => this.#store.updateMessages(this.id, fit.stored));
  }

  /** What the model may see, after `added` would be appended. Writes nothing. */
  async messages(added: readonly ChatMessage[] = []): Promise<ChatMessage[]> {
    const limit = this.#measure.limit();
    const parsed = this.#parse(added);
    const stored = await this.#serialise(() => this.#store.getMessages(this.id));
    let list: readonly CountedMessage[] = stored.map((message) => this.#measure.prepare(message));
    for (const message of parsed) list = this.#append(list, message) ?? list;
    const fit = this.#fit(list, limit);
    if (fit.overBudget) this.#warn(limit);
    return fit.view.map(toChatMessage);
  }

  clear(): Promise<void> {
    return this.#serialise(() => this.#store.deleteMessages(this.id));
  }

  #parse(messages: readonly ChatMessage[]): CountedMessage[] {
    return parseMessages(messages).map((message) => this.#measure.prepare(message));
  }

  /** The list with the message; undefined where it is the system message that is there already. */
  #append(list: readonly CountedMessage[], message: CountedMessage): CountedMessage[] | undefined {
    if (message.role !== 'system') return [...list, message];
    const known = list.findLast((candidate) => candidate.role === 'system');
    if (known?.content === message.content) return undefined;
    const others = list.filter((candidate) => candidate !== known);
    return this.#systemFirst ? [message, ...others] : [...others, message];
  }

  /** One system message, the last; first where that is asked for. */
  #orderSystem(messages: readonly CountedMessage[]): CountedMessage[] {
    const system = messages.findLast((message) => message.role === 'system');
    const kept = messages.filter((message) => message.role !== 'system' || message === system);
    if (!system || !this.#systemFirst) return kept;
    return [system, ...kept.filter((message) => message !== system)];
  }

  #fit(list: readonly CountedMessage[], limit: number): ChatMemoryFit<CountedMessage> {
    const costOf = (message: CountedMessage): number => this.#measure.costOf(message);
    return this.#unit === 'turn' ? fitTurns(list, limit, costOf) : fitMessages(list, limit, costOf);
  }

  #change(change: (list: readonly CountedMessage[]) => readonly CountedMessage[] | undefined): Promise<void> {
    const prepared = (list: readonly CountedMessage[]): readonly CountedMessage[] | undefined =>
      change(list.map((message) => this.#measure.prepare(message)));
    return this.#serialise(async () => {
      if (this.#store.changeMessages) return this.#store.changeMessages(this.id, prepared);
      const changed = prepared(await this.#store.getMessages(this.id));
      if (changed) await this.#store.updateMessages(this.id, changed);
    });
  }

  #serialise<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#store, this.id, task);
  }

  #warn(limit: number): void {
    this.#onWarning?.({
      code: 'over-budget',
      message: `Not all that must be kept fits into ${this.#measure.limitName} ${limit}: of the newest turn and the system message the model sees what had to stay.`,
    });
  }
}
