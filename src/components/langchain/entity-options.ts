import type { EntityStore } from '../../sessions/entity-store.ts';
import { checkName, checkOptions, objectWith, oneOf, wholeNumber } from '../../model/check-options.ts';
import { MnemoraError } from '../../model/error.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';

export interface ConversationEntityMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'entitySummarization'> {
  /** How many whole turns to load, and to show the model beside a new one; 0 loads none. @default 3 */
  k?: number;
  /** Where the summaries are kept. @default new InMemoryEntityStore() */
  entityStore?: EntityStore;
  /** The name that `loadMemoryVariables` returns the recent turns under. @default `memoryKey`, 'history' */
  chatHistoryKey?: string;
  /** One model call for all entities of a turn, or one for each of them. @default 'batched' */
  updateCalls?: 'batched' | 'each';
  /**
   * What finds the entities of an input. `model`: a call on each load. `known-names`: no call; those whose names or
   * aliases occur in it. New ones are then found when the turn is saved, by the call that updates the known ones.
   * @default 'model'
   */
  detectOnLoad?: 'model' | 'known-names';
}

/** @throws MnemoraError `invalid-option` */
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
 * The variable of the recent turns has two names: that of the seeds, and that of all memories.
 *
 * @throws MnemoraError `invalid-option`
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
