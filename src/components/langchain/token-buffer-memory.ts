import type { StoredMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { checkOptions, objectWith, wholeNumber } from '../../model/check-options.ts';
import { CountedTokens } from '../../sessions/counted-tokens.ts';
import { HistoryConnection } from './history-connection.ts';
import { HistoryMemory } from './history-memory.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';
import { takeNewest, TurnBudget } from '../../sessions/turn-budget.ts';
import { turnsNewestFirst } from '../../sessions/read-turns.ts';

export interface ConversationTokenBufferMemoryOptions extends ChatHistoryOptions {
  /** Maximum tokens of the loaded messages; 0 loads nothing. @default 2000 */
  maxTokenLimit?: number;
  /** Counts tokens. @default tiktokenTokenizer(), loaded on first use; approximateTokenizer() if that fails */
  tokenizer?: Tokenizer;
}

/**
 * A memory that loads the newest whole turns that fit in a number of tokens. All messages stay in the history; a load
 * reads only its end, and each message is counted once.
 *
 * If not even the newest turn fits, only its user message is loaded and `onWarning` is called with `over-budget`. The
 * limit applies to the sum over the messages, without the 3 extra tokens of each request.
 */
export class ConversationTokenBufferMemory extends HistoryMemory {
  readonly #maxTokenLimit: number;
  readonly #tokenizer: () => Promise<Tokenizer>;
  readonly #onWarning: WarningListener | undefined;

  /** @throws MnemoraError `invalid-option` */
  constructor(options: ConversationTokenBufferMemoryOptions = {}) {
    checkOptions('ConversationTokenBufferMemory', options, {
      ...CHAT_HISTORY_CHECKS,
      maxTokenLimit: wholeNumber(0),
      tokenizer: objectWith('countMessage'),
    });
    const { tokenizer, maxTokenLimit = 2000, onWarning } = options;
    super(new HistoryConnection(options));
    this.#maxTokenLimit = maxTokenLimit;
    this.#onWarning = onWarning;
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning }).get;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    return this.connection.render(await this.#loadNewest());
  }

  /** Counts and stores the turn. @throws MnemoraError `invalid-input` if input or output cannot be identified */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    await this.connection.save(inputs, outputs, options, { tokenizer: await this.#tokenizer() });
  }

  async #loadNewest(): Promise<readonly StoredMessage[]> {
    const limit = this.#maxTokenLimit;
    if (limit === 0) return [];
    const counted = new CountedTokens(await this.#tokenizer());
    const budget = new TurnBudget<StoredMessage>(limit, (message) => counted.of(message));
    const { messages, kept } = await takeNewest(turnsNewestFirst(this.chatHistory), budget);
    await counted.record(this.chatHistory);
    if (kept !== 'turns') {
      const consequence = kept === 'nothing' ? 'nothing is loaded' : 'its user message alone is loaded';
      this.#onWarning?.({
        code: 'over-budget',
        message: `The newest turn has more than the ${limit} tokens of maxTokenLimit: ${consequence}.`,
      });
    }
    return messages;
  }
}
