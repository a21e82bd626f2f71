import type { EntityStore } from '../../sessions/entity-store.ts';
import { checkName, checkOptions, objectWith, oneOf, wholeNumber } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';

export interface ConversationEntityMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'entitySummarization'> {
  /** Number of whole turns to load, and to show to the model with a new one; 0 for none. @default 3 */
  k?: number;
  /** Store of the summaries. @default new InMemoryEntityStore() */
  entityStore?: EntityStore;
  /** Name of the variable that contains the recent turns. @default `memoryKey`, or 'history' */
  chatHistoryKey?: string;
  /** Whether a turn takes one model call for all entities (`batched`) or one for each (`each`). @default 'batched' */
  updateCalls?: 'batched' | 'each';
  /**
   * How the entities of an input are found. `model`: by a model call for each load. `known-names`: by known names and
   * aliases in the input, without a call; the call that updates summaries after a save then finds new ones.
   * @default 'model'
   */
  detectOnLoad?: 'model' | 'known-names';
}

/** Checks the options. @throws MnemoraError `invalid-option` if one is invalid */
export function checkEntityOptions(options: ConversationEntityMemoryOptions): void {
  checkOptions('ConversationEntityMemory', options, {
    ...CHAT_HISTORY_CHECKS,
    ...EXTRACTOR_CHECKS,
    k: wholeNumber(0),
    entityStore: objectWith('get', 'set', 'has', 'delete', 'clear'),
    chatHistoryKey: checkName,
    updateCalls: oneOf('batched', 'each'),
    detectOnLoad: oneOf('model', 'known-names'),
  });
}

/**
 * Returns the name of the variable with the recent turns. It has two options: LangChain's `chatHistoryKey`, and the
 * `memoryKey` of all memories.
 *
 * @throws MnemoraError `invalid-option` if both are given, or the name is reserved
 */
export function historyKey({ chatHistoryKey, memoryKey }: ConversationEntityMemoryOptions): string {
  const key = chatHistoryKey ?? memoryKey ?? 'history';
  if (memoryKey !== undefined && memoryKey !== key) {
    throw new MnemoraError(
      'invalid-option',
      'Give chatHistoryKey or memoryKey, not both: they name one variable.',
    );
  }
  if (key !== 'entities') return key;
  throw new MnemoraError('invalid-option', 'The recent turns cannot be called "entities": that is the map.');
}
