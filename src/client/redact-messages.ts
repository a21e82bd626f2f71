import { MnemoraError } from '../model/error.ts';
import { parseMessages, type ChatMessage, type ContentPart, type Role } from '../model/message.ts';

/** What a text that is given to `redact` belongs to. */
export interface RedactedText {
  readonly role: Role;
  /**
   * `content` is the text of a message, or a string anywhere in one of its content parts, such as the address of an
   * image; `arguments` are those of a tool call, as JSON; `name` is that of the speaker.
   */
  readonly field: 'content' | 'arguments' | 'name';
}

/** Returns a text as it is to be stored. */
export type Redact = (text: string, about: RedactedText) => string;

/** Returns what applies the option `redact` to messages, which are checked again: what it returns is the caller's. */
export async function redactionBy(
  redact: Redact | 'secrets',
): Promise<(messages: readonly ChatMessage[]) => ChatMessage[]> {
  const apply = redact === 'secrets' ? (await import('../model/secrets.ts')).redactSecrets : redact;
  return (messages) => parseMessages(redactMessages(messages, apply));
}

/**
 * Returns the messages with every text as `redact` returns it. Ids, the names of tools and the types of content parts
 * stay.
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
    `The turn was not stored: redact ${cause === undefined ? 'did not return a string' : 'threw'} for the ${about.field} of a message of the role ${about.role}.`,
    { cause },
  );
}
