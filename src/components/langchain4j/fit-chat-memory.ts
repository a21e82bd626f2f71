import { toChatMessage, type ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults, splitTurns } from '../../model/turn.ts';
import { TurnBudget } from '../../sessions/turn-budget.ts';

/** The messages of a chat memory after eviction. */
export interface ChatMemoryFit<T> {
  /** Messages for the model. */
  view: T[];
  /** Messages for the store: the view, with the whole newest turn if the view contains only its user message. */
  stored: T[];
  /** Whether the limit is exceeded, or the newest turn cannot be shown as a whole. */
  overBudget: boolean;
}

/**
 * Keeps the last system message and the newest whole turns within a limit, in order.
 *
 * The newest turn, which may still be running, is never evicted from the store. If it does not fit, the view is the system
 * message and the newest user message, regardless of the limit.
 */
export function fitTurns<T extends ChatMessage>(
  messages: readonly T[],
  limit: number,
  costOf: (message: T) => number,
): ChatMemoryFit<T> {
  const system = messages.findLast((message) => message.role === 'system');
  const others = dropOrphanToolResults(messages.filter((message) => message.role !== 'system'));
  const turns = splitTurns(others);
  const budget = new TurnBudget<T>(limit - (system ? costOf(system) : 0), costOf);
  for (const turn of turns.toReversed()) if (!budget.offer(turn)) break;

  const newest = turns.at(-1);
  if (newest && budget.empty) {
    const newestUserMessage = others.findLast((message) => message.role === 'user');
    return {
      view: pick(messages, [system, newestUserMessage]),
      stored: pick(messages, [system, ...dropOrphanToolResults(newest)]),
      overBudget: true,
    };
  }
  const kept = pick(messages, [system, ...budget.messages()]);
  return { view: kept, stored: kept, overBudget: system !== undefined && costOf(system) > limit };
}

/**
 * Evicts single messages, oldest first, until the rest is within the limit, as LangChain4j does. A system message at
 * the start is kept. Tool results are evicted together with the message that contains their calls.
 */
export function fitMessages<T extends ChatMessage>(
  messages: readonly T[],
  limit: number,
  costOf: (message: T) => number,
): ChatMemoryFit<T> {
  const sum = (): number => kept.reduce((total, message) => total + costOf(message), 0);
  let kept = dropOrphanToolResults(messages);
  let total = sum();
  while (total > limit) {
    const oldest = kept[0]?.role === 'system' ? 1 : 0;
    const [evicted] = kept.splice(oldest, 1);
    if (!evicted) break;
    total -= costOf(evicted);
    if (evicted.role === 'assistant' && evicted.tool_calls) {
      kept = dropOrphanToolResults(kept);
      total = sum();
    }
  }
  const emptied = messages.some((message) => message.role === 'user') && !kept.some(isNoSystem);
  return { view: kept, stored: kept, overBudget: emptied || total > limit };
}

/**
 * Returns the messages of a list that are new compared with a known one, some of whose older messages may have been
 * evicted: everything after the longest common run, and a changed system message.
 */
export function messagesAfter<T extends ChatMessage>(known: readonly T[], list: readonly T[]): T[] {
  const keyOf = (message: ChatMessage): string => JSON.stringify(toChatMessage(message));
  const [before, said] = [known.filter(isNoSystem).map(keyOf), list.filter(isNoSystem)];
  const after = said.map(keyOf);
  const knownKeys = new Set(known.map(keyOf));
  const systems = list.filter((message) => !isNoSystem(message) && !knownKeys.has(keyOf(message)));
  // If nothing was evicted, a repeated message is a new message.
  const isWhole = before.every((key, position) => after[position] === key);
  return [...systems, ...said.slice(isWhole ? before.length : endOfLongestStretch(before, after))];
}

/** Returns the end, in the second list, of the longest run that the first contains as well; the last one of several. */
function endOfLongestStretch(before: readonly string[], after: readonly string[]): number {
  let longest = 0;
  let end = 0;
  // Length of the common run that ends at each position of the first list.
  let lengths: number[] = [];
  for (const [at, key] of after.entries()) {
    const previous = lengths;
    lengths = before.map((other, position) => (other === key ? (previous[position - 1] ?? 0) + 1 : 0));
    const length = Math.max(0, ...lengths);
    if (length > 0 && length >= longest) [longest, end] = [length, at + 1];
  }
  return end;
}

function pick<T>(messages: readonly T[], wanted: readonly (T | undefined)[]): T[] {
  const chosen = new Set(wanted);
  return messages.filter((message) => chosen.has(message));
}

function isNoSystem(message: ChatMessage): boolean {
  return message.role !== 'system';
}
