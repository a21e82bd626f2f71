import { dropOrphanToolResults } from '../../model/turn.ts';
import { CHAT_HISTORY_CHECKS, type ChatHistoryOptions } from './chat-history-options.ts';
import { checkOptions, wholeNumber } from '../../model/check-options.ts';
import { HistoryConnection } from './history-connection.ts';
import { HistoryMemory } from './history-memory.ts';
import type { Values } from './base-memory.ts';
import { recentTurns } from '../../sessions/read-turns.ts';

export interface ConversationBufferWindowMemoryOptions extends ChatHistoryOptions {
  /** Number of whole turns to load; 0 loads nothing. @default 5 */
  k?: number;
}

/**
 * A memory that loads the last `k` whole turns, each a user message with everything up to the next one. All messages stay
 * in the history; a load reads only its end.
 */
export class ConversationBufferWindowMemory extends HistoryMemory {
  readonly #k: number;

  /** @throws MnemoraError `invalid-option`, for example if `k` is negative or not a whole number */
  constructor(options: ConversationBufferWindowMemoryOptions = {}) {
    checkOptions('ConversationBufferWindowMemory', options, { ...CHAT_HISTORY_CHECKS, k: wholeNumber(0) });
    super(new HistoryConnection(options));
    this.#k = options.k ?? 5;
  }

  override async loadMemoryVariables(_inputs: Values = {}): Promise<Record<string, unknown>> {
    const turns = await recentTurns(this.connection.history, this.#k);
    return this.connection.render(dropOrphanToolResults(turns.flat()));
  }
}
