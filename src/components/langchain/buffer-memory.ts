import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { CHAT_HISTORY_OPTION_NAMES, type ChatHistoryOptions } from './chat-history-options.ts';
import { checkOptionNames } from '../../model/check-options.ts';
import { HistoryConnection } from './history-connection.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';

export type ConversationBufferMemoryOptions = ChatHistoryOptions;

/**
 * Loads the whole history.
 *
 * @example
 * const memory = new ConversationBufferMemory();
 * await memory.saveContext({ input: 'hi' }, { output: 'hello' });
 * await memory.loadMemoryVariables({}); // { history: 'Human: hi\nAI: hello' }
 */
export class ConversationBufferMemory implements Memory {
  readonly #connection: HistoryConnection;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationBufferMemoryOptions = {}) {
    checkOptionNames('ConversationBufferMemory', options, CHAT_HISTORY_OPTION_NAMES);
    this.#connection = new HistoryConnection(options);
  }

  get memoryKeys(): readonly string[] {
    return this.#connection.memoryKeys;
  }

  /** Where the messages are. */
  get chatHistory(): ChatMessageHistory {
    return this.#connection.history;
  }

  checkInputs(inputs: Values): void {
    this.#connection.checkInputs(inputs);
  }

  async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    return this.#connection.render(await this.#connection.history.getMessages());
  }

  /** Stores the turn. @throws MnemoraError `invalid-input` where input or output cannot be told. */
  saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    return this.#connection.save(inputs, outputs, options);
  }

  /** Removes all messages of the history. */
  clear(): Promise<void> {
    return this.#connection.history.clear();
  }
}
