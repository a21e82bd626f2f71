import {
  checkBoolean,
  checkFunction,
  checkName,
  checkOptions,
  checkString,
  objectWith,
  oneOf,
  type OptionChecks,
  anything,
} from '../../model/check-options.ts';
import { invalidInput } from '../../model/error.ts';
import { messagesToText, messagesToXml } from '../../model/message-text.ts';
import { toChatMessage, type ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { warningListener, warnOnce, type WarningListener } from '../../model/warning.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import type { NewJob } from '../../storage/jobs/job-plan.ts';
import { withTokens } from '../../tokens/count-in-slices.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { BaseMemory, SaveContextOptions, Values } from './base-memory.ts';
import { chooseInputKey, chooseOutputKey } from './input-key.ts';

/** Options of all memories that read from a chat history. */
export interface ChatHistoryOptions {
  /** Chat history that stores the messages. @default new InMemoryChatMessageHistory() */
  chatHistory?: ChatMessageHistory;
  /** Name of the variable that contains the messages. @default 'history' */
  memoryKey?: string;
  /** Name of the input with the user's message. @default the only one that is not a variable of the memory */
  inputKey?: string;
  /** Name of the output with the answer. @default the only one; of several, the first of output, answer, response, text */
  outputKey?: string;
  /** Label of user messages in text. @default 'Human' */
  humanPrefix?: string;
  /** Label of assistant messages in text. @default 'AI' */
  aiPrefix?: string;
  /** Whether to return messages instead of text. @default false */
  returnMessages?: boolean;
  /**
   * Format of messages as text. `text`: a line `Human: …` for each message, unescaped, so that a message with a line break
   * can look like two messages. `xml`: an escaped element for each message, which no message can forge.
   * @default 'text'
   */
  format?: 'text' | 'xml';
  /** Called for problems that do not stop the work, such as a guessed output key or an exceeded budget. */
  onWarning?: WarningListener;
}

export const CHAT_HISTORY_CHECKS: OptionChecks<ChatHistoryOptions> = {
  chatHistory: objectWith('getMessages', 'addMessages', 'list', 'clear'),
  memoryKey: checkName,
  inputKey: checkName,
  outputKey: checkName,
  humanPrefix: checkString,
  aiPrefix: checkString,
  returnMessages: checkBoolean,
  format: oneOf('text', 'xml'),
  onWarning: checkFunction,
};

/** A memory component over a chat history. */
export abstract class HistoryMemory implements BaseMemory {
  /** Chat history that stores the messages. */
  readonly chatHistory: ChatMessageHistory;
  /** @internal Counts messages before they are stored, unless they are long. Undefined if no counts are stored with a turn. */
  protected readonly counter?: () => Promise<Tokenizer>;
  readonly #options: ChatHistoryOptions;
  readonly #memoryKey: string;
  readonly #otherKeys: readonly string[];
  /** @internal Reports a problem. */
  protected readonly warn: WarningListener;
  /** @internal Reports the first problem of each kind. */
  protected readonly warnOnce: WarningListener;

  /**
   * @internal
   * @param options checked options
   * @param otherKeys further variables of the memory, which are never the user's message
   */
  protected constructor(options: ChatHistoryOptions, otherKeys: readonly string[] = []) {
    this.#options = { ...options };
    this.chatHistory = options.chatHistory ?? new InMemoryChatMessageHistory();
    this.#memoryKey = options.memoryKey ?? 'history';
    this.#otherKeys = otherKeys;
    this.warn = warningListener(options.onWarning);
    this.warnOnce = warnOnce(options.onWarning);
  }

  get memoryKeys(): string[] {
    return [...this.#otherKeys, this.#memoryKey];
  }

  checkInputs(inputs: Values, outputs?: Values): void {
    this.inputText(inputs);
    if (outputs) this.#outputText(outputs);
  }

  abstract loadMemoryVariables(inputs: Values): Promise<Record<string, unknown>>;

  /** Stores the turn. @throws MnemoraError `invalid-input` if input or output cannot be identified */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    checkSaveOptions(options);
    await this.store(inputs, outputs, options, []);
  }

  /** Deletes all messages of the history. */
  clear(): Promise<void> {
    return this.chatHistory.clear();
  }

  /** @internal Stores both messages as one turn, in one transaction with any jobs. */
  protected async store(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions,
    jobs: readonly NewJob[],
  ): Promise<void> {
    options.signal?.throwIfAborted();
    const turn: ChatMessage[] = [
      { role: 'user', content: this.inputText(inputs) },
      { role: 'assistant', content: this.#outputText(outputs) },
    ];
    const tokenizer = this.counter && (await this.counter());
    const counted = turn.map((message) => withTokens(message, tokenizer));
    await this.chatHistory.addMessages(counted, { ...options, ...(jobs.length > 0 ? { jobs } : {}) });
  }

  /** @internal Returns the user's message. @throws MnemoraError `invalid-input` if it cannot be identified */
  protected inputText(inputs: Values): string {
    const key = chooseInputKey(inputs, { inputKey: this.#options.inputKey, exclude: this.memoryKeys });
    return requireText(inputs[key], 'input', key);
  }

  /**
   * @internal Returns the variables for `loadMemoryVariables`. A tool result whose call is not among the messages, because
   * it was forgotten or is outside of a window, is left out: endpoints refuse it.
   * @param text the messages as text. @default lines with their speakers
   */
  protected render(messages: readonly ChatMessage[], text?: string): Record<string, unknown> {
    return { [this.#memoryKey]: this.#rendered(dropOrphanToolResults(messages), text) };
  }

  /** @internal Returns messages as lines of text for a model, regardless of the format in which they are loaded. */
  protected toText(messages: readonly ChatMessage[]): string {
    return messagesToText(messages, this.#options);
  }

  #rendered(messages: readonly ChatMessage[], text = this.toText(messages)): string | ChatMessage[] {
    if (this.#options.returnMessages) return messages.map(toChatMessage);
    return this.#options.format === 'xml' ? messagesToXml(messages) : text;
  }

  #outputText(outputs: Values): string {
    const { outputKey } = this.#options;
    const key = chooseOutputKey(outputs, { outputKey, onWarning: this.warnOnce });
    return requireText(outputs[key], 'output', key);
  }
}

function requireText(value: unknown, kind: 'input' | 'output', key: string): string {
  if (typeof value === 'string') return value;
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw invalidInput(
    `The ${kind} "${key}" must be a string, not ${found}. Add other kinds of messages directly to the chat history.`,
  );
}

/** Rejects unknown options of a save: a misspelled `turnId` would store the turn twice. */
export function checkSaveOptions(options: SaveContextOptions): void {
  checkOptions('saveContext', options, {
    turnId: anything,
    signal: objectWith('throwIfAborted', 'addEventListener'),
  });
}
