import { largestPassing } from '../../model/ordered/binary-search.ts';
import {
  checkBoolean,
  checkFunction,
  checkOptions,
  objectWith,
  oneOf,
  type OptionChecks,
  anything,
  mustBe,
} from '../../model/check-options.ts';
import { invalidOption } from '../../model/error.ts';
import {
  parseMessages,
  toChatMessage,
  type ChatMessage,
  type ContentPart,
  type Role,
} from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { warningListener, type WarningListener } from '../../model/warning.ts';
import { countInSlices } from '../../tokens/count-in-slices.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';

/** Returns the number of tokens of a list of messages. */
export type TokenCounter = (messages: readonly ChatMessage[]) => number | Promise<number>;

/** Splits a text into pieces that give the original text when joined. */
export type TextSplitter = (text: string) => readonly string[] | Promise<readonly string[]>;

export interface TrimMessagesOptions {
  /** Maximum number of tokens of the result. */
  maxTokens: number;
  /** Counts each message; the sum is compared with `maxTokens`. Either this or `tokenCounter` is required. */
  tokenizer?: Tokenizer;
  /** Counts a whole list, if its count differs from the sum. The count must not decrease as the list grows. */
  tokenCounter?: TokenCounter;
  /** Whether the newest (`last`) or the oldest (`first`) messages are kept. @default 'last' */
  strategy?: 'last' | 'first';
  /** Whether a system message at the start is kept, regardless of its tokens. Strategy `last` only. @default false */
  includeSystem?: boolean;
  /** Role or roles that the result must begin with, after a system message that is kept. Strategy `last` only. */
  startOn?: Role | readonly Role[];
  /** Role or roles that the result must end with. */
  endOn?: Role | readonly Role[];
  /** Whether a part of a message is kept if the whole message does not fit. @default false */
  allowPartial?: boolean;
  /** Splits messages for `allowPartial`. @default into lines */
  textSplitter?: TextSplitter;
  /** Called with `over-budget` if a message exceeds the budget, or only the system message could be kept. */
  onWarning?: WarningListener;
}

/**
 * Returns a copy of a list of messages, cut to a token budget, like LangChain's `trim_messages`. Never returns a tool
 * result without its call.
 *
 * If the budget would leave an empty list although there is a user message, the newest user message is returned and
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
  const count = checkTrim(options);
  const { maxTokens, includeSystem, startOn, endOn, allowPartial, onWarning } = options;
  const edge = options.strategy ?? 'last';
  const parsed = dropOrphanToolResults(parseMessages(messages));
  const system = includeSystem && parsed[0]?.role === 'system' ? [parsed[0]] : [];
  const said = parsed.slice(system.length);
  const rest = edge === 'last' ? dropUntil(said, 'last', endOn) : said;
  const systemTokens = system.length > 0 ? await count(system) : 0;
  const budget = Math.max(0, maxTokens - systemTokens);
  const fits = async (list: readonly ChatMessage[]): Promise<boolean> => (await count(list)) <= budget;

  const size = await largestPassing(rest.length, (candidate) => fits(takeEdge(rest, edge, candidate)));
  const whole = takeEdge(rest, edge, size);
  const next = edge === 'first' ? rest[size] : rest[rest.length - size - 1];
  const join = (part: ChatMessage): ChatMessage[] => (edge === 'first' ? [...whole, part] : [part, ...whole]);
  const part =
    next && allowPartial
      ? await cutMessage(next, edge, (cut) => fits(join(cut)), options.textSplitter ?? splitLines)
      : undefined;
  const cutToRole = (list: readonly ChatMessage[]): ChatMessage[] =>
    edge === 'last' ? dropUntil(list, 'first', startOn) : dropUntil(list, 'last', endOn);
  const result = dropOrphanToolResults([...system, ...cutToRole(part ? join(part) : whole)]);

  const newestUserMessage = rest.findLast((message) => message.role === 'user');
  const isEmptied =
    next !== undefined &&
    maxTokens > 0 &&
    newestUserMessage !== undefined &&
    result.length === system.length &&
    // If no message has a requested role, the budget is not the reason for an empty list.
    cutToRole(rest).length > 0;
  if (isEmptied && system.length === 0) result.push(newestUserMessage);
  if (isEmptied || systemTokens > maxTokens) {
    const message = `Only the ${result.at(-1)?.role} message of ${messages.length} messages was kept: maxTokens ${maxTokens} leaves no room for more.`;
    warningListener(onWarning)({ code: 'over-budget', message });
  }
  return result.map(toChatMessage);
}

type Edge = 'first' | 'last';

/** Drops messages from one end of the list until the one there has one of these roles. */
function dropUntil(
  messages: readonly ChatMessage[],
  end: Edge,
  roles: Role | readonly Role[] | undefined,
): ChatMessage[] {
  if (!roles) return [...messages];
  const isWanted = (message: ChatMessage): boolean => [roles].flat().includes(message.role);
  if (end === 'last') return messages.slice(0, messages.findLastIndex(isWanted) + 1);
  const start = messages.findIndex(isWanted);
  return start === -1 ? [] : messages.slice(start);
}

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];
const checkRoles = (name: string, value: unknown): unknown =>
  [value].flat().map((role) => oneOf(...ROLES)(name, role));

const isCount = mustBe('a number of at least 0', (value) => typeof value === 'number' && value >= 0);

const OPTION_CHECKS: OptionChecks<TrimMessagesOptions> = {
  maxTokens: isCount,
  tokenizer: anything,
  tokenCounter: anything,
  strategy: oneOf('last', 'first'),
  includeSystem: checkBoolean,
  startOn: checkRoles,
  endOn: checkRoles,
  allowPartial: checkBoolean,
  textSplitter: checkFunction,
  onWarning: checkFunction,
};

/** Returns the counter to use. @throws MnemoraError `invalid-option` if an option is invalid */
function checkTrim(options: TrimMessagesOptions): (messages: readonly ChatMessage[]) => Promise<number> {
  checkOptions('trimMessages', options, OPTION_CHECKS);
  isCount('maxTokens', options.maxTokens);
  const { strategy, includeSystem, startOn, tokenizer, tokenCounter } = options;
  if (strategy === 'first' && (startOn !== undefined || includeSystem)) {
    throw invalidOption(
      `startOn and includeSystem are only valid with strategy 'last', which cuts the beginning of the list.`,
    );
  }
  if (typeof tokenCounter === 'function' && tokenizer === undefined) {
    return async (messages) => tokenCounter(messages);
  }
  if (tokenizer === undefined || tokenCounter !== undefined) {
    throw invalidOption('trimMessages needs either a tokenizer or a tokenCounter.');
  }
  objectWith('countMessage')('tokenizer', tokenizer);
  const counts = new WeakMap<ChatMessage, number>();
  return async (messages) => {
    let sum = 0;
    for (const message of messages) {
      const count = counts.get(message) ?? (await countInSlices(tokenizer, message));
      counts.set(message, count);
      sum += count;
    }
    return sum;
  };
}

/**
 * Returns the largest part of a message that fits: as many of its content parts as possible, or as many pieces of its
 * text; undefined if not even one piece fits.
 */
async function cutMessage(
  message: ChatMessage,
  edge: Edge,
  fits: (part: ChatMessage) => Promise<boolean>,
  splitText: (text: string) => readonly string[] | Promise<readonly string[]>,
): Promise<ChatMessage | undefined> {
  const { content } = message;
  if (Array.isArray(content)) {
    for (let size = content.length - 1; size > 0; size -= 1) {
      const part = withContent(message, takeEdge(content, edge, size));
      if (await fits(part)) return part;
    }
  }
  const text = textAtEdge(content, edge);
  if (text === undefined) return undefined;
  const pieces = await splitText(text);
  const cut = (size: number): ChatMessage => withContent(message, takeEdge(pieces, edge, size).join(''));
  const size = await largestPassing(pieces.length, (candidate) => fits(cut(candidate)));
  return size === 0 ? undefined : cut(size);
}

/** Returns the lines of a text, each with its line break. */
function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Returns the first or the last items of a list, in order. */
function takeEdge<T>(list: readonly T[], edge: Edge, size: number): T[] {
  return edge === 'first' ? list.slice(0, size) : list.slice(list.length - size);
}

function textAtEdge(content: ChatMessage['content'], edge: Edge): string | undefined {
  if (!Array.isArray(content)) return content ?? undefined;
  const texts = content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : []));
  return edge === 'first' ? texts[0] : texts.at(-1);
}

function withContent(message: ChatMessage, content: string | ContentPart[]): ChatMessage {
  // The cast is safe: only messages whose content may be a list get one.
  return { ...message, content } as ChatMessage;
}
