import { messageText, type ChatMessage, type ContentPart } from '../model/message.ts';
import { TOKENS_PER_REQUEST, type Tokenizer } from './tokenizer.ts';

/** Role and delimiters of one message, as OpenAI documents it for its chat format. */
const TOKENS_PER_MESSAGE = 3;

/** What a `name` costs beside its own text. */
const TOKENS_PER_NAME = 1;

/** Flat estimate of an image at low detail: what OpenAI charges. */
export const TOKENS_PER_SMALL_IMAGE = 85;

/**
 * Flat estimate of any other image: what OpenAI charges for one of 1024 × 1024. The true price depends on the size in
 * pixels, which a message does not tell.
 */
export const TOKENS_PER_IMAGE = 765;

/** Most that a part which is neither text nor image counts: its JSON may hold a megabyte of base64. */
export const MAX_TOKENS_PER_OTHER_PART = 1000;

/**
 * Tokens that a message adds to a request: its texts, name, tool calls and wrapping, each text counted by `countText`.
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

/** Tokens of a whole request: 3 for the start of the reply, and the sum of its messages. */
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
