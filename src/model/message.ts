import { describe, quote } from './describe.ts';
import { invalidMessage } from './error.ts';
import { isRecord } from './is-record.ts';
import { canonicalJson, parseJson, type JsonValue } from './json.ts';
import { isLangChainMessage, toWireShape } from './langchain-message.ts';

/**
 * One part of a multi-part content, as the chat-completions API takes it. Only text parts are searched. A part with the
 * origin `document` holds text that the user pasted or attached, which does not count as a statement of the user; it is
 * sent without that field.
 */
export type ContentPart =
  | { type: 'text'; text: string; origin?: 'document' }
  | { type: string; [field: string]: unknown };

/** The model's request to run a tool. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/**
 * A message in the wire format of the chat-completions API, which can be sent unchanged to any compatible endpoint.
 *
 * `origin` names the source of a message whose words are not those of its role; it is never sent. `document` is text
 * that the user did not write. `import` comes from another system. `notice` is shown by the page itself in place of an
 * answer: it appears in `history`, and is never searched, learned from or sent. `memory` is the result of a memory
 * tool: it repeats what is stored elsewhere, and is never searched, learned from or recalled.
 */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ContentPart[]; name?: string; origin?: 'document' | 'import' }
  | {
      role: 'assistant';
      content: string | ContentPart[] | null;
      tool_calls?: ToolCall[];
      name?: string;
      origin?: 'notice' | 'import';
    }
  | { role: 'tool'; content: string; tool_call_id: string; origin?: 'import' | 'memory' };

export type Role = ChatMessage['role'];

/**
 * State of a turn: still open, or how it ended.
 *
 * `pending`: the model is answering. `failed`: the call of the model failed. `cancelled`: the user stopped the answer.
 * `replaced`: another turn took its place; it is kept for display only. Only `complete` turns are sent to the model.
 */
export type TurnState = 'pending' | 'complete' | 'failed' | 'cancelled' | 'replaced';

/** Token counts of one message, by tokenizer id. */
export type TokenCounts = Readonly<Record<string, number>>;

/** A message, optionally with token counts that were made in advance. */
export type CountedMessage = ChatMessage & { tokens?: TokenCounts };

/** A message as the transcript stores it. `seq` orders the messages of a session; clocks do not. */
export type StoredMessage = ChatMessage & {
  id: string;
  sessionId: string;
  turnId: string;
  /** Position in the session, from 0. Consecutive when written; forgetting leaves gaps. */
  seq: number;
  /** Position of the turn in the session, from 0. */
  turn: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** @internal Time of the latest message before it, if the clock was put back since: see {@link timeSaid}. */
  saidAt?: number;
  state: TurnState;
  /** Ids of the turns that this one replaces as soon as it is complete. Only turns that are not complete have it. */
  replaces?: readonly string[];
  tokens?: TokenCounts;
  metadata?: Readonly<Record<string, unknown>>;
};

/** A statement of a message about an event, as one sentence. Times are in milliseconds since 1970. */
export interface EventStatement {
  readonly sentence: string;
  readonly saidAt: number;
  /**
   * Time from which the fact holds. Set if the fact is about the user, or about the person that the event is named
   * after.
   */
  readonly validFrom?: number;
}

/** Longest text of one message, in UTF-16 units. Far beyond any model's context; a guard against runaway pastes. */
export const MAX_MESSAGE_CHARACTERS = 2_000_000;

/**
 * Returns the time from which on what a message says holds. Within a session it never decreases, so that the order of
 * the turns decides what is later, whatever the clock said.
 */
export function timeSaid({ createdAt, saidAt = createdAt }: TimesOfMessage): number {
  return saidAt;
}

interface TimesOfMessage {
  readonly createdAt: number;
  readonly saidAt?: number;
}

/** Returns a message that is stored after others, said no earlier than `latest`, the time of the latest of them. */
export function saidAfter<Message extends TimesOfMessage>(latest: number, message: Message): Message {
  return timeSaid(message) < latest ? { ...message, saidAt: latest } : message;
}

/** Returns the text of a message: its content, or its text parts joined by newlines; empty if there is none. */
export function messageText(message: Pick<ChatMessage, 'content'>): string {
  const { content } = message;
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n');
}

/** Returns the calls of tools that a message makes. */
export function toolCallsOf(message: ChatMessage): readonly ToolCall[] {
  return (message.role === 'assistant' && message.tool_calls) || [];
}

/** Returns whether the page itself shows this message in place of an answer: see {@link ChatMessage}. */
export function isNotice(message: ChatMessage): boolean {
  return message.role === 'assistant' && message.origin === 'notice';
}

/** Returns whether nobody said a message: a notice of the page, or the result of a memory tool. */
export function isUnspoken(message: ChatMessage): boolean {
  return isNotice(message) || (message.role === 'tool' && message.origin === 'memory');
}

/** Returns whether search should find a message: text of the user or the assistant, in a complete turn. */
export function isSearchable(message: StoredMessage): boolean {
  const spoken = message.role === 'user' || (message.role === 'assistant' && !isNotice(message));
  return spoken && message.state === 'complete' && messageText(message).trim() !== '';
}

/**
 * Checks a message that comes from outside and returns a deep copy in canonical form. Messages of LangChain's classes
 * are accepted too.
 *
 * Lone surrogates (half an emoji, left by a stream that was cut) become U+FFFD, because neither UTF-8 nor most
 * endpoints can carry them.
 *
 * @throws MnemoraError `invalid-message` on an unknown role or field, a wrong type or a text over {@link
 *   MAX_MESSAGE_CHARACTERS}.
 */
export function parseMessage(given: unknown): ChatMessage {
  if (!isRecord(given)) throw invalidMessage(`A message must be an object, not ${describe(given)}.`);
  const value = isLangChainMessage(given) ? toWireShape(given) : given;
  const role = value['role'] as Role;
  const fields = Object.hasOwn(FIELDS_BY_ROLE, role) ? FIELDS_BY_ROLE[role] : undefined;
  if (!fields)
    throw invalidMessage(`A message's role must be system, user, assistant or tool, not ${quote(role)}.`);
  const unknown = Object.keys(value).find((field) => !fields.includes(field) && value[field] !== undefined);
  if (unknown !== undefined) throw invalidMessage(`A message of role ${role} has no field "${unknown}".`);
  switch (role) {
    case 'system':
      return { role: 'system', content: parseText(value['content'], 'content') };
    case 'user': {
      const content = parseContent(value['content']);
      if (content === null) throw invalidMessage('The content of a user message must not be null.');
      return { role: 'user', content, ...parseName(value), ...parseOrigin(value, ['document', 'import']) };
    }
    case 'assistant': {
      const calls = parseToolCalls(value['tool_calls']);
      return {
        role: 'assistant',
        content: parseContent(value['content']),
        ...(calls ? { tool_calls: calls } : {}),
        ...parseName(value),
        ...parseOrigin(value, ['notice', 'import']),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        content: parseText(value['content'], 'content'),
        tool_call_id: parseText(value['tool_call_id'], 'tool_call_id'),
        ...parseOrigin(value, ['import', 'memory']),
      };
  }
}

/** Checks a list with {@link parseMessage}. @throws MnemoraError `invalid-message`, naming the position. */
export function parseMessages(values: unknown): ChatMessage[] {
  if (!Array.isArray(values)) throw invalidMessage(`Messages must be an array, not ${describe(values)}.`);
  return values.map((value, index) => {
    try {
      return parseMessage(value);
    } catch (error) {
      throw invalidMessage(`Message ${index}: ${(error as Error).message}`);
    }
  });
}

/** Returns the wire part of a stored message: the fields that an endpoint may see. */
export function toChatMessage(message: ChatMessage): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: cloneContent(message.content), ...nameOf(message) };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content === null ? null : cloneContent(message.content),
        ...(message.tool_calls ? { tool_calls: structuredClone(message.tool_calls) } : {}),
        ...nameOf(message),
      };
    case 'tool':
      return { role: 'tool', content: message.content, tool_call_id: message.tool_call_id };
  }
}

/** Returns whether two messages have the same role, content and origin. */
export function sameMessage(a: ChatMessage, b: ChatMessage): boolean {
  return canonicalJson(withOrigins(a)) === canonicalJson(withOrigins(b));
}

function withOrigins(message: ChatMessage): object {
  const origin = 'origin' in message ? message.origin : undefined;
  return { ...toChatMessage(message), content: message.content, origin };
}

const FIELDS_BY_ROLE: Readonly<Record<Role, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content', 'name', 'origin'],
  assistant: ['role', 'content', 'tool_calls', 'name', 'origin'],
  tool: ['role', 'content', 'tool_call_id', 'origin'],
};

function parseContent(value: unknown): string | ContentPart[] | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return parseText(value, 'content');
  return value.map((part: unknown) => {
    if (!isRecord(part) || typeof part['type'] !== 'string') {
      throw invalidMessage('A content part must be an object with a type.');
    }
    if (part['type'] === 'text') {
      const text = parseText(part['text'], 'text of a content part');
      return { type: 'text', text, ...parseOrigin(part, ['document']) };
    }
    return cloneJson(part, 'content part') as ContentPart;
  });
}

function parseToolCalls(value: unknown): ToolCall[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalidMessage(`tool_calls must be an array, not ${describe(value)}.`);
  return value.map((call: unknown) => {
    const called = isRecord(call) ? call['function'] : undefined;
    if (!isRecord(call) || !isRecord(called))
      throw invalidMessage('A tool call must have an id and a function.');
    return {
      id: parseText(call['id'], 'id of a tool call'),
      type: 'function',
      function: {
        name: parseText(called['name'], 'name of a tool call'),
        arguments: parseText(called['arguments'], 'arguments of a tool call'),
      },
    };
  });
}

function parseName(value: Record<string, unknown>): { name?: string } {
  return value['name'] === undefined ? {} : { name: parseText(value['name'], 'name') };
}

function parseOrigin<O extends string>(
  { origin }: Record<string, unknown>,
  allowed: readonly O[],
): { origin?: O } {
  if (origin === undefined) return {};
  const known = allowed.find((each) => each === origin);
  if (known !== undefined) return { origin: known };
  throw invalidMessage(`An origin here can be ${allowed.join(' or ')}, not ${quote(origin)}.`);
}

function parseText(value: unknown, what: string): string {
  if (typeof value !== 'string')
    throw invalidMessage(`The ${what} of a message must be a string, not ${describe(value)}.`);
  if (value.length > MAX_MESSAGE_CHARACTERS) {
    throw invalidMessage(
      `The ${what} of a message has ${value.length} characters; at most ${MAX_MESSAGE_CHARACTERS} are kept.`,
    );
  }
  return value.toWellFormed();
}

/** Returns a deep copy. Bytes, dates and other values that are not JSON are rejected rather than converted. */
function cloneJson(value: unknown, what: string): unknown {
  let copy: JsonValue;
  try {
    copy = parseJson(value, `A ${what}`);
  } catch (cause) {
    throw invalidMessage(`A ${what} must be plain data (JSON).`, cause);
  }
  parseText(JSON.stringify(copy), what);
  return copy;
}

/** Returns the content as it is sent, without the origin of its parts. */
function cloneContent(content: string | ContentPart[]): string | ContentPart[] {
  if (typeof content === 'string') return content;
  return structuredClone(content).map((part) =>
    part.type === 'text' ? { type: 'text', text: String(part['text']) } : part,
  );
}

function nameOf(message: { name?: string }): { name?: string } {
  return message.name === undefined ? {} : { name: message.name };
}
