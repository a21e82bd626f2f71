import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import { checkOptions, wholeNumber } from '../../model/check-options.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';
import type { GraphAccess } from './kg-reader.ts';

export interface ConversationKGMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'kgExtraction'> {
  /** How many whole turns the model is shown, so that it can tell who "he" is; 0 shows none. @default 2 */
  k?: number;
  /** Where the facts are kept. @default new KnowledgeGraph() */
  graph?: KnowledgeGraph | GraphAccess;
  /** Predicates of which a subject has one value at a time, for the graph that is made by default. */
  singleValued?: readonly string[];
}

/** @throws MnemoraError `invalid-option` */
export function checkGraphOptions(options: ConversationKGMemoryOptions): void {
  checkOptions('ConversationKGMemory', options, {
    ...CHAT_HISTORY_CHECKS,
    ...EXTRACTOR_CHECKS,
    k: wholeNumber(0),
    // The reader checks these two, which depend on each other.
    graph: () => undefined,
    singleValued: () => undefined,
  });
}
