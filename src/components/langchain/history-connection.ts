import { checkOptions, objectWith } from '../../model/check-options.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { MnemoraError } from '../../model/error.ts';
import { messagesToText, messagesToXml } from '../../model/message-text.ts';
import { toChatMessage, type ChatMessage, type CountedMessage } from '../../model/message.ts';
import { warnOnce, type WarningListener } from '../../model/warning.ts';
import type { NewJob } from '../../storage/jobs/job-store.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { ChatHistoryOptions } from './chat-history-options.ts';
import { chooseInputKey, chooseOutputKey } from './input-key.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';

/** What the memories over a chat history share: the history itself, how a turn gets in and how messages come out. */
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
   * @param options checked ones
   * @param otherKeys further variables that the memory loads: none of them is the user's words
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

  /** @throws MnemoraError `invalid-input` where the user's words cannot be told. */
  checkInputs(inputs: Values): void {
    this.inputText(inputs);
  }

  /** The user's words. @throws MnemoraError `invalid-input` */
  inputText(inputs: Values): string {
    const key = chooseInputKey(inputs, { inputKey: this.#inputKey, exclude: this.memoryKeys });
    return requireText(inputs[key], 'input', key);
  }

  /** Stores both messages as one turn; with a tokenizer, counted; with jobs, in the transaction that queues them. */
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

  /** The variables that `loadMemoryVariables` returns. */
  render(messages: readonly ChatMessage[]): Record<string, unknown> {
    return {
      [this.#memoryKey]: this.#returnMessages ? messages.map(toChatMessage) : this.#renderText(messages),
    };
  }

  /** The variables that `loadMemoryVariables` returns of lines that nobody said: a system message each. */
  renderLines(lines: readonly string[]): Record<string, unknown> {
    const messages = lines.map((content): ChatMessage => ({ role: 'system', content }));
    if (this.#returnMessages || this.#format === 'xml') return this.render(messages);
    return { [this.#memoryKey]: lines.join('\n') };
  }

  /** Messages as lines of text, whatever form they are loaded in: what a model is given to read. */
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

/** Refuses options of a save that it does not know: a misspelt turn id would store the turn twice. */
export function checkSaveOptions(options: SaveContextOptions): void {
  checkOptions('saveContext', options, {
    turnId: () => undefined,
    signal: objectWith('throwIfAborted', 'addEventListener'),
  });
}
