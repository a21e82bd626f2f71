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
 * A memory that loads a running summary of the conversation, to which each saved turn is added. All turns stay in the
 * history.
 *
 * Turns that the summary does not cover yet are loaded verbatim after it: no turn leaves the prompt before a summary that
 * covers it has been stored. If the model fails, it warns with `enrichment-failed`, `saveContext` resolves anyway, and the
 * next save summarizes everything that is missing. For an existing history, the first load restores the stored summary and
 * summarizes the rest; `fromMessages` does so in steps.
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

  /** @throws MnemoraError `invalid-option`, for example for `background` with a history that is not in a database */
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
   * Returns a memory over an existing history, or over a list of messages in memory, whose summary covers all turns.
   *
   * Rejects if the model fails. The summary of the previous steps is kept with the history, so that another call continues
   * from there.
   *
   * @throws MnemoraError `invalid-option` or `invalid-message`
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
   * Stores the turn, then summarizes it, or queues that. Rejects if the turn could not be stored, but not if it could not
   * be summarized. An abort during the model call rejects as well, after the turn has been stored.
   *
   * @throws MnemoraError `invalid-input` if input or output cannot be identified
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
