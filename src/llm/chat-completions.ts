import { newId } from '../model/id.ts';
import { MnemoraError } from '../model/error.ts';
import { toChatMessage, type ToolCall } from '../model/message.ts';
import type { LLMReply, LLMRequest } from './llm.ts';

/** The JSON body of a chat-completions request. */
export function completionBody(
  request: LLMRequest,
  options: { model?: string | undefined; stream: boolean },
): Record<string, unknown> {
  return {
    ...(options.model === undefined ? {} : { model: options.model }),
    messages: request.messages.map(toChatMessage),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
    ...(request.responseFormat === 'json' ? { response_format: { type: 'json_object' } } : {}),
    ...(options.stream ? { stream: true } : {}),
  };
}

/** Reads a whole reply. @throws MnemoraError `llm-reply` where it is none. */
export function parseCompletion(body: unknown): LLMReply {
  refuseErrorObject(body);
  const choice = firstChoice(body);
  const message = choice?.['message'];
  if (!choice || !isRecord(message)) throw unreadable('has no message in its first choice');
  const reply = new ReplyParts();
  reply.addText(message['content']);
  reply.addToolCalls(message['tool_calls']);
  reply.addEnding(body, choice);
  return reply.toReply();
}

/** Puts a streamed reply together from its chunks. */
export interface CompletionStream {
  /** Takes the data of one event; returns the text in it, empty where there is none. */
  push(data: string): string;
  /** Whether the endpoint has said that the reply is complete. */
  readonly isFinished: boolean;
  /** Whether nothing more will come. */
  readonly isClosed: boolean;
  reply(): LLMReply;
}

/** `push` throws MnemoraError `llm-reply` on data that cannot be read and on an error object. */
export function completionStream(): CompletionStream {
  const parts = new ReplyParts();
  let isClosed = false;
  return {
    push(data) {
      if (data.trim() === '[DONE]') {
        isClosed = true;
        return '';
      }
      const chunk = parseJson(data);
      refuseErrorObject(chunk);
      const choice = firstChoice(chunk);
      const delta = choice?.['delta'];
      parts.addEnding(chunk, choice);
      if (!isRecord(delta)) return '';
      parts.addToolCalls(delta['tool_calls']);
      return parts.addText(delta['content']);
    },
    get isFinished() {
      return isClosed || parts.hasEnded;
    },
    get isClosed() {
      return isClosed;
    },
    reply: () => parts.toReply(),
  };
}

/** `JSON.parse` with the library's error. @throws MnemoraError `llm-reply` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(`is not JSON: ${JSON.stringify(text)}`);
  }
}

/** The message of an error body, where it is in one of the usual places. */
export function errorMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const { error, message } = body;
  if (isRecord(error) && typeof error['message'] === 'string') return error['message'];
  if (typeof error === 'string') return error;
  return typeof message === 'string' ? message : undefined;
}

/** What has come of a reply so far. A whole reply is one that comes in a single piece. */
class ReplyParts {
  readonly #texts: string[] = [];
  readonly #calls = new Map<number, ToolCall>();
  #usage: LLMReply['usage'];
  #finishReason: string | undefined;

  get hasEnded(): boolean {
    return this.#finishReason !== undefined;
  }

  addText(content: unknown): string {
    const text = contentText(content);
    this.#texts.push(text);
    return text;
  }

  addToolCalls(calls: unknown): void {
    if (!Array.isArray(calls)) return;
    calls.forEach((call: unknown, position) => {
      if (!isRecord(call)) throw unreadable('holds a tool call that is not an object');
      const index = typeof call['index'] === 'number' ? call['index'] : position;
      const known = this.#calls.get(index);
      const called = isRecord(call['function']) ? call['function'] : {};
      const merged: ToolCall = known ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
      merged.id ||= textOf(call['id']);
      merged.function.name ||= textOf(called['name']);
      merged.function.arguments += argumentsText(called['arguments']);
      this.#calls.set(index, merged);
    });
  }

  addEnding(body: unknown, choice: Record<string, unknown> | undefined): void {
    if (typeof choice?.['finish_reason'] === 'string') this.#finishReason = choice['finish_reason'];
    const usage = isRecord(body) ? body['usage'] : undefined;
    if (!isRecord(usage)) return;
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
    this.#usage = {
      ...(typeof inputTokens === 'number' ? { inputTokens } : {}),
      ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
    };
  }

  toReply(): LLMReply {
    const calls = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    // Some endpoints give calls no id, but a tool's result must name one.
    for (const call of calls) call.id ||= `call_${newId()}`;
    return {
      text: this.#texts.join(''),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#finishReason === undefined ? {} : { finishReason: this.#finishReason }),
    };
  }
}

function refuseErrorObject(body: unknown): void {
  if (!isRecord(body) || body['error'] === undefined || body['error'] === null) return;
  throw unreadable(`is an error: ${JSON.stringify(errorMessage(body) ?? body['error'])}`);
}

function firstChoice(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body) || !Array.isArray(body['choices'])) return undefined;
  return body['choices'].filter(isRecord).find((choice) => (choice['index'] ?? 0) === 0);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isRecord(part) ? textOf(part['text']) : '')).join('');
}

function argumentsText(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(what: string): MnemoraError {
  return new MnemoraError('llm-reply', `The model's reply ${what}.`);
}
