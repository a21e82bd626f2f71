import type { ChatMessage } from '../model/message.ts';

/**
 * Counts tokens. `id` identifies the tokenizer: stored counts are reused for the same id, so two tokenizers that count
 * differently must have different ids.
 */
export interface Tokenizer {
  readonly id: string;
  /** Returns the number of tokens of a text. */
  countText(text: string): number;
  /** Returns the number of tokens that a message adds to a request: texts, names, tool calls and wrapping. */
  countMessage(message: ChatMessage): number;
}

/** Tokens of a request in addition to those of its messages: the start of the reply. */
export const TOKENS_PER_REQUEST = 3;
