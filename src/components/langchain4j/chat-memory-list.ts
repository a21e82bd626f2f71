import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../sessions/chat-memory-store.ts';
import { abortable } from '../../model/abortable.ts';
import { invalidInput } from '../../model/error.ts';
import { parseMessages, toChatMessage, type ChatMessage, type CountedMessage } from '../../model/message.ts';
import { warningListener, type WarningListener } from '../../model/warning.ts';
import {
  checkBoolean,
  checkFunction,
  checkName,
  wholeNumber,
  objectWith,
  oneOf,
  type OptionChecks,
} from '../../model/check-options.ts';
import { fitMessages, fitTurns, type ChatMemoryFit, messagesAfter } from './fit-chat-memory.ts';
import { oneAtATime } from '../../model/named-queue.ts';
import { countInSlices } from '../../tokens/count-in-slices.ts';
import { wholeCount, type Tokenizer } from '../../tokens/tokenizer.ts';

/** Options of all chat memories. */
export interface ChatMemoryOptions {
  /** Id of the memory, under which the store keeps its messages. @default 'default' */
  id?: string;
  /** Store of the messages. @default new InMemoryChatMemoryStore() */
  store?: ChatMemoryStore;
  /** Whether a system message is put before all others, whenever it is added. @default false */
  alwaysKeepSystemMessageFirst?: boolean;
  /**
   * Unit of eviction when the limit is reached. `turn`: whole turns; the newest turn is kept until the next one begins.
   * `message`: single messages, as in LangChain4j, so that the window may begin in the middle of a turn.
   * @default 'turn'
   */
  evictionUnit?: 'turn' | 'message';
  /** Called with `over-budget` if the limit is exceeded, or the newest turn cannot be shown as a whole. */
  onWarning?: WarningListener;
}

export const CHAT_MEMORY_CHECKS: OptionChecks<ChatMemoryOptions> = {
  id: checkName,
  store: objectWith('getMessages', 'updateMessages', 'deleteMessages'),
  alwaysKeepSystemMessageFirst: checkBoolean,
  evictionUnit: oneOf('turn', 'message'),
  onWarning: checkFunction,
};

/** A limit: a number, or a function of the memory's id that is called for each use. */
export type ChatMemoryLimit = number | ((id: string) => number);

/** Returns the answer to a user message, including tool calls and results. */
export type AnswerTurn = (messages: ChatMessage[]) => Promise<ChatMessage | readonly ChatMessage[]>;

/** Unit and limit of a chat memory. */
interface ChatMemoryMeasure {
  /** Name of the limit in error messages. */
  readonly name: string;
  readonly limit: ChatMemoryLimit;
  /** Counts the tokens of a message, once, before it is stored. @default the limit is a number of messages */
  readonly tokenizer?: Tokenizer;
}

/**
 * The messages of a chat memory. Each change reads them from the store, applies the change, evicts, and writes them back.
 * Changes of one memory are serialized.
 */
export abstract class ChatMemoryList {
  readonly id: string;
  readonly #options: ChatMemoryOptions;
  readonly #store: ChatMemoryStore;
  readonly #measure: ChatMemoryMeasure;
  readonly #onWarning: WarningListener;

  /**
   * @internal
   * @throws MnemoraError `invalid-option` if the limit is not a whole number from 1
   */
  constructor(options: ChatMemoryOptions, measure: ChatMemoryMeasure) {
    this.#options = { ...options };
    this.id = options.id ?? 'default';
    this.#store = options.store ?? new InMemoryChatMemoryStore();
    this.#measure = measure;
    this.#onWarning = warningListener(options.onWarning);
    this.#limit();
  }

  /** @throws MnemoraError `invalid-message` */
  add(message: ChatMessage): Promise<void> {
    return this.addAll([message]);
  }

  /**
   * Adds messages with one read and one write, or without a write if nothing changes.
   *
   * @throws MnemoraError `invalid-message`, in which case nothing is added
   */
  async addAll(messages: readonly ChatMessage[]): Promise<void> {
    const parsed = parseMessages(messages);
    const limit = this.#limit();
    let fit: ChatMemoryFit<CountedMessage> | undefined;
    await this.#serialize(async () => {
      const given = await this.#countAll(parsed);
      await this.#change((list, added) => {
        fit = undefined;
        for (const message of given) {
          // LangChain4j evicts when it reads as well, which matters if the new message replaces another.
          const before: readonly CountedMessage[] =
            fit?.stored ?? (this.#isByMessage ? this.#fit(list, limit).stored : list);
          const next = this.#append(before, message);
          if (!next) continue;
          fit = this.#fit(next, limit);
          added.push(message);
        }
        return fit?.stored;
      });
    });
    if (fit?.overBudget) this.#warn(limit);
  }

  /** Replaces all messages in one write. @throws MnemoraError `invalid-input` if the list is empty */
  async set(messages: readonly ChatMessage[]): Promise<void> {
    const parsed = parseMessages(messages);
    if (parsed.length === 0) {
      throw invalidInput(
        'The list of messages to set must not be empty. Use clear() to remove all messages.',
      );
    }
    const limit = this.#limit();
    await this.#serialize(async () => {
      const given = await this.#countAll(parsed);
      const fit = this.#fit(this.#isByMessage ? given : this.#orderSystem(given), limit);
      if (fit.overBudget) this.#warn(limit);
      if (!this.#store.changeMessages) return this.#store.updateMessages(this.id, fit.stored);
      await this.#change((list, added) => {
        added.push(...messagesAfter(list, given));
        return fit.stored;
      });
    });
  }

  /** Returns the messages for the model, oldest first, as a new array. Writes nothing, even if the limit has decreased. */
  messages(): Promise<ChatMessage[]> {
    return this.#messagesWith([]);
  }

  /**
   * Runs one turn: calls `answer` with the messages including the new user message, and stores both that and the answer.
   * Nothing is written before the answer has arrived, so that a failed call leaves nothing behind and can be repeated.
   *
   * @returns the messages after the turn
   */
  async runTurn(
    userMessage: ChatMessage,
    answer: AnswerTurn,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ChatMessage[]> {
    signal?.throwIfAborted();
    // Copied now, because the caller may change it while the model answers.
    const asked = parseMessages([userMessage]);
    const answered = await abortable(answer(await this.#messagesWith(asked)), signal);
    signal?.throwIfAborted();
    const answers: readonly ChatMessage[] = Array.isArray(answered) ? answered : [answered as ChatMessage];
    await this.addAll([...asked, ...answers]);
    return this.messages();
  }

  /** Deletes all messages, including the system message. */
  clear(): Promise<void> {
    return this.#serialize(() => this.#store.deleteMessages(this.id));
  }

  /** Returns the messages for the model as if `added` had been appended. Writes nothing. */
  async #messagesWith(added: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const limit = this.#limit();
    const stored = await this.#serialize(() => this.#store.getMessages(this.id));
    let list: readonly CountedMessage[] = await this.#countAll(stored);
    for (const message of await this.#countAll(added)) list = this.#append(list, message) ?? list;
    const fit = this.#fit(list, limit);
    if (fit.overBudget) this.#warn(limit);
    return fit.view.map(toChatMessage);
  }

  /** Counts messages, and yields to the event loop while it counts a long one. */
  async #countAll(messages: readonly CountedMessage[]): Promise<CountedMessage[]> {
    const { tokenizer } = this.#measure;
    const counted: CountedMessage[] = [];
    for (const message of messages) {
      const isCounted = !tokenizer || message.tokens?.[tokenizer.id] !== undefined;
      const tokens = isCounted ? undefined : { [tokenizer.id]: await countInSlices(tokenizer, message) };
      counted.push(tokens ? { ...message, tokens: { ...message.tokens, ...tokens } } : message);
    }
    return counted;
  }

  /** Returns the list with the message; undefined if it is an identical system message. */
  #append(list: readonly CountedMessage[], message: CountedMessage): CountedMessage[] | undefined {
    if (message.role !== 'system') return [...list, message];
    const known = list.findLast((candidate) => candidate.role === 'system');
    if (known?.content === message.content) return undefined;
    const others = list.filter((candidate) => candidate !== known);
    return this.#options.alwaysKeepSystemMessageFirst ? [message, ...others] : [...others, message];
  }

  /** Keeps only the last system message, and puts it first if the option says so. */
  #orderSystem(messages: readonly CountedMessage[]): CountedMessage[] {
    const system = messages.findLast((message) => message.role === 'system');
    const kept = messages.filter((message) => message.role !== 'system' || message === system);
    if (!system || !this.#options.alwaysKeepSystemMessageFirst) return kept;
    return [system, ...kept.filter((message) => message !== system)];
  }

  get #isByMessage(): boolean {
    return this.#options.evictionUnit === 'message';
  }

  #fit(list: readonly CountedMessage[], limit: number): ChatMemoryFit<CountedMessage> {
    const costOf = (message: CountedMessage): number => this.#costOf(message);
    return this.#isByMessage ? fitMessages(list, limit, costOf) : fitTurns(list, limit, costOf);
  }

  #costOf(message: CountedMessage): number {
    const { tokenizer } = this.#measure;
    if (!tokenizer) return 1;
    return message.tokens?.[tokenizer.id] ?? wholeCount(tokenizer, tokenizer.countMessage(message));
  }

  #counted(message: CountedMessage): CountedMessage {
    const { tokenizer } = this.#measure;
    if (!tokenizer) return message;
    return { ...message, tokens: { ...message.tokens, [tokenizer.id]: this.#costOf(message) } };
  }

  #limit(): number {
    const { name, limit } = this.#measure;
    return wholeNumber(1)(name, typeof limit === 'function' ? limit(this.id) : limit);
  }

  /**
   * Changes the stored messages. Call it within {@link #serialize}.
   *
   * @param change returns the new list, and collects the messages that are new in it
   */
  async #change(
    change: (
      list: readonly CountedMessage[],
      added: CountedMessage[],
    ) => readonly CountedMessage[] | undefined,
  ): Promise<void> {
    const added: CountedMessage[] = [];
    const counted = (list: readonly CountedMessage[]): readonly CountedMessage[] | undefined => {
      added.length = 0;
      return change(
        list.map((message) => this.#counted(message)),
        added,
      );
    };
    if (this.#store.changeMessages) return this.#store.changeMessages(this.id, counted, added);
    const changed = counted(await this.#store.getMessages(this.id));
    if (changed) await this.#store.updateMessages(this.id, changed);
  }

  #serialize<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#store, this.id, task);
  }

  #warn(limit: number): void {
    const message = `${this.#measure.name} ${limit} is too small for the system message and the newest turn; the model receives a shortened window.`;
    this.#onWarning({ code: 'over-budget', message });
  }
}
