import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { checkMethods, checkOptionNames, checkWholeNumber } from '../../model/check-options.ts';
import type { ChatMessage, StoredMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { CountedTokens } from '../../sessions/counted-tokens.ts';
import { lazyTokenizer } from './lazy-tokenizer.ts';
import type { Memory, SaveContextOptions, Values } from './memory.ts';
import { shortenSummary } from './shorten-summary.ts';
import { SummarizedHistory } from './summarized-history.ts';
import {
  readCatchUp,
  SUMMARY_OPTION_NAMES,
  type CatchUpOptions,
  type SummaryOptions,
} from './summary-options.ts';
import { TurnBudget } from '../../sessions/turn-budget.ts';
import { inReadingOrder } from '../../sessions/read-turns.ts';

export interface ConversationSummaryBufferMemoryOptions extends SummaryOptions {
  /** Most tokens that the turns loaded as they were said may have together; 0 summarises all. @default 2000 */
  maxTokenLimit?: number;
  /** Most tokens of the summary, which are not counted in `maxTokenLimit`; a longer one is cut. @default 500 */
  maxSummaryTokens?: number;
  /** @default tiktokenTokenizer(), loaded at the first use; approximateTokenizer() where that fails */
  tokenizer?: Tokenizer;
}

/**
 * Loads a summary of what was said long ago and, after it, the newest whole turns as they were said.
 *
 * When the turns exceed `maxTokenLimit` the oldest are summarised, at a load as at a save; the turns themselves stay in
 * the history. A turn leaves the prompt only when a summary that covers it is stored: where the model fails
 * (`enrichment-failed`), and in the background until the queue has come to it, the prompt is longer than the limit.
 */
export class ConversationSummaryBufferMemory implements Memory {
  readonly #summarized: SummarizedHistory;
  readonly #maxTokenLimit: number;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option`, also for `background` over a history that is not in a database. */
  constructor(options: ConversationSummaryBufferMemoryOptions) {
    checkOptionNames('ConversationSummaryBufferMemory', options, [
      ...SUMMARY_OPTION_NAMES,
      'maxTokenLimit',
      'maxSummaryTokens',
      'tokenizer',
    ]);
    const { tokenizer } = options;
    this.#maxTokenLimit = checkWholeNumber('maxTokenLimit', options.maxTokenLimit ?? 2000, 0);
    const maxTokens = checkWholeNumber('maxSummaryTokens', options.maxSummaryTokens ?? 500, 1);
    if (tokenizer !== undefined) checkMethods('tokenizer', tokenizer, ['countMessage', 'countText']);
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer(options.onWarning);
    this.#summarized = new SummarizedHistory({
      component: 'ConversationSummaryBufferMemory',
      options,
      defaultMemoryId: 'summary-buffer',
      chooseTurns: (turns) => this.#beyondLimit(turns),
      limit: {
        maxTokens,
        shorten: async (text) => {
          const counter = await this.#tokenizer();
          return shortenSummary(text, maxTokens, (part) => counter.countText(part));
        },
      },
    });
  }

  /**
   * A memory over an existing history, or over a list of messages in RAM, whose summary covers what is beyond the
   * limit.
   *
   * Rejects where the model fails; the summary of the steps before is kept with the history, and calling again goes on
   * from there.
   *
   * @throws MnemoraError `invalid-option`, `invalid-message`
   */
  static async fromMessages(
    source: readonly ChatMessage[] | ChatMessageHistory,
    options: Omit<ConversationSummaryBufferMemoryOptions, 'chatHistory'> & CatchUpOptions,
  ): Promise<ConversationSummaryBufferMemory> {
    const { memoryOptions, catchUp } = await readCatchUp<ConversationSummaryBufferMemoryOptions>(
      source,
      options,
    );
    const memory = new ConversationSummaryBufferMemory(memoryOptions);
    await memory.#summarized.catchUp(catchUp);
    return memory;
  }

  get memoryKeys(): readonly string[] {
    return this.#summarized.connection.memoryKeys;
  }

  /** Where the messages are. */
  get chatHistory(): ChatMessageHistory {
    return this.#summarized.connection.history;
  }

  checkInputs(inputs: Values): void {
    this.#summarized.connection.checkInputs(inputs);
  }

  async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const view = await this.#summarized.load('retry');
    const raw = dropOrphanToolResults(inReadingOrder(view.turns));
    const summary: ChatMessage[] = view.text === '' ? [] : [{ role: 'system', content: view.text }];
    return this.#summarized.connection.render([...summary, ...raw]);
  }

  /**
   * Counts and stores the turn, then summarises what exceeds the limit, or queues that. Rejects where the turn could
   * not be stored, and not where it could not be summarised. An abort while the model answers rejects as well; the turn
   * is stored then.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told.
   */
  async saveContext(inputs: Values, outputs: Values, options: SaveContextOptions = {}): Promise<void> {
    await this.#summarized.save(inputs, outputs, options, await this.#tokenizer());
  }

  /** Resolves when no summary is being made, and in the background none is queued. */
  settled(): Promise<void> {
    return this.#summarized.settled();
  }

  /** Removes all messages of the history, and the summary. */
  clear(): Promise<void> {
    return this.#summarized.clear();
  }

  /** The turns that must be summarised for the newest to be within the limit. */
  async #beyondLimit(turns: readonly StoredMessage[][]): Promise<readonly StoredMessage[][]> {
    if (turns.length === 0 || this.#maxTokenLimit === 0) return turns;
    const counted = new CountedTokens(await this.#tokenizer());
    const budget = new TurnBudget<StoredMessage>(this.#maxTokenLimit, (message) => counted.of(message));
    const end = turns.findLastIndex((turn) => !budget.offer(turn)) + 1;
    await counted.record(this.chatHistory);
    return turns.slice(0, end);
  }
}
