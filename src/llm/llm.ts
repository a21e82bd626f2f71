import { mustBe, type OptionCheck } from '../model/check-options.ts';
import { describe } from '../model/describe.ts';
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

/**
 * A language model. It is always passed in by the caller, and is the only way in which data leaves the page. A plain
 * string is a reply that consists of this text.
 */
export type LLM = (request: LLMRequest) => Promise<LLMReply | string>;

/**
 * Calls a model, and returns its reply as an object, also if it replied with a plain string. All calls of a caller's
 * model go through this function.
 *
 * @throws MnemoraError `llm-reply` if the model returned something else
 */
export async function callLLM(llm: LLM, request: LLMRequest): Promise<LLMReply> {
  const reply: unknown = await llm(request);
  if (typeof reply === 'string') return { text: reply };
  const { text, toolCalls } = Object(reply) as { text?: unknown; toolCalls?: unknown };
  if (typeof text === 'string' && areToolCalls(toolCalls ?? [])) return reply as LLMReply;
  if (typeof text === 'string')
    throw new MnemoraError(
      'llm-reply',
      "The llm function returned toolCalls that are not a list of { id, type: 'function', function: { name, arguments } } with arguments as JSON text.",
    );
  const returned = text === undefined ? describe(reply) : `an object whose text is ${describe(text)}`;
  throw new MnemoraError(
    'llm-reply',
    `The llm function returned ${returned}. It must return a string, or an object { text } whose text is a string.`,
  );
}

function areToolCalls(calls: unknown): boolean {
  if (!Array.isArray(calls)) return false;
  return calls.every((call: unknown) => {
    const { id, function: called } = Object(call) as { id?: unknown; function?: unknown };
    const { name, arguments: given } = Object(called) as { name?: unknown; arguments?: unknown };
    return [id, name, given].every((text) => typeof text === 'string');
  });
}

/** Checks that a value is a model. @throws MnemoraError `invalid-option` */
export const checkLLM: OptionCheck<LLM> = mustBe(
  'a model: a function, such as the one that fetchLLM({ url, model }) returns',
  (value) => typeof value === 'function',
);

/**
 * Checks that a model was called with a request, and not with bare messages as a runnable is.
 *
 * @throws MnemoraError `invalid-input` if it was not
 */
export function checkRequest(request: LLMRequest | undefined): void {
  if (Array.isArray(request?.messages)) return;
  throw invalidInput(
    `A model takes a request; got ${describe(request)}. Write llm({ messages: [{ role: 'user', content: '…' }] }).`,
  );
}
