import { callLLM, type LLM, type LLMReply } from '../../llm/llm.ts';
import { promptTemplate, type PromptTemplate } from '../../llm/prompt-template.ts';
import { tokenStream } from '../../llm/token-stream.ts';
import { messagesToText } from '../../model/message-text.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Values } from '../langchain/base-memory.ts';

/** Options of a call to a runnable. */
export interface RunnableOptions {
  signal?: AbortSignal;
  /** Called with each piece of text as it arrives. Set it to request a stream. */
  onToken?: (text: string) => void;
}

/** A function that returns an answer. An `LLM` is not one, because its input is a request: wrap it with `llmRunnable`. */
export type RunnableFunction<Input, Output> = (
  input: Input,
  options: RunnableOptions,
) => Output | Promise<Output>;

/** An object that returns an answer and may stream it. Chunks are strings, messages or objects that add up to an output. */
export interface RunnableObject<Input, Output, Chunk = string> {
  invoke(input: Input, options: RunnableOptions): Output | Promise<Output>;
  stream?(input: Input, options: RunnableOptions): AsyncIterable<Chunk> | Promise<AsyncIterable<Chunk>>;
}

/** A function or object that returns an answer for an input. */
export type Runnable<Input, Output, Chunk = string> =
  | RunnableFunction<Input, Output>
  | RunnableObject<Input, Output, Chunk>;

/** Calls a runnable. A synchronous throw becomes a rejection. */
export async function callRunnable<Input, Output, Chunk>(
  runnable: Runnable<Input, Output, Chunk>,
  input: Input,
  options: RunnableOptions,
): Promise<Output> {
  return typeof runnable === 'function' ? runnable(input, options) : runnable.invoke(input, options);
}

/**
 * Yields a runnable's chunks, or the text that it passes to `onToken` if it has no `stream`. Returns the whole output,
 * or undefined if there are only chunks.
 */
export async function* streamRunnable<Input, Output, Chunk>(
  runnable: Runnable<Input, Output, Chunk>,
  input: Input,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk | string, Output | undefined, undefined> {
  if (typeof runnable === 'object' && runnable.stream) {
    yield* await runnable.stream(input, signal ? { signal } : {});
    return undefined;
  }
  return yield* tokenStream(
    (onToken, stop) => callRunnable(runnable, input, { signal: stop, onToken }),
    signal,
  );
}

/**
 * Returns a model as a runnable. Without a prompt its input is a list of messages. With a prompt its input is the
 * prompt's variables, and the rendered prompt is sent as one user message; lists of messages are rendered as text.
 *
 * @throws MnemoraError `invalid-option` if the prompt is malformed
 * @example withMessageHistory(llmRunnable(llm), { getSessionHistory })
 */
export function llmRunnable(llm: LLM): RunnableFunction<readonly ChatMessage[], LLMReply>;
export function llmRunnable(llm: LLM, prompt: string | PromptTemplate): RunnableFunction<Values, LLMReply>;
export function llmRunnable(
  llm: LLM,
  prompt?: string | PromptTemplate,
): RunnableFunction<readonly ChatMessage[], LLMReply> | RunnableFunction<Values, LLMReply> {
  if (prompt === undefined) {
    return (messages: readonly ChatMessage[], options: RunnableOptions) =>
      callLLM(llm, { messages, ...options });
  }
  const template = typeof prompt === 'string' ? promptTemplate(prompt) : prompt;
  return async (values: Values, options: RunnableOptions) =>
    callLLM(llm, {
      messages: [{ role: 'user', content: template.format(promptValues(values)) }],
      ...options,
    });
}

/**
 * Converts values for a prompt template: lists of messages to lines `label: text`, lists of strings to lines, other lists
 * and objects to JSON. Other values are unchanged.
 */
function promptValues(values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, renderValue(value)]));
}

function renderValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.every(isMessage)) return messagesToText(value);
    if (value.every((item) => typeof item === 'string')) return value.join('\n');
  }
  return JSON.stringify(value);
}

function isMessage(value: unknown): value is ChatMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}
