import { invalidInput, MnemoraError } from '../model/error.ts';
import type { ChatMessage, ToolCall } from '../model/message.ts';

export interface LLMRequest {
  messages: readonly ChatMessage[];
  /** Sampling temperature. Some newer models reject any value. @default the endpoint's own */
  temperature?: number;
  /** Maximum length of the reply in tokens. @default the endpoint's own, if it has one */
  maxTokens?: number;
  responseFormat?: 'text' | 'json';
  signal?: AbortSignal;
  /** Called with each piece of text as it arrives. If it is set, the model should stream. */
  onToken?: (text: string) => void;
}

export interface LLMReply {
  text: string;
  toolCalls?: ToolCall[];
  usage?: { inputTokens?: number; outputTokens?: number };
  /**
   * Reason why the reply ended: `stop`, `length` or `tool_calls`, whatever the API's own names for them, or another
   * reason in the API's own words. Absent if the API returns no reason.
   */
  finishReason?: string;
}

/** A language model. It is always passed in by the caller, and is the only way in which data leaves the page. */
export type LLM = (request: LLMRequest) => Promise<LLMReply>;

/**
 * Checks that a model was called with a request, and not with bare messages as a runnable is.
 *
 * @throws MnemoraError `invalid-input` if it was not
 */
export function checkRequest(request: LLMRequest | undefined): void {
  if (Array.isArray(request?.messages)) return;
  throw invalidInput(
    'A model takes { messages: [...] }. To give it to withMessageHistory, wrap it: llmRunnable(llm).',
  );
}

/** Returns the text of a reply. @throws MnemoraError `llm-reply` if the caller's model returned something else */
export function requireReplyText(reply: LLMReply): string {
  if (typeof reply?.text === 'string') return reply.text;
  throw new MnemoraError(
    'llm-reply',
    'The model answered with no text. The function given as a model must resolve to { text }, a string.',
  );
}
