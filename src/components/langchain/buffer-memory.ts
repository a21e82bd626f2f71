import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { CountedTokens } from '../../sessions/counted-tokens.ts';
import { checkOptions, objectWith, wholeNumber } from '../../model/check-options.ts';
import type { ChatMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { HistoryConnection } from './history-connection.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';

export interface ConversationBufferMemoryOptions extends ChatHistoryOptions {
  /**
   * Warns `over-budget` at each load of more tokens than this. All of the history is loaded all the same: to load less,
   * use ConversationTokenBufferMemory.
   * @default no limit; 2000 where a tokenizer is given
   */
  maxTokenLimit?: number;
  /** Counts for `maxTokenLimit`. @default tiktokenTokenizer(), loaded at the first use */
  tokenizer?: Tokenizer;
}

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
  readonly #options: ConversationBufferMemoryOptions;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationBufferMemoryOptions = {}) {
    this.#options = checkOptions('ConversationBufferMemory', options, {
      ...CHAT_HISTORY_CHECKS,
      maxTokenLimit: wholeNumber(0),
      tokenizer: objectWith('countMessage'),
    });
    const { tokenizer, onWarning } = options;
    this.#connection = new HistoryConnection(options);
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning }).get;
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
    const { maxTokenLimit, tokenizer } = this.#options;
    const limit = maxTokenLimit ?? (tokenizer ? 2000 : undefined);
    return this.#connection.render(
      limit === undefined ? await this.chatHistory.getMessages() : await this.#loadCounted(limit),
    );
  }

  /** Stores the turn. @throws MnemoraError `invalid-input` where input or output cannot be told. */
  saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    return this.#connection.save(inputs, outputs, options);
  }

  /** Removes all messages of the history. */
  clear(): Promise<void> {
    return this.chatHistory.clear();
  }

  async #loadCounted(limit: number): Promise<ChatMessage[]> {
    const rows = (await this.chatHistory.list()).filter(({ state }) => state === 'complete');
    const counted = new CountedTokens(await this.#tokenizer());
    const tokens = rows.reduce((sum, row) => sum + counted.of(row), 0);
    await counted.record(this.chatHistory);
    if (tokens > limit) {
      const message = `The history has ${tokens} tokens, and maxTokenLimit is ${limit}. All of it was loaded: ConversationTokenBufferMemory loads what fits.`;
      this.#options.onWarning?.({ code: 'over-budget', message });
    }
    return inTurnOrder(rows);
  }
}
