import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import { checkOptions, wholeNumber } from '../../model/check-options.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { EXTRACTOR_CHECKS, type ExtractorOptions } from './extractor-options.ts';
import type { GraphAccess } from './kg-reader.ts';

export interface ConversationKGMemoryOptions
  extends ChatHistoryOptions, ExtractorOptions<'entityExtraction' | 'kgExtraction'> {
  /** Number of whole turns that the model sees, to resolve pronouns such as "he"; 0 for none. @default 2 */
  k?: number;
  /** Graph that stores the facts. @default new KnowledgeGraph() */
  graph?: KnowledgeGraph | GraphAccess;
  /** Predicates with a single value per subject at a time. Only for the default graph. */
  singleValued?: readonly string[];
}

/** Checks the options. @throws MnemoraError `invalid-option` if one is invalid */
export function checkGraphOptions(options: ConversationKGMemoryOptions): void {
  checkOptions('ConversationKGMemory', options, {
    ...CHAT_HISTORY_CHECKS,
    ...EXTRACTOR_CHECKS,
    k: wholeNumber(0),
    // The reader checks these two options, which depend on each other.
    graph: () => undefined,
    singleValued: () => undefined,
  });
}
