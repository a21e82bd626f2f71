import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { InMemoryChatMessageHistory } from '../../sessions/in-memory-history.ts';
import { checkMethods, checkWholeNumber } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { CHAT_HISTORY_OPTION_NAMES, type ChatHistoryOptions } from './chat-history-options.ts';
import { EXTRACTOR_OPTION_NAMES, type ExtractorOptions } from './extractor-options.ts';

/** Options of the memories that keep a running summary. */
export interface SummaryOptions extends ChatHistoryOptions, ExtractorOptions<'summary'> {
  /**
   * Which summary of the session it is: memories of one session that summarise differently need different ids.
   * @default 'summary', 'summary-buffer' for a ConversationSummaryBufferMemory
   */
  memoryId?: string;
}

/** Names of {@link SummaryOptions}, for the check against misspelt ones. */
export const SUMMARY_OPTION_NAMES: readonly (keyof SummaryOptions)[] = [
  ...CHAT_HISTORY_OPTION_NAMES,
  ...EXTRACTOR_OPTION_NAMES,
  'memoryId',
];

/** How an existing history is summarised. */
export interface CatchUpOptions {
  /**
   * Messages of one step; the end of a step may then lie within a turn.
   * @default whole turns, of at least 2 messages together
   */
  summarizeStep?: number;
  /** Called after each step, when its summary is stored. */
  onProgress?: (progress: CatchUpProgress) => void;
  /** Ends the work; the steps done are kept. */
  signal?: AbortSignal;
}

/** Numbers of messages: those summarised by this call, and all that it has to summarise. */
export interface CatchUpProgress {
  readonly summarized: number;
  readonly total: number;
}

/**
 * Takes apart what `fromMessages` gets: the memory's own options with the history in them, and how to summarise it.
 *
 * @throws MnemoraError `invalid-option`, `invalid-message`
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
