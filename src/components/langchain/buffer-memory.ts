import { CountedTokens } from '../../sessions/counted-tokens.ts';
import { checkOptions, objectWith, wholeNumber } from '../../model/check-options.ts';
import type { ChatMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { HistoryConnection } from './history-connection.ts';
import { HistoryMemory } from './history-memory.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Values } from './base-memory.ts';

export interface ConversationBufferMemoryOptions extends ChatHistoryOptions {
  /**
   * Number of tokens above which a load warns with `over-budget`. The whole history is loaded anyway; use
   * ConversationTokenBufferMemory to load less.
   * @default no limit; 2000 if a tokenizer is given
   */
  maxTokenLimit?: number;
  /** Counts tokens for `maxTokenLimit`. @default tiktokenTokenizer(), loaded on first use */
  tokenizer?: Tokenizer;
}

/**
 * A memory that loads the whole history.
 *
 * @example
 * const memory = new ConversationBufferMemory();
 * await memory.saveContext({ input: 'hi' }, { output: 'hello' });
 * await memory.loadMemoryVariables({}); // { history: 'Human: hi\nAI: hello' }
 */
export class ConversationBufferMemory extends HistoryMemory {
  readonly #options: ConversationBufferMemoryOptions;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationBufferMemoryOptions = {}) {
    const checked = checkOptions('ConversationBufferMemory', options, {
      ...CHAT_HISTORY_CHECKS,
      maxTokenLimit: wholeNumber(0),
      tokenizer: objectWith('countMessage'),
    });
    const { tokenizer, onWarning } = options;
    super(new HistoryConnection(options));
    this.#options = checked;
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning }).get;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { maxTokenLimit, tokenizer } = this.#options;
    const limit = maxTokenLimit ?? (tokenizer ? 2000 : undefined);
    return this.connection.render(
      limit === undefined ? await this.chatHistory.getMessages() : await this.#loadCounted(limit),
    );
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
