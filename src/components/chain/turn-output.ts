import type { LLMReply } from '../../llm/llm.ts';
import { MnemoraError } from '../../model/error.ts';
import { isLangChainMessage } from '../../model/langchain-message.ts';
import { messageText, parseMessage, parseMessages, type ChatMessage } from '../../model/message.ts';
import { chooseOutputKey, type OutputKeyOptions } from '../langchain/input-key.ts';

/**
 * Returns the messages to store for a runnable's output: a string, a message, a list of messages, the reply of an LLM, or
 * an object that contains one of these under its output key.
 *
 * @throws MnemoraError `invalid-input` or `invalid-message`
 */
export function readTurnOutput(output: unknown, options: OutputKeyOptions): ChatMessage[] {
  if (!isRecord(output) || isMessageLike(output)) return readMessages(output);
  if (options.outputKey === undefined && isLLMReply(output)) return [replyMessage(output)];
  const value = output[chooseOutputKey(output, options)];
  return isLLMReply(value) ? [replyMessage(value)] : readMessages(value);
}

/** Merges the chunks of a stream into the whole output. */
export function mergeChunks(chunks: readonly unknown[]): unknown {
  return chunks.length === 0 ? '' : chunks.reduce((merged, chunk) => mergeValues(merged, chunk));
}

/** Returns the text of an output, for callers who asked for a stream that the runnable does not support. */
export function outputText(messages: readonly ChatMessage[]): string {
  return messages
    .filter((message) => message.role === 'assistant')
    .map(messageText)
    .join('\n');
}

/** Fields that each chunk repeats, and that are not concatenated. */
const REPEATED_FIELDS: ReadonlySet<string> = new Set(['role', 'name', 'finishReason']);

function mergeValues(merged: unknown, next: unknown): unknown {
  if (next === undefined || next === null) return merged;
  if (typeof merged === 'string' && typeof next === 'string') return merged + next;
  if (Array.isArray(merged) && Array.isArray(next)) return [...merged, ...next];
  if (!isRecord(merged) || !isRecord(next)) return next;
  const both = { ...merged };
  for (const [field, value] of Object.entries(next)) {
    both[field] = REPEATED_FIELDS.has(field) ? value : mergeValues(both[field], value);
  }
  return both;
}

function readMessages(value: unknown): ChatMessage[] {
  if (typeof value === 'string') return [parseMessage({ role: 'assistant', content: value })];
  if (Array.isArray(value)) return parseMessages(value);
  if (isRecord(value) && isMessageLike(value)) return [parseMessage(value)];
  throw new MnemoraError(
    'invalid-input',
    `Expected a string, a message or a list of messages as the runnable's output, got ${value === null ? 'null' : typeof value}.`,
  );
}

function replyMessage({ text, toolCalls }: LLMReply): ChatMessage {
  if (!toolCalls?.length) return parseMessage({ role: 'assistant', content: text });
  return parseMessage({ role: 'assistant', content: text || null, tool_calls: toolCalls });
}

const REPLY_FIELDS: ReadonlySet<string> = new Set<keyof LLMReply>([
  'text',
  'toolCalls',
  'usage',
  'finishReason',
]);

function isLLMReply(value: unknown): value is LLMReply {
  return (
    isRecord(value) &&
    typeof value['text'] === 'string' &&
    Object.keys(value).every((field) => REPLY_FIELDS.has(field))
  );
}

function isMessageLike(value: Record<string, unknown>): boolean {
  return isLangChainMessage(value) || (typeof value['role'] === 'string' && 'content' in value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
