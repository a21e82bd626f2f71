import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import {
  checkMethods,
  checkName,
  checkWholeNumber,
  objectWith,
  wholeNumber,
  type OptionChecks,
} from '../../model/check-options.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { CatchUpOptions, SummarizerOptions } from '../../learning/summary/summarizer.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { chooseExtractor, EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';
import type { HistoryConnection } from './history-connection.ts';

/** Options of the memories that keep a running summary. */
export interface SummaryOptions extends ChatHistoryOptions, ExtractorOptions<'summary'> {
  /**
   * Id of the summary within the session. Memories of one session that summarize differently need different ids.
   * @default 'summary', or 'summary-buffer' for a ConversationSummaryBufferMemory
   */
  memoryId?: string;
}

export interface ConversationSummaryBufferMemoryOptions extends SummaryOptions {
  /** Maximum tokens of the turns that are loaded verbatim; 0 summarizes all turns. @default 2000 */
  maxTokenLimit?: number;
  /** Maximum tokens of the summary, in addition to `maxTokenLimit`. A longer summary is cut. @default 500 */
  maxSummaryTokens?: number;
  /** Counts tokens. @default tiktokenTokenizer(), loaded on first use; approximateTokenizer() if that fails */
  tokenizer?: Tokenizer;
}

export const SUMMARY_CHECKS: OptionChecks<SummaryOptions> = {
  ...CHAT_HISTORY_CHECKS,
  ...EXTRACTOR_CHECKS,
  memoryId: checkName,
};

export const SUMMARY_BUFFER_CHECKS: OptionChecks<ConversationSummaryBufferMemoryOptions> = {
  ...SUMMARY_CHECKS,
  maxTokenLimit: wholeNumber(0),
  maxSummaryTokens: wholeNumber(1),
  tokenizer: objectWith('countMessage', 'countText'),
};

/** Returns the options of a summarizer, given those of a memory. */
export function summarizerOptions(
  component: string,
  options: SummaryOptions,
  connection: HistoryConnection,
): Pick<SummarizerOptions, 'component' | 'history' | 'extractor' | 'toText' | 'enrichment' | 'onWarning'> {
  return {
    component,
    history: connection.history,
    extractor: chooseExtractor(component, options, ['summary'], ['summarize']),
    toText: (messages) => connection.toText(messages),
    enrichment: options.enrichment ?? 'inline',
    onWarning: options.onWarning,
  };
}

/**
 * Splits the arguments of `fromMessages` into the memory's own options, including the history, and those of the summary.
 *
 * @throws MnemoraError `invalid-option` or `invalid-message`
 */
export async function readCatchUp<T extends SummaryOptions>(
  source: readonly ChatMessage[] | ChatMessageHistory,
  options: Omit<T, 'chatHistory'> & CatchUpOptions,
): Promise<{
  memoryOptions: Omit<T, 'chatHistory'> & { chatHistory: ChatMessageHistory };
  catchUp: CatchUpOptions;
}> {
  const { summarizeStep, onProgress, signal, ...own } = options;
  if (summarizeStep !== undefined) checkWholeNumber('summarizeStep', summarizeStep, 1);
  if ('chatHistory' in own) {
    throw new MnemoraError(
      'invalid-option',
      'Give the chat history in place of the messages, not as an option.',
    );
  }
  const chatHistory = await toHistory(source);
  return {
    memoryOptions: { ...(own as unknown as Omit<T, 'chatHistory'>), chatHistory },
    catchUp: {
      ...(summarizeStep === undefined ? {} : { summarizeStep }),
      ...(onProgress ? { onProgress } : {}),
      ...(signal ? { signal } : {}),
    },
  };
}

async function toHistory(source: readonly ChatMessage[] | ChatMessageHistory): Promise<ChatMessageHistory> {
  if (!isMessageList(source))
    return checkMethods('The chat history', source, ['addMessages', 'list', 'clear']);
  const history = new InMemoryChatMessageHistory();
  await history.addMessages(source);
  return history;
}

function isMessageList(
  source: readonly ChatMessage[] | ChatMessageHistory,
): source is readonly ChatMessage[] {
  return Array.isArray(source);
}
