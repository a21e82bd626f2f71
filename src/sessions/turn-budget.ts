import { dropOrphanToolResults } from '../model/turn.ts';
import type { ChatMessage } from '../model/message.ts';

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
      for (const callId of callIds(message)) {
        cost += waiting.get(callId) ?? 0;
        waiting.delete(callId);
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

/** The newest turns that fit a budget, and what was kept if even the newest one did not fit. */
export interface NewestTurns<T> {
  readonly messages: readonly T[];
  readonly kept: 'turns' | 'user-message' | 'nothing';
}

/** Takes the newest whole turns that fit; if not even the newest fits, only its user message. */
export async function takeNewest<T extends ChatMessage>(
  newestFirst: AsyncIterable<readonly T[]>,
  budget: TurnBudget<T>,
): Promise<NewestTurns<T>> {
  let isTooLarge = false;
  for await (const turn of newestFirst) {
    if (!isTooLarge && budget.offer(turn)) continue;
    if (!budget.empty) break;
    isTooLarge = true;
    const question = turn.findLast((message) => message.role === 'user');
    if (question) return { messages: [question], kept: 'user-message' };
  }
  return { messages: budget.messages(), kept: isTooLarge ? 'nothing' : 'turns' };
}

function callIds(message: ChatMessage): string[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [];
}
