import type { ChatMessage, ContentPart } from '../model/message.ts';

/**
 * Joins neighbors of one role, because endpoints refuse or misread two user messages in a row. Only the results of
 * one message's tool calls stay side by side: each answers a call of its own. A name stays where both share it.
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
