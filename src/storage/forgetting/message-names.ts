import type { NameMatcher } from '../../graph/name-matcher.ts';
import { messageText } from '../../model/message.ts';
import type { MessageRecord } from '../schema.ts';

/** Returns whether a message contains a name: in its text, tool calls, metadata or author. */
export function isNamedIn(message: MessageRecord, isNamed: NameMatcher): boolean {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    messageText(message),
    'name' in message ? message.name : undefined,
    calls.map((call) => [call.function.name, call.function.arguments]),
    message.metadata,
  ].some((told) => holdsText(told, isNamed));
}

/** Returns whether any text in a value matches, including texts in JSON strings. */
export function holdsText(value: unknown, isMeant: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isMeant(value) || holdsText(parsed(value), isMeant);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some((inner) => holdsText(inner, isMeant));
  return Object.entries(value).some(([key, inner]) => isMeant(key) || holdsText(inner, isMeant));
}

/**
 * Parses a text that may be JSON. Arguments of tool calls are, and a name in them may follow an escaped line break.
 */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
