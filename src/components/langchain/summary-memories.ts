import { summaryLimit } from '../../learning/summary/summary-text.ts';
import { coverAll, coverOverBudget } from '../../learning/summary/summary-policy.ts';
import { Summarizer, type CatchUpOptions } from '../../learning/summary/summarizer.ts';
import { checkName, checkOptions, objectWith, wholeNumber } from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import { inReadingOrder } from '../../sessions/read-turns.ts';
import { lazyTokenizer } from '../../tokens/lazy-tokenizer.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Values } from './base-memory.ts';
import type { ChatHistoryOptions } from './history-memory.ts';
import { LearningMemory, LEARNING_CHECKS, type ExtractorOptions } from './learning-memory.ts';

/** Options of the memories that keep a running summary. */
export interface SummaryOptions extends ChatHistoryOptions, ExtractorOptions<'summary'> {
  /**
   * Id of the summary within the session. Memories of one session that summarize differently need different ids.
   * @default 'summary', or 'summary-buffer' for a ConversationSummaryBufferMemory
   */
  memoryId?: string;
}

export type ConversationSummaryMemoryOptions = SummaryOptions;

/**
 * A memory that loads a running summary of the conversation, to which each saved turn is added. All turns stay in the
 * history.
 *
 * Turns that the summary does not cover yet are loaded verbatim after it: no turn leaves the prompt before a summary
 * that covers it has been stored. If the model fails, a `learning-failed` warning is raised, `saveContext` resolves
 * anyway, and the next save summarizes everything that is missing. For an existing history, the first load restores the
 * stored summary and summarizes the rest; `fromMessages` does so in steps.
 *
 * With `returnMessages`, the summary is a system message, as in LangChain, so pasted text can reach the model as an
 * instruction. `fence: true` quotes the summary as data.
 *
 * @example
 * const memory = new ConversationSummaryMemory({ llm });
 * await memory.saveContext({ input: 'I am Jack.' }, { output: 'Hello Jack!' });
 * await memory.loadMemoryVariables({}); // { history: 'The user is called Jack …' }
 */
export class ConversationSummaryMemory extends LearningMemory {
  /** @internal */
  protected override readonly turnWork: Summarizer;

  /** @throws MnemoraError `invalid-option`, for example for `background` with a history that is not in a database */
  constructor(options: ConversationSummaryMemoryOptions) {
    checkOptions('ConversationSummaryMemory', options, { ...LEARNING_CHECKS, memoryId: checkName });
    super('ConversationSummaryMemory', options, ['summary'], ['summarize']);
    const { memoryId = 'summary' } = options;
    this.turnWork = new Summarizer({ ...this.work, memoryId, policy: coverAll });
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
    const memory = new ConversationSummaryMemory(await readCatchUp(source, options));
    await memory.turnWork.catchUp(options);
    return memory;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { text, turns } = await this.turnWork.load('wait');
    const raw = dropOrphanToolResults(inReadingOrder(turns));
    return this.renderMemory(TITLE, textsOf(text), raw, raw.length === 0 ? text : undefined);
  }
}

export interface ConversationSummaryBufferMemoryOptions extends SummaryOptions {
  /** Maximum tokens of the turns that are loaded verbatim; 0 summarizes all turns. @default 2000 */
  maxTokenLimit?: number;
  /** Maximum tokens of the summary, in addition to `maxTokenLimit`. A longer summary is cut. @default 500 */
  maxSummaryTokens?: number;
  /** Counts tokens. @default tiktokenTokenizer(), loaded on first use; approximateTokenizer() if that fails */
  tokenizer?: Tokenizer;
}

/**
 * A memory that loads a summary of older turns, followed by the newest whole turns verbatim.
 *
 * If the turns exceed `maxTokenLimit`, the oldest are summarized, by a load as well as by a save. All turns stay in the
 * history. A turn leaves the prompt only after a summary that covers it has been stored, so the prompt exceeds the limit
 * if the model fails (`learning-failed`), or while the summary is queued in the background.
 *
 * With `returnMessages`, the summary is a system message, as in LangChain, so pasted text can reach the model as an
 * instruction. `fence: true` quotes the summary as data.
 */
export class ConversationSummaryBufferMemory extends LearningMemory {
  /** @internal */
  protected override readonly turnWork: Summarizer;
  /** @internal */
  protected override readonly counter: () => Promise<Tokenizer>;

  /** @throws MnemoraError `invalid-option`, for example for `background` with a history that is not in a database */
  constructor(options: ConversationSummaryBufferMemoryOptions) {
    checkOptions('ConversationSummaryBufferMemory', options, {
      ...LEARNING_CHECKS,
      memoryId: checkName,
      maxTokenLimit: wholeNumber(0),
      maxSummaryTokens: wholeNumber(1),
      tokenizer: objectWith('countMessage', 'countText'),
    });
    super('ConversationSummaryBufferMemory', options, ['summary'], ['summarize']);
    const { memoryId = 'summary-buffer', maxTokenLimit = 2000, maxSummaryTokens = 500 } = options;
    this.counter = lazyTokenizer(options).get;
    this.turnWork = new Summarizer({
      ...this.work,
      memoryId,
      policy: coverOverBudget(maxTokenLimit, this.counter, this.chatHistory),
      limit: summaryLimit(maxSummaryTokens, this.counter),
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
    const memory = new ConversationSummaryBufferMemory(await readCatchUp(source, options));
    await memory.turnWork.catchUp(options);
    return memory;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const { text, turns } = await this.turnWork.load('retry');
    const raw = dropOrphanToolResults(inReadingOrder(turns));
    return this.renderMemory(TITLE, textsOf(text), raw);
  }
}

const TITLE = 'Summary of the conversation';

function textsOf(summary: string): string[] {
  return summary === '' ? [] : [summary];
}

/**
 * Returns the memory's own options, including the history, given those of `fromMessages`.
 *
 * @throws MnemoraError `invalid-option` or `invalid-message`
 */
async function readCatchUp<Options extends CatchUpOptions>(
  source: readonly ChatMessage[] | ChatMessageHistory,
  { summarizeStep, onProgress: _onProgress, signal: _signal, ...own }: Options,
): Promise<Omit<Options, keyof CatchUpOptions> & { chatHistory: ChatMessageHistory }> {
  if (summarizeStep !== undefined) wholeNumber(1)('summarizeStep', summarizeStep);
  if ('chatHistory' in own) {
    throw invalidOption('Give the chat history in place of the messages, not as an option.');
  }
  const chatHistory = Array.isArray(source)
    ? new InMemoryChatMessageHistory(source)
    : objectWith<ChatMessageHistory>('addMessages', 'list', 'clear')('The chat history', source);
  return { ...own, chatHistory };
}
