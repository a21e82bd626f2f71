import { messageText, type ChatMessage } from '../../model/message.ts';

type TextTest = (text: string) => boolean;

/** Keys of messages and of the formats of the AI SDK and wire formats. Nobody said them when they are used as keys. */
const STRUCTURE: ReadonlySet<string> = new Set(
  'content data file id image input kind message messages metadata name output parts role source state status text title tool type url value'.split(
    ' ',
  ),
);
/** Keys whose values nobody said, as far as they are those of the formats. */
const MARKS: ReadonlySet<string> = new Set(['kind', 'role', 'state', 'status', 'type']);
const FORMAT_VALUE =
  /^(?:user|assistant|system|text|reasoning|file|image|image_url|input_audio|refusal|function|source(?:-url|-document)?|step-start|dynamic-tool|tool(?:-[\w-]+)?|data-[\w-]+|streaming|done|(?:input|output|approval)-[a-z]+|complete|incomplete|running|pending|failed|cancelled|replaced)$/u;
const BASE64 = /(?<=data:[^,\s]{0,200};base64,)[\w+/=-]+/giu;

/** Returns whether any text in a value matches, including texts in JSON strings and names as keys. */
export function holdsText(value: unknown, isMeant: TextTest): boolean {
  if (typeof value === 'number') return isMeant(String(value));
  if (typeof value === 'string') {
    const text = value.replaceAll(BASE64, ' ');
    return isMeant(text) || holdsText(parsed(text), isMeant);
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some((inner) => holdsText(inner, isMeant));
  return Object.entries(value).some(
    ([key, inner]) =>
      (!STRUCTURE.has(key) && isMeant(key)) || (!isOfFormat(key, inner) && holdsText(inner, isMeant)),
  );
}

function isOfFormat(key: string, value: unknown): boolean {
  return MARKS.has(key) && typeof value === 'string' && FORMAT_VALUE.test(value);
}

/** Returns whether a message contains a text that matches: in its content, tool calls, metadata or author. */
export function messageHoldsText(
  message: ChatMessage & { readonly metadata?: unknown },
  isMeant: TextTest,
): boolean {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    messageText(message),
    Array.isArray(message.content) ? message.content : undefined,
    'name' in message ? message.name : undefined,
    calls.map((call) => [call.function.name, call.function.arguments]),
    message.metadata,
  ].some((told) => holdsText(told, isMeant));
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
