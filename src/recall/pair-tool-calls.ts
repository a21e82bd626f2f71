import type { ChatMessage } from '../model/message.ts';

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
    asking.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).map(idOf),
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

function idOf(call: { id: string }): string {
  return call.id;
}
