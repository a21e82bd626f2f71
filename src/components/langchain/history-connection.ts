import { checkOptions, objectWith } from '../../model/check-options.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { MnemoraError } from '../../model/error.ts';
import { messagesToText, messagesToXml } from '../../model/message-text.ts';
import { toChatMessage, type ChatMessage, type CountedMessage } from '../../model/message.ts';
import { warnOnce, type WarningListener } from '../../model/warning.ts';
import type { NewJob } from '../../storage/jobs/job-plan.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { ChatHistoryOptions } from './chat-history-options.ts';
import { chooseInputKey, chooseOutputKey } from './input-key.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';

/** The chat history of a memory component, with the code that stores turns and renders messages. */
export class HistoryConnection {
  readonly history: ChatMessageHistory;
  readonly memoryKeys: readonly string[];
  readonly #memoryKey: string;
  readonly #inputKey: string | undefined;
  readonly #outputKey: string | undefined;
  readonly #prefixes: { humanPrefix: string; aiPrefix: string };
  readonly #returnMessages: boolean;
  readonly #format: 'text' | 'xml';
  readonly #warnOnce: WarningListener;

  /**
   * @param options checked options
   * @param otherKeys further variables of the memory, which are never the user's message
   */
  constructor(options: ChatHistoryOptions, otherKeys: readonly string[] = []) {
    this.history = options.chatHistory ?? new InMemoryChatMessageHistory();
    this.#memoryKey = options.memoryKey ?? 'history';
    this.memoryKeys = Object.freeze([...otherKeys, this.#memoryKey]);
    this.#inputKey = options.inputKey;
    this.#outputKey = options.outputKey;
    this.#prefixes = { humanPrefix: options.humanPrefix ?? 'Human', aiPrefix: options.aiPrefix ?? 'AI' };
    this.#returnMessages = options.returnMessages ?? false;
    this.#format = options.format ?? 'text';
    this.#warnOnce = warnOnce(options.onWarning);
  }

  /** @throws MnemoraError `invalid-input` if the user's message cannot be identified */
  checkInputs(inputs: Values): void {
    this.inputText(inputs);
  }

  /** Returns the user's message. @throws MnemoraError `invalid-input` if it cannot be identified */
  inputText(inputs: Values): string {
    const key = chooseInputKey(inputs, { inputKey: this.#inputKey, exclude: this.memoryKeys });
    return requireText(inputs[key], 'input', key);
  }

  /** Stores both messages as one turn: with token counts if a tokenizer is given, and in one transaction with any jobs. */
  async save(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions,
    { tokenizer, jobs }: { readonly tokenizer?: Tokenizer; readonly jobs?: readonly NewJob[] } = {},
  ): Promise<void> {
    checkSaveOptions(options);
    options.signal?.throwIfAborted();
    const turn: ChatMessage[] = [
      { role: 'user', content: this.inputText(inputs) },
      { role: 'assistant', content: this.#outputText(outputs) },
    ];
    const counted: CountedMessage[] = turn.map((message) =>
      tokenizer ? { ...message, tokens: { [tokenizer.id]: tokenizer.countMessage(message) } } : message,
    );
    await this.history.addMessages(counted, { ...options, ...(jobs?.length ? { jobs } : {}) });
  }

  /** Returns the variables for `loadMemoryVariables`. */
  render(messages: readonly ChatMessage[]): Record<string, unknown> {
    return {
      [this.#memoryKey]: this.#returnMessages ? messages.map(toChatMessage) : this.#renderText(messages),
    };
  }

  /** Returns the variables for lines that are not messages; as messages, each is a system message. */
  renderLines(lines: readonly string[]): Record<string, unknown> {
    const messages = lines.map((content): ChatMessage => ({ role: 'system', content }));
    if (this.#returnMessages || this.#format === 'xml') return this.render(messages);
    return { [this.#memoryKey]: lines.join('\n') };
  }

  /** Returns messages as lines of text for a model, regardless of the format in which they are loaded. */
  toText(messages: readonly ChatMessage[]): string {
    return messagesToText(messages, this.#prefixes);
  }

  #renderText(messages: readonly ChatMessage[]): string {
    return this.#format === 'xml' ? messagesToXml(messages) : this.toText(messages);
  }

  #outputText(outputs: Values): string {
    const key = chooseOutputKey(outputs, { outputKey: this.#outputKey, onWarning: this.#warnOnce });
    return requireText(outputs[key], 'output', key);
  }
}

function requireText(value: unknown, kind: 'input' | 'output', key: string): string {
  if (typeof value === 'string') return value;
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new MnemoraError(
    'invalid-input',
    `The ${kind} "${key}" must be a string, not ${found}. Add other messages to the chat history itself.`,
  );
}

/** Rejects unknown options of a save: a misspelled `turnId` would store the turn twice. */
export function checkSaveOptions(options: SaveContextOptions): void {
  checkOptions('saveContext', options, {
    turnId: () => undefined,
    signal: objectWith('throwIfAborted', 'addEventListener'),
  });
}
