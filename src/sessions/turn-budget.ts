import { dropOrphanToolResults } from '../model/turn.ts';
import { toolCallsOf, type ChatMessage, type StoredMessage } from '../model/message.ts';
import { countInSlices } from '../tokens/count-in-slices.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { ChatMessageHistory } from './chat-message-history.ts';

/** Token counts of stored messages. Stored counts are reused; new ones can be stored with the messages. */
export class CountedTokens {
  readonly #tokenizer: Tokenizer;
  readonly #counted = new Map<string, number>();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Counts messages without blocking the page. */
  async countAhead(messages: readonly StoredMessage[]): Promise<void> {
    for (const message of messages) {
      if (this.#find(message) === undefined)
        this.#counted.set(message.id, await countInSlices(this.#tokenizer, message));
    }
  }

  /** Returns the tokens of a message, which must have been counted: any other fits no budget. */
  of(message: StoredMessage): number {
    return this.#find(message) ?? Infinity;
  }

  /** Stores the new counts, if the history stores counts. */
  async record(history: Pick<ChatMessageHistory, 'recordTokens'>): Promise<void> {
    if (this.#counted.size === 0) return;
    try {
      await history.recordTokens?.(this.#tokenizer.id, this.#counted);
    } catch {
      // Nothing is lost: they can be counted again.
    }
  }

  #find(message: StoredMessage): number | undefined {
    return message.tokens?.[this.#tokenizer.id] ?? this.#counted.get(message.id);
  }
}

/**
 * Takes whole turns, newest first, as long as their cost stays within a budget.
 *
 * A tool result without its call among the taken turns costs nothing and is left out of the result. Once an older
 * turn brings the call, both are charged.
 */
export class TurnBudget<T extends ChatMessage> {
  readonly #budget: number;
  readonly #costOf: (message: T) => number;
  /** Taken turns, newest first. */
  readonly #taken: (readonly T[])[] = [];
  /** Cost of the taken tool results that still lack their call, by call id. */
  #waiting: ReadonlyMap<string, number> = new Map();
  #spent = 0;

  constructor(budget: number, costOf: (message: T) => number) {
    this.#budget = budget;
    this.#costOf = costOf;
  }

  /** True until a turn has been taken. */
  get empty(): boolean {
    return this.#taken.length === 0;
  }

  /** Takes the next older turn if it fits, and returns whether it did. Offer no older turn after one was refused. */
  offer(turn: readonly T[]): boolean {
    const waiting = new Map(this.#waiting);
    let cost = 0;
    for (const message of turn.toReversed()) {
      const own = this.#costOf(message);
      if (message.role === 'tool') {
        waiting.set(message.tool_call_id, (waiting.get(message.tool_call_id) ?? 0) + own);
        continue;
      }
      cost += own;
      for (const { id } of toolCallsOf(message)) {
        cost += waiting.get(id) ?? 0;
        waiting.delete(id);
      }
    }
    if (!(this.#spent + cost <= this.#budget)) return false;
    this.#spent += cost;
    this.#waiting = waiting;
    this.#taken.push(turn);
    return true;
  }

  /** Returns the messages taken, oldest first, without orphan tool results. */
  messages(): T[] {
    return dropOrphanToolResults(this.#taken.toReversed().flat());
  }
}
