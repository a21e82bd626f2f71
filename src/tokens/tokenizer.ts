import type { ChatMessage } from '../model/message.ts';

/**
 * Counts tokens. `id` names the way of counting: stored counts are reused where the id is the same, so two
 * tokenizers that count differently must have different ids.
 */
export interface Tokenizer {
  readonly id: string;
  /** Tokens of a bare text. */
  countText(text: string): number;
  /** Tokens that a message adds to a request: its texts, names, tool calls and the wrapping. */
  countMessage(message: ChatMessage): number;
}

/** Tokens that a request has beside those of its messages: the start of the reply. */
export const TOKENS_PER_REQUEST = 3;
