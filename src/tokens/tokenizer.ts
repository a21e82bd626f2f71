import { quote } from '../model/describe.ts';
import { invalidOption } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import { messageText, toolCallsOf, type ChatMessage, type ContentPart } from '../model/message.ts';

/**
 * Counts tokens. `id` identifies the tokenizer: stored counts are reused for the same id, so two tokenizers that count
 * differently must have different ids.
 */
export interface Tokenizer {
  readonly id: string;
  /** Returns the number of tokens of a text: 0 or more. An estimate is rounded up. */
  countText(text: string): number;
  /**
   * Returns the number of tokens that a message adds to a request: texts, names, tool calls and wrapping. 0 or more; an
   * estimate is rounded up.
   */
  countMessage(message: ChatMessage): number;
  /**
   * Splits a text into parts whose counts add up to its own, so that a long text can be counted without blocking the
   * page. Without it, a text is counted at once.
   */
  slices?(text: string): Iterable<string>;
}

/** Tokens of a request in addition to those of its messages: the start of the reply. */
const TOKENS_PER_REQUEST = 3;

/** Role and delimiters of one message, as OpenAI documents it for its chat format. */
const TOKENS_PER_MESSAGE = 3;

/** Tokens of a `name` in addition to its text. */
const TOKENS_PER_NAME = 1;

/** Tokens of an image at low detail: what OpenAI charges. */
export const TOKENS_PER_SMALL_IMAGE = 85;

/**
 * Estimated tokens of any other image: what OpenAI charges for 1024 × 1024 pixels. The actual number depends on the size
 * in pixels, which a message does not contain.
 */
export const TOKENS_PER_IMAGE = 765;

/** Maximum tokens of a part that is neither text nor image: its JSON may contain a megabyte of base64. */
export const MAX_TOKENS_PER_OTHER_PART = 1000;

/** Returns a tokenizer that counts texts with this function. */
export function tokenizerOf(id: string, countText: Tokenizer['countText']): Tokenizer {
  return { id, countText, countMessage: (message) => countMessageTokens(message, countText) };
}

/** Returns the tokens of a whole request: the sum of its messages, and 3 for the start of the reply. */
export function countMessages(tokenizer: Tokenizer, messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + tokenizer.countMessage(message), TOKENS_PER_REQUEST);
}

/**
 * Returns the tokens that a message adds to a request: texts, name, tool calls and wrapping, counted by `countText`.
 * Parts without text are estimated, see {@link TOKENS_PER_IMAGE} and {@link MAX_TOKENS_PER_OTHER_PART}.
 */
export function countMessageTokens(message: ChatMessage, countText: Tokenizer['countText']): number {
  const name = 'name' in message ? message.name : undefined;
  const calls = toolCallsOf(message);
  const texts = [
    messageText(message),
    ...(name === undefined ? [] : [name]),
    ...(message.role === 'tool' ? [message.tool_call_id] : []),
    ...calls.flatMap((call) => [call.id, call.function.name, call.function.arguments]),
  ];
  const parts = Array.isArray(message.content) ? message.content : [];
  return [...texts.map(countText), ...parts.map(countPart)].reduce(
    (sum, tokens) => sum + tokens,
    TOKENS_PER_MESSAGE * (1 + calls.length) + (name === undefined ? 0 : TOKENS_PER_NAME),
  );
}

/**
 * Returns what a tokenizer has counted as a whole number, which can be stored: a custom tokenizer may estimate.
 *
 * @throws MnemoraError `invalid-option` if it is not a count: no budget can be kept with it
 */
export function wholeCount({ id }: Tokenizer, tokens: number): number {
  if (tokens >= 0 && tokens < Infinity) return Math.ceil(tokens);
  throw invalidOption(`The tokenizer "${id}" must return a number of tokens from 0; got ${quote(tokens)}.`);
}

function countPart(part: ContentPart): number {
  if (part.type === 'text') return 0;
  if (part.type.startsWith('image') || part.type === 'input_image') {
    return hasLowDetail(part) ? TOKENS_PER_SMALL_IMAGE : TOKENS_PER_IMAGE;
  }
  return Math.min(Math.ceil(JSON.stringify(part).length / 4), MAX_TOKENS_PER_OTHER_PART);
}

function hasLowDetail(part: ContentPart): boolean {
  const image: unknown = 'image_url' in part ? part['image_url'] : part;
  return isRecord(image) && image['detail'] === 'low';
}
