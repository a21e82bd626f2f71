import type { LLMReply } from '../../llm/llm.ts';
import { describe } from '../../model/describe.ts';
import { invalidInput } from '../../model/error.ts';
import { isLangChainMessage } from '../../model/langchain-message.ts';
import {
  messageText,
  parseMessage,
  parseMessages,
  toChatMessage,
  type ChatMessage,
} from '../../model/message.ts';
import { chooseInputKey, chooseOutputKey, type OutputKeyOptions } from '../langchain/input-key.ts';
import { isRecord } from '../../model/is-record.ts';

interface InputKeys {
  inputMessagesKey?: string | undefined;
  historyMessagesKey?: string | undefined;
}

/** A copy of the input of one turn, which later changes by the caller do not affect. */
interface TurnInput {
  /** New messages of this turn, which will be stored. */
  readonly messages: readonly ChatMessage[];
  /** Returns the input for the runnable. */
  readonly withHistory: (history: readonly ChatMessage[]) => unknown;
}

/**
 * Reads the input of a turn.
 *
 * Without keys the input is the new messages, or an object that contains them, and the runnable gets the history followed
 * by the new messages. With a history key the input is an object to which the history is added under that key. With an
 * input key only, the history is put before the messages under that key. Without an input key, the messages of an object
 * are under `input` or under its only key.
 *
 * @throws MnemoraError `invalid-input` or `invalid-message`
 */
export function readTurnInput(input: unknown, keys: InputKeys): TurnInput {
  const { inputMessagesKey, historyMessagesKey } = keys;
  if (inputMessagesKey === undefined && historyMessagesKey === undefined) {
    const messages = readInputMessages(
      isRecord(input) && !isInputMessage(input) ? input[findInputKey(input, keys)] : input,
    );
    return { messages, withHistory: (history) => [...history, ...messages.map(toChatMessage)] };
  }
  if (!isRecord(input)) {
    throw invalidInput(
      `Expected an object with the key "${inputMessagesKey ?? 'input'}", because message keys are set; got ${describe(input)}.`,
    );
  }
  const values = { ...input };
  const inputKey = findInputKey(values, keys);
  const messages = readInputMessages(values[inputKey]);
  return {
    messages,
    withHistory: (history) =>
      historyMessagesKey === undefined
        ? { ...values, [inputKey]: [...history, ...messages.map(toChatMessage)] }
        : { ...values, [historyMessagesKey]: [...history] },
  };
}

function findInputKey(values: Record<string, unknown>, keys: InputKeys): string {
  const { inputMessagesKey, historyMessagesKey } = keys;
  return chooseInputKey(values, {
    inputKey: inputMessagesKey ?? (values['input'] === undefined ? undefined : 'input'),
    exclude: historyMessagesKey === undefined ? [] : [historyMessagesKey],
  });
}

function readInputMessages(value: unknown): ChatMessage[] {
  const messages = readMessages(value, 'user', isInputMessage);
  if (messages?.length) return messages;
  throw invalidInput(
    `Expected a string, a message or a list of messages, got ${describe(value)}. If an object contains it, set inputMessagesKey.`,
  );
}

/**
 * Returns the messages to store for a runnable's output: a string, a message, a list of messages, the reply of an LLM, or
 * an object that contains one of these under its output key.
 *
 * @throws MnemoraError `invalid-input` or `invalid-message`
 */
export function readTurnOutput(output: unknown, options: OutputKeyOptions): ChatMessage[] {
  if (!isRecord(output) || isOutputMessage(output)) return readOutputMessages(output);
  if (options.outputKey === undefined && isLLMReply(output)) return [replyMessage(output)];
  const value = output[chooseOutputKey(output, options)];
  return isLLMReply(value) ? [replyMessage(value)] : readOutputMessages(value);
}

/** Merges the chunks of a stream into the whole output. */
export function mergeChunks(chunks: readonly unknown[]): unknown {
  return chunks.length === 0 ? '' : chunks.reduce((merged, chunk) => mergeValues(merged, chunk));
}

/** Returns the text of an output, for callers who requested a stream that the runnable does not support. */
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
  // A chunk of LangChain knows how to join itself with the next one: it is a message, with parts of tool calls.
  if (isLangChainMessage(merged) && typeof merged['concat'] === 'function')
    return (merged['concat'] as (other: unknown) => unknown)(next);
  if (!isRecord(merged) || !isRecord(next)) return next;
  const both = { ...merged };
  for (const [field, value] of Object.entries(next)) {
    both[field] = REPEATED_FIELDS.has(field) ? value : mergeValues(both[field], value);
  }
  return both;
}

function readOutputMessages(value: unknown): ChatMessage[] {
  const messages = readMessages(value, 'assistant', isOutputMessage);
  if (messages) return messages;
  throw invalidInput(
    `Expected a string, a message or a list of messages as the runnable's output, got ${describe(value)}.`,
  );
}

/** Returns the messages of a text, a message or a list of messages; undefined for anything else. */
function readMessages(
  value: unknown,
  role: 'user' | 'assistant',
  isMessage: (value: Record<string, unknown>) => boolean,
): ChatMessage[] | undefined {
  if (typeof value === 'string') return [parseMessage({ role, content: value })];
  if (Array.isArray(value)) return parseMessages(value);
  return isRecord(value) && isMessage(value) ? [parseMessage(value)] : undefined;
}

function replyMessage({ text, toolCalls }: LLMReply): ChatMessage {
  if (!toolCalls?.length) return parseMessage({ role: 'assistant', content: text });
  return parseMessage({ role: 'assistant', content: text || null, tool_calls: toolCalls });
}

const REPLY_FIELDS = ['text', 'toolCalls', 'usage', 'finishReason'];

function isLLMReply(value: unknown): value is LLMReply {
  if (!isRecord(value) || typeof value['text'] !== 'string') return false;
  return Object.keys(value).every((field) => REPLY_FIELDS.includes(field));
}

function isInputMessage(value: Record<string, unknown>): boolean {
  return 'role' in value || isLangChainMessage(value);
}

function isOutputMessage(value: Record<string, unknown>): boolean {
  return isLangChainMessage(value) || (typeof value['role'] === 'string' && 'content' in value);
}
