import { MnemoraError } from '../model/error.ts';
import type { JsonValue } from '../model/json.ts';
import { parseMessages, type ChatMessage, type ContentPart, type Role } from '../model/message.ts';
import type { RecordStore } from '../storage/record-store.ts';

/** Origin of a text that is passed to `redact`. */
export interface RedactedText {
  readonly role: Role;
  /**
   * `content` is the text of a message, or a string anywhere in one of its content parts, such as the address of an
   * image; `arguments` are those of a tool call, as JSON; `name` is that of the speaker; `record` is a string anywhere in
   * a record of an integration, which has the role `user`.
   */
  readonly field: 'content' | 'arguments' | 'name' | 'record';
}

/** Returns the text to store. */
export type Redact = (text: string, about: RedactedText) => string;

/** The option `redact`, applied to what a memory stores. */
export interface Redaction {
  /** Returns the messages as they are stored, checked again: what `redact` returns is the caller's. */
  messages(given: readonly ChatMessage[]): ChatMessage[];
  /** Returns a store that applies `redact` to the texts in its values. Keys and field names are not changed. */
  records(store: RecordStore): RecordStore;
}

export async function redactionBy(redact: Redact | 'secrets'): Promise<Redaction> {
  const apply = redact === 'secrets' ? (await import('../language/secrets.ts')).redactSecrets : redact;
  const inRecord = (text: string): string => applied(apply, text, { role: 'user', field: 'record' });
  return {
    messages: (given) => parseMessages(redactMessages(given, apply)),
    records: (store) => ({
      ...store,
      put: async (key, value, options) => store.put(key, redactValue(value, inRecord) as JsonValue, options),
    }),
  };
}

/**
 * Returns the messages with `redact` applied to every text. Ids, tool names and types of content parts are not changed.
 *
 * @throws MnemoraError `redact-failed`
 */
function redactMessages(messages: readonly ChatMessage[], redact: Redact): ChatMessage[] {
  return messages.map((message) => {
    const text = (given: string, field: RedactedText['field']): string =>
      applied(redact, given, { role: message.role, field });
    const { content } = message;
    const name = 'name' in message && message.name !== undefined ? { name: text(message.name, 'name') } : {};
    const calls = message.role === 'assistant' ? message.tool_calls : undefined;
    const tool_calls = calls?.map((call) => ({
      ...call,
      function: { ...call.function, arguments: text(call.function.arguments, 'arguments') },
    }));
    const redacted =
      typeof content === 'string'
        ? text(content, 'content')
        : content?.map((part) => redactPart(part, (given) => text(given, 'content')));
    return {
      ...message,
      content: redacted ?? null,
      ...name,
      ...(tool_calls ? { tool_calls } : {}),
    } as ChatMessage; // the same shape with other texts
  });
}

function redactPart(part: ContentPart, text: (given: string) => string): ContentPart {
  const { type, origin, ...rest } = part;
  return { type, ...(origin === undefined ? {} : { origin }), ...(redactValue(rest, text) as object) };
}

function redactValue(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactValue(each, text)]));
}

function applied(redact: Redact, text: string, about: RedactedText): string {
  let redacted: unknown;
  let cause: unknown;
  try {
    redacted = redact(text, about);
  } catch (error) {
    cause = error;
  }
  if (typeof redacted === 'string') return redacted;
  throw new MnemoraError(
    'redact-failed',
    `Nothing was stored: redact ${cause === undefined ? 'did not return a string' : 'threw'} for the ${about.field} of ${about.field === 'record' ? 'an integration' : `a message of the role ${about.role}`}.`,
    { cause },
  );
}
