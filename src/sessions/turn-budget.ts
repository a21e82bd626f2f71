import { dropOrphanToolResults } from '../model/turn.ts';
import type { ChatMessage } from '../model/message.ts';

/**
 * Takes whole turns, newest first, as long as their cost stays within a budget.
 *
 * A tool result whose call lies in no turn taken costs nothing and is left out of the result; once an older turn
 * brings the call, both are paid for.
 */
export class TurnBudget<T extends ChatMessage> {
  readonly #budget: number;
  readonly #costOf: (message: T) => number;
  /** Newest first. */
  readonly #taken: (readonly T[])[] = [];
  /** Cost of the tool results taken whose call has not come yet, by call id. */
  #waiting: ReadonlyMap<string, number> = new Map();
  #spent = 0;

  constructor(budget: number, costOf: (message: T) => number) {
    this.#budget = budget;
    this.#costOf = costOf;
  }

  /** Whether nothing has been taken yet. */
  get empty(): boolean {
    return this.#taken.length === 0;
  }

  /** Takes the next older turn, if it fits. Once one was refused, older ones must not be offered. */
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

  /** What was taken, oldest first, without orphan tool results. */
  messages(): T[] {
    return dropOrphanToolResults(this.#taken.toReversed().flat());
  }
}

/** What of the newest turns is within a budget, and what was left of a newest turn that is not. */
export interface NewestTurns<T> {
  readonly messages: readonly T[];
  readonly kept: 'turns' | 'user-message' | 'nothing';
}

/** Takes the newest whole turns that fit; where not even the newest does, its user message alone. */
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
