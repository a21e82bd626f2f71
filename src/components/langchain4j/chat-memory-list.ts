import { InMemoryChatMemoryStore, type ChatMemoryStore } from '../../sessions/chat-memory-store.ts';
import { MnemoraError } from '../../model/error.ts';
import { parseMessages, toChatMessage, type ChatMessage, type CountedMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import {
  checkBoolean,
  checkName,
  checkWholeNumber,
  objectWith,
  oneOf,
  type OptionChecks,
} from '../../model/check-options.ts';
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

export const CHAT_MEMORY_CHECKS: OptionChecks<ChatMemoryOptions> = {
  id: checkName,
  store: objectWith('getMessages', 'updateMessages', 'deleteMessages'),
  alwaysKeepSystemMessageFirst: checkBoolean,
  evictionUnit: oneOf('turn', 'message'),
  onWarning: () => undefined,
};

/** A limit: a number, or a function of the memory's id that is asked at each use. */
export type ChatMemoryLimit = number | ((id: string) => number);

/** Makes the answer to a user message: what the model says, tool calls and results included. */
export type AnswerTurn = (messages: ChatMessage[]) => Promise<ChatMessage | readonly ChatMessage[]>;

/** What makes one chat memory differ from another. */
export interface ChatMemoryMeasure {
  /** How the limit is called in messages to the developer. */
  limitName: string;
  limit: ChatMemoryLimit;
  costOf(message: CountedMessage): number;
  /** Notes on a message what `costOf` will read, before it is stored. */
  prepare(message: CountedMessage): CountedMessage;
}

/**
 * The list of a chat memory: reads it from the store, changes it, evicts, writes it back. Changes of one list are made
 * one at a time.
 */
export abstract class ChatMemoryList {
  readonly id: string;
  readonly #store: ChatMemoryStore;
  readonly #systemFirst: boolean;
  readonly #unit: 'turn' | 'message';
  readonly #measure: ChatMemoryMeasure;
  readonly #onWarning: WarningListener | undefined;

  /**
   * @internal
   * @throws MnemoraError `invalid-option` where the limit is not a whole number from 1
   */
  constructor(options: ChatMemoryOptions, measure: ChatMemoryMeasure) {
    this.id = options.id ?? 'default';
    this.#store = options.store ?? new InMemoryChatMemoryStore();
    this.#systemFirst = options.alwaysKeepSystemMessageFirst ?? false;
    this.#unit = options.evictionUnit ?? 'turn';
    this.#measure = measure;
    this.#onWarning = options.onWarning;
    this.#limit();
  }

  /** @throws MnemoraError `invalid-message` */
  add(message: ChatMessage): Promise<void> {
    return this.addAll([message]);
  }

  /**
   * Adds in one read and one write; writes nothing where nothing changes.
   *
   * @throws MnemoraError `invalid-message`; nothing was added then
   */
  async addAll(messages: readonly ChatMessage[]): Promise<void> {
    const given = this.#parse(messages);
    const limit = this.#limit();
    let fit: ChatMemoryFit<CountedMessage> | undefined;
    await this.#change((list, added) => {
      fit = undefined;
      for (const message of given) {
        // LangChain4j evicts on reading too, which counts where the new message replaces another.
        const before: readonly CountedMessage[] =
          fit?.stored ?? (this.#unit === 'message' ? this.#fit(list, limit).stored : list);
        const next = this.#append(before, message);
        if (!next) continue;
        fit = this.#fit(next, limit);
        added.push(message);
      }
      return fit?.stored;
    });
    if (fit?.overBudget) this.#warn(limit);
  }

  /** Replaces all messages in one write. @throws MnemoraError `invalid-input` where there are none. */
  async set(messages: readonly ChatMessage[]): Promise<void> {
    const parsed = this.#parse(messages);
    if (parsed.length === 0) {
      throw new MnemoraError(
        'invalid-input',
        'The messages to set are null or empty. Use clear() to remove all.',
      );
    }
    const limit = this.#limit();
    const fit = this.#fit(this.#unit === 'turn' ? this.#orderSystem(parsed) : parsed, limit);
    if (fit.overBudget) this.#warn(limit);
    if (!this.#store.changeMessages) {
      return this.#serialize(() => this.#store.updateMessages(this.id, fit.stored));
    }
    await this.#change((list, added) => {
      added.push(...messagesAfter(list, parsed));
      return fit.stored;
    });
  }

  /** What the model may see, oldest first, in a fresh array. Writes nothing, also where the limit has shrunk. */
  messages(): Promise<ChatMessage[]> {
    return this.#messagesWith([]);
  }

  /**
   * Runs one turn: `answer` gets the messages with the user's, and what it gives is stored together with that. Nothing is
   * written before the answer is there, so that a call that fails leaves nothing behind and can be tried again.
   *
   * @returns the messages afterwards
   */
  async runTurn(
    userMessage: ChatMessage,
    answer: AnswerTurn,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ChatMessage[]> {
    signal?.throwIfAborted();
    const answered = await answer(await this.#messagesWith([userMessage]));
    signal?.throwIfAborted();
    const answers: readonly ChatMessage[] = Array.isArray(answered) ? answered : [answered as ChatMessage];
    await this.addAll([userMessage, ...answers]);
    return this.messages();
  }

  /** Removes all messages, the system message too. */
  clear(): Promise<void> {
    return this.#serialize(() => this.#store.deleteMessages(this.id));
  }

  /** What the model may see, after `added` would be appended. Writes nothing. */
  async #messagesWith(added: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const limit = this.#limit();
    const parsed = this.#parse(added);
    const stored = await this.#serialize(() => this.#store.getMessages(this.id));
    let list: readonly CountedMessage[] = stored.map((message) => this.#measure.prepare(message));
    for (const message of parsed) list = this.#append(list, message) ?? list;
    const fit = this.#fit(list, limit);
    if (fit.overBudget) this.#warn(limit);
    return fit.view.map(toChatMessage);
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

  #limit(): number {
    const { limitName, limit } = this.#measure;
    return checkWholeNumber(limitName, typeof limit === 'function' ? limit(this.id) : limit, 1);
  }

  /** @param change gives the new list, and collects the messages that were not in it before */
  #change(
    change: (
      list: readonly CountedMessage[],
      added: CountedMessage[],
    ) => readonly CountedMessage[] | undefined,
  ): Promise<void> {
    const added: CountedMessage[] = [];
    const prepared = (list: readonly CountedMessage[]): readonly CountedMessage[] | undefined => {
      added.length = 0;
      return change(
        list.map((message) => this.#measure.prepare(message)),
        added,
      );
    };
    return this.#serialize(async () => {
      if (this.#store.changeMessages) return this.#store.changeMessages(this.id, prepared, added);
      const changed = prepared(await this.#store.getMessages(this.id));
      if (changed) await this.#store.updateMessages(this.id, changed);
    });
  }

  #serialize<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#store, this.id, task);
  }

  #warn(limit: number): void {
    this.#onWarning?.({
      code: 'over-budget',
      message: `Not all that must be kept fits into ${this.#measure.limitName} ${limit}: of the newest turn and the system message the model sees what had to stay.`,
    });
  }
}

/**
 * What a list adds to one that is known, of which older messages may have been evicted: all that comes after the longest
 * stretch that both have, and a system message that is another one.
 */
function messagesAfter<T extends ChatMessage>(known: readonly T[], list: readonly T[]): T[] {
  const isSaid = (message: ChatMessage): boolean => message.role !== 'system';
  const keyOf = (message: ChatMessage): string => JSON.stringify(toChatMessage(message));
  const [before, said] = [known.filter(isSaid).map(keyOf), list.filter(isSaid)];
  const after = said.map(keyOf);
  const knownKeys = new Set(known.map(keyOf));
  const systems = list.filter((message) => !isSaid(message) && !knownKeys.has(keyOf(message)));
  // Whoever says the same again says something new, where nothing was evicted.
  const isWhole = before.every((key, position) => after[position] === key);
  return [...systems, ...said.slice(isWhole ? before.length : endOfLongestStretch(before, after))];
}

/** Where in the second list the longest stretch ends that is in the first, too; the last of several. */
function endOfLongestStretch(before: readonly string[], after: readonly string[]): number {
  let longest = 0;
  let end = 0;
  // How long the stretch is that ends at each place of the first list.
  let lengths: number[] = [];
  for (const [at, key] of after.entries()) {
    const previous = lengths;
    lengths = before.map((other, position) => (other === key ? (previous[position - 1] ?? 0) + 1 : 0));
    const length = Math.max(0, ...lengths);
    if (length > 0 && length >= longest) [longest, end] = [length, at + 1];
  }
  return end;
}
