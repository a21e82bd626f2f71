import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { inReadingOrder } from '../../sessions/read-turns.ts';
import { summaryLimit } from '../../learning/summary/shorten-summary.ts';
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
 * Loads a summary of what was said long ago and, after it, the newest whole turns as they were said.
 *
 * When the turns exceed `maxTokenLimit` the oldest are summarized, at a load as at a save; the turns themselves stay in
 * the history. A turn leaves the prompt only when a summary that covers it is stored: where the model fails
 * (`enrichment-failed`), and in the background until the queue has come to it, the prompt is longer than the limit.
 */
export class ConversationSummaryBufferMemory extends EnrichedMemory {
  /** @internal */
  protected override readonly enrichment: Summarizer;
  readonly #tokenizer: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option`, also for `background` over a history that is not in a database. */
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
   * Counts and stores the turn, then summarizes what exceeds the limit, or queues that. Rejects where the turn could
   * not be stored, and not where it could not be summarized. An abort while the model answers rejects as well; the turn
   * is stored then.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told.
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
