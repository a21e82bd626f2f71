import { messageText, type ChatMessage, type ContentPart } from '../model/message.ts';
import { TOKENS_PER_REQUEST, type Tokenizer } from './tokenizer.ts';

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

/**
 * Returns the tokens that a message adds to a request: texts, name, tool calls and wrapping, counted by `countText`.
 * Parts without text are estimated, see {@link TOKENS_PER_IMAGE} and {@link MAX_TOKENS_PER_OTHER_PART}.
 */
export function countMessageTokens(message: ChatMessage, countText: (text: string) => number): number {
  return (
    TOKENS_PER_MESSAGE +
    countText(messageText(message)) +
    countName(message, countText) +
    countToolCalls(message, countText) +
    countOtherParts(message)
  );
}

/** Returns the tokens of a whole request: the sum of its messages, and 3 for the start of the reply. */
export function countMessages(tokenizer: Tokenizer, messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + tokenizer.countMessage(message), TOKENS_PER_REQUEST);
}

function countName(message: ChatMessage, countText: (text: string) => number): number {
  if (!('name' in message) || message.name === undefined) return 0;
  return TOKENS_PER_NAME + countText(message.name);
}

function countToolCalls(message: ChatMessage, countText: (text: string) => number): number {
  if (message.role === 'tool') return countText(message.tool_call_id);
  if (message.role !== 'assistant') return 0;
  return (message.tool_calls ?? []).reduce(
    (sum, call) =>
      sum +
      TOKENS_PER_MESSAGE +
      countText(call.id) +
      countText(call.function.name) +
      countText(call.function.arguments),
    0,
  );
}

function countOtherParts({ content }: ChatMessage): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum, part) => sum + countPart(part), 0);
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
  return typeof image === 'object' && image !== null && 'detail' in image && image.detail === 'low';
}
