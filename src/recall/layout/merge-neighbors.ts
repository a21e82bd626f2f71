import type { ChatMessage, ContentPart } from '../../model/message.ts';

/**
 * Joins neighbors of one role, because endpoints refuse or misread two user messages in a row. Only the results of one
 * message's tool calls stay separate, because each answers a different call. A name is kept if both have the same.
 */
export function mergeNeighbors(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const joined = join(merged.at(-1), message);
    if (joined) merged[merged.length - 1] = joined;
    else merged.push(message);
  }
  return merged;
}

function join(previous: ChatMessage | undefined, next: ChatMessage): ChatMessage | undefined {
  if (previous?.role === 'system' && next.role === 'system') {
    return { role: 'system', content: `${previous.content}\n\n${next.content}` };
  }
  if (previous?.role === 'user' && next.role === 'user') {
    return {
      role: 'user',
      content: joinContent(previous.content, next.content),
      ...sharedName(previous, next),
    };
  }
  if (previous?.role === 'assistant' && next.role === 'assistant') {
    const calls = [...(previous.tool_calls ?? []), ...(next.tool_calls ?? [])];
    return {
      role: 'assistant',
      content: joinContent(previous.content ?? '', next.content ?? ''),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...sharedName(previous, next),
    };
  }
  return undefined;
}

function sharedName(a: { name?: string }, b: { name?: string }): { name?: string } {
  return a.name !== undefined && a.name === b.name ? { name: a.name } : {};
}

function joinContent(a: string | ContentPart[], b: string | ContentPart[]): string | ContentPart[] {
  if (typeof a === 'string' && typeof b === 'string') return a && b ? `${a}\n\n${b}` : a || b;
  return [...toParts(a), ...toParts(b)];
}

function toParts(content: string | ContentPart[]): ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/**
 * Returns the messages without those that endpoints refuse: tool results without their call, calls without their result,
 * and assistant messages that contain nothing else.
 *
 * A result answers a call of the assistant messages right before it. Ids alone are not enough, because some models reuse
 * the same ids in every turn.
 */
export function pairToolCalls<T extends ChatMessage>(messages: readonly T[]): T[] {
  const paired: T[] = [];
  for (let start = 0; start < messages.length;) {
    const results = endOfRun(messages, start, 'assistant');
    const end = endOfRun(messages, results, 'tool');
    const next = Math.max(end, start + 1);
    if (end === start) paired.push(...messages.slice(start, next));
    else paired.push(...pairExchange(messages.slice(start, results), messages.slice(results, end)));
    start = next;
  }
  return paired;
}

function endOfRun(messages: readonly ChatMessage[], start: number, role: ChatMessage['role']): number {
  let end = start;
  while (messages[end]?.role === role) end += 1;
  return end;
}

/** Each call is answered once, by the first result that names it. */
function pairExchange<T extends ChatMessage>(asking: readonly T[], results: readonly T[]): T[] {
  const open = new Set(
    asking.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
    ),
  );
  const answers = results.filter((result) => result.role === 'tool' && open.delete(result.tool_call_id));
  const answered = new Set(answers.map((result) => (result.role === 'tool' ? result.tool_call_id : '')));
  const asked = asking.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const { tool_calls: calls = [], ...rest } = message;
    const kept = calls.filter((call) => answered.delete(call.id));
    if (kept.length > 0) return [{ ...message, tool_calls: kept }];
    return rest.content !== null && rest.content.length > 0 ? [rest as T] : [];
  });
  return [...asked, ...answers];
}
