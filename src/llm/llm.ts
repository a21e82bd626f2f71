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
