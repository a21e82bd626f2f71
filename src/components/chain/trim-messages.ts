import { parseMessages, toChatMessage, type ChatMessage, type Role } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { cutMessage, takeEdge, type Edge } from './cut-message.ts';
import { largestPassing } from '../../model/binary-search.ts';
import { planTrim, type TrimMessagesOptions, type TrimPlan } from './trim-options.ts';

/**
 * Returns a copy of a list of messages, cut to a token budget, like LangChain's `trim_messages`. Never returns a tool
 * result without its call.
 *
 * If the budget would leave nothing of a list that contains a user message, the newest user message is returned and
 * `onWarning` is called with `over-budget`. A budget of 0 returns an empty list.
 *
 * @throws MnemoraError `invalid-option` or `invalid-message`
 * @example
 * await trimMessages(messages, { maxTokens: 1000, tokenizer, includeSystem: true, startOn: 'user' });
 */
export async function trimMessages(
  messages: readonly ChatMessage[],
  options: TrimMessagesOptions,
): Promise<ChatMessage[]> {
  const plan = planTrim(options);
  const parsed = dropOrphanToolResults(parseMessages(messages));
  const isLast = plan.strategy === 'last';
  const candidates = isLast ? dropUntil(parsed, 'last', plan.endOn) : parsed;
  const system = plan.includeSystem && candidates[0]?.role === 'system' ? [candidates[0]] : [];
  const rest = candidates.slice(system.length);
  const systemTokens = system.length > 0 ? await plan.count(system) : 0;
  const budget = Math.max(0, plan.maxTokens - systemTokens);

  const { kept, isCut } = await keepEdge(rest, plan.strategy, budget, plan);
  const cutToRole = (list: readonly ChatMessage[]): ChatMessage[] =>
    dropUntil(list, isLast ? 'first' : 'last', isLast ? plan.startOn : plan.endOn);
  const ended = cutToRole(kept);
  const result = dropOrphanToolResults([...system, ...ended]);

  const newestUserMessage = rest.findLast((message) => message.role === 'user');
  const isEmptied =
    isCut &&
    plan.maxTokens > 0 &&
    newestUserMessage !== undefined &&
    result.length === system.length &&
    // If no message has a requested role, the list is not empty because of the budget.
    cutToRole(rest).length > 0;
  if (isEmptied && system.length === 0) result.push(newestUserMessage);
  if (isEmptied || systemTokens > plan.maxTokens) {
    options.onWarning?.({
      code: 'over-budget',
      message: `Of ${messages.length} messages only the ${result.at(-1)?.role} message is kept: maxTokens ${plan.maxTokens} leaves no room for more.`,
    });
  }
  return result.map(toChatMessage);
}

/** Returns as many messages from one end of the list as fit. */
async function keepEdge(
  messages: readonly ChatMessage[],
  edge: Edge,
  budget: number,
  plan: TrimPlan,
): Promise<{ kept: ChatMessage[]; isCut: boolean }> {
  const fits = async (list: readonly ChatMessage[]): Promise<boolean> => (await plan.count(list)) <= budget;
  const size = await largestPassing(messages.length, (candidate) =>
    fits(takeEdge(messages, edge, candidate)),
  );
  const kept = takeEdge(messages, edge, size);
  const next = edge === 'first' ? messages[size] : messages[messages.length - size - 1];
  if (!next || !plan.allowPartial) return { kept, isCut: next !== undefined };

  const join = (part: ChatMessage): ChatMessage[] => (edge === 'first' ? [...kept, part] : [part, ...kept]);
  const part = await cutMessage(next, edge, (candidate) => fits(join(candidate)), plan.textSplitter);
  return { kept: part ? join(part) : kept, isCut: true };
}

/** Drops messages from one end of the list until the one there has one of these roles. */
function dropUntil(
  messages: readonly ChatMessage[],
  end: Edge,
  roles: readonly Role[] | undefined,
): ChatMessage[] {
  if (!roles) return [...messages];
  const isWanted = (message: ChatMessage): boolean => roles.includes(message.role);
  if (end === 'last') return messages.slice(0, messages.findLastIndex(isWanted) + 1);
  const start = messages.findIndex(isWanted);
  return start === -1 ? [] : messages.slice(start);
}
