import type { NameMatcher } from '../../graph/name-matcher.ts';
import { messageText } from '../../model/message.ts';
import type { MessageRecord } from '../schema.ts';

/** Whether a name stands anywhere in a message: in its text, its calls of tools, its metadata, or as who wrote it. */
export function isNamedIn(message: MessageRecord, isNamed: NameMatcher): boolean {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    messageText(message),
    'name' in message ? message.name : undefined,
    calls.map((call) => [call.function.name, call.function.arguments]),
    message.metadata,
  ].some((told) => holdsText(told, isNamed));
}

/** Whether any text in a value passes, that of JSON in a text included. */
export function holdsText(value: unknown, isMeant: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isMeant(value) || holdsText(parsed(value), isMeant);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some((inner) => holdsText(inner, isMeant));
  return Object.entries(value).some(([key, inner]) => isMeant(key) || holdsText(inner, isMeant));
}

/** What tools are called with is JSON, where a name may stand behind an escaped line break. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
