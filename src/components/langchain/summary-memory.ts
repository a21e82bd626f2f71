import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { inReadingOrder } from '../../sessions/read-turns.ts';
import { coverAll } from '../../learning/summary/summary-policy.ts';
import { Summarizer, type CatchUpOptions } from '../../learning/summary/summarizer.ts';
import { checkOptions } from '../../model/check-options.ts';
import type { ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { HistoryConnection } from './history-connection.ts';
import { EnrichedMemory } from './enriched-memory.ts';
import type { SaveContextOptions, Values } from './base-memory.ts';
import { readCatchUp, SUMMARY_CHECKS, summarizerOptions, type SummaryOptions } from './summary-options.ts';

export type ConversationSummaryMemoryOptions = SummaryOptions;

/**
 * Loads a running summary of the conversation. Each turn saved is summarized into it; the turns themselves stay in the
 * history.
 *
 * What the summary does not cover yet is loaded as it was said, after the summary: no turn leaves the prompt before a
 * summary that covers it is stored. A model that fails is warned of as `enrichment-failed`, `saveContext` resolves all
 * the same, and the next save summarizes everything that is missing. Over a history that was there before, the first
 * load restores the stored summary and summarizes the rest; `fromMessages` does so in steps.
 *
 * @example
 * const memory = new ConversationSummaryMemory({ llm });
 * await memory.saveContext({ input: 'I am Jack.' }, { output: 'Hello Jack!' });
 * await memory.loadMemoryVariables({}); // { history: 'The user is called Jack …' }
 */
export class ConversationSummaryMemory extends EnrichedMemory {
  /** @internal */
  protected override readonly enrichment: Summarizer;
  readonly #isPlainText: boolean;

  /** @throws MnemoraError `invalid-option`, also for `background` over a history that is not in a database. */
  constructor(options: ConversationSummaryMemoryOptions) {
    checkOptions('ConversationSummaryMemory', options, SUMMARY_CHECKS);
    super(new HistoryConnection(options));
    this.enrichment = new Summarizer({
      ...summarizerOptions('ConversationSummaryMemory', options, this.connection),
      memoryId: options.memoryId ?? 'summary',
      policy: coverAll,
    });
    this.#isPlainText = !options.returnMessages && (options.format ?? 'text') === 'text';
  }

  /**
   * A memory over an existing history, or over a list of messages in RAM, whose summary covers all of it.
   *
   * Rejects where the model fails; the summary of the steps before is kept with the history, and calling again goes on
   * from there.
   *
   * @throws MnemoraError `invalid-option`, `invalid-message`
   */
  static async fromMessages(
    source: readonly ChatMessage[] | ChatMessageHistory,
    options: Omit<ConversationSummaryMemoryOptions, 'chatHistory'> & CatchUpOptions,
  ): Promise<ConversationSummaryMemory> {
    const { memoryOptions, catchUp } = await readCatchUp<ConversationSummaryMemoryOptions>(source, options);
    const memory = new ConversationSummaryMemory(memoryOptions);
    await memory.enrichment.catchUp(catchUp);
    return memory;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { text, turns } = await this.enrichment.load('wait');
    const raw = dropOrphanToolResults(inReadingOrder(turns));
    if (text === '') return this.connection.render(raw);
    if (raw.length > 0 || !this.#isPlainText) {
      return this.connection.render([{ role: 'system', content: text }, ...raw]);
    }
    return Object.fromEntries(this.memoryKeys.map((key) => [key, text]));
  }

  /**
   * Stores the turn, then summarizes it, or queues that. Rejects where the turn could not be stored, and not where it
   * could not be summarized. An abort while the model answers rejects as well; the turn is stored then.
   *
   * @throws MnemoraError `invalid-input` where input or output cannot be told.
   */
  override async saveContext(
    inputs: Values,
    outputs: Values,
    options: SaveContextOptions = {},
  ): Promise<void> {
    await this.connection.save(inputs, outputs, options, { jobs: this.enrichment.newJobs() });
    await this.enrichment.saved(options.signal);
  }
}
