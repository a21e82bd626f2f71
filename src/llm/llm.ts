import type { ChatMessage, ToolCall } from '../model/message.ts';

export interface LLMRequest {
  messages: readonly ChatMessage[];
  /** Left to the endpoint where absent; some newer models refuse any. */
  temperature?: number;
  /** Longest reply in tokens. Left to the endpoint where absent and it has a default. */
  maxTokens?: number;
  responseFormat?: 'text' | 'json';
  signal?: AbortSignal;
  /** Gets each piece of text as it arrives; giving it asks for a stream. */
  onToken?: (text: string) => void;
}

export interface LLMReply {
  text: string;
  toolCalls?: ToolCall[];
  usage?: { inputTokens?: number; outputTokens?: number };
  /**
   * Why the reply ended: `stop`, `length` or `tool_calls` whatever the API calls them, other reasons in its own words.
   * Absent where it does not say.
   */
  finishReason?: string;
}

/** A language model: the only way out of the page, always handed in by the caller. */
export type LLM = (request: LLMRequest) => Promise<LLMReply>;
