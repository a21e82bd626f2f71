import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { inReadingOrder } from '../../sessions/read-turns.ts';
import { summaryLimit } from '../../learning/summary/summary-text.ts';
import { coverOverBudget } from '../../learning/summary/summary-policy.ts';
import { Summarizer, type CatchUpOptions } from '../../learning/summary/summarizer.ts';
import { checkOptions } from '../../model/check-options.ts';
import type { ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { HistoryConnection } from './history-connection.ts';
import { EnrichedMemory } from './enriched-memory.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';
import {
  readCatchUp,
  SUMMARY_BUFFER_CHECKS,
  summarizerOptions,
  type ConversationSummaryBufferMemoryOptions,
} from './summary-options.ts';

/**
 * A memory that loads a summary of older turns, followed by the newest whole turns verbatim.
 *
 * If the turns exceed `maxTokenLimit`, the oldest are summarized, by a load as well as by a save. All turns stay in the
 * history. A turn leaves the prompt only after a summary that covers it has been stored, so the prompt exceeds the limit
 * if the model fails (`enrichment-failed`), or while the summary is queued in the background.
 */
export class ConversationSummaryBufferMemory extends EnrichedMemory {
  /** @internal */
  protected override readonly enrichment: Summarizer;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option`, for example for `background` with a history that is not in a database */
  constructor(options: ConversationSummaryBufferMemoryOptions) {
    checkOptions('ConversationSummaryBufferMemory', options, SUMMARY_BUFFER_CHECKS);
    const { tokenizer, maxTokenLimit = 2000, maxSummaryTokens = 500 } = options;
    super(new HistoryConnection(options));
    this.#tokenizer = tokenizer ? async () => tokenizer : lazyTokenizer({ onWarning: options.onWarning }).get;
    this.enrichment = new Summarizer({
      ...summarizerOptions('ConversationSummaryBufferMemory', options, this.connection),
      memoryId: options.memoryId ?? 'summary-buffer',
      policy: coverOverBudget(maxTokenLimit, this.#tokenizer, this.chatHistory),
      limit: summaryLimit(maxSummaryTokens, this.#tokenizer),
    });
  }

  /**
   * Returns a memory over an existing history, or over a list of messages in memory, in which the turns beyond the limit
   * have been summarized.
   *
   * Rejects if the model fails. The summary of the previous steps is kept with the history, so that another call continues
   * from there.
   *
   * @throws MnemoraError `invalid-option` or `invalid-message`
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
    await memory.enrichment.catchUp(catchUp);
    return memory;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { text, turns } = await this.enrichment.load('retry');
    const raw = dropOrphanToolResults(inReadingOrder(turns));
    const summary: ChatMessage[] = text === '' ? [] : [{ role: 'system', content: text }];
    return this.connection.render([...summary, ...raw]);
  }

  /**
   * Counts and stores the turn, then summarizes the turns beyond the limit, or queues that. Rejects if the turn could not
   * be stored, but not if it could not be summarized. An abort during the model call rejects as well, after the turn has
   * been stored.
   *
   * @throws MnemoraError `invalid-input` if input or output cannot be identified
   */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    const tokenizer = await this.#tokenizer();
    await this.connection.save(inputs, outputs, options, { tokenizer, jobs: this.enrichment.newJobs() });
    await this.enrichment.saved(options.signal);
  }
}
