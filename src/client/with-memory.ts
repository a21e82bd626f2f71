import { requireReplyText, type LLM } from '../llm/llm.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { ChatMessage, ToolCall, TurnState } from '../model/message.ts';
import type { RecalledContext } from '../recall/context-item.ts';
import { abortable } from '../model/abortable.ts';
import { checkMethods, checkOptions, checkString, oneOf } from '../model/check-options.ts';
import { NamedQueue } from '../model/named-queue.ts';
import { textStream } from '../llm/token-stream.ts';
import type { Memory } from './memory.ts';

export interface WithMemoryOptions {
  /** The host page's system text. @default none */
  system?: string;
  /** What becomes of a turn whose answer was cut short. `keep`: stored as `cancelled`. @default 'keep' */
  onAbort?: 'keep' | 'discard';
  /** Gets each context before the model does: what an answer was given to go by. */
  onContext?: (context: RecalledContext, turnId: string) => void;
}

export interface SendOptions {
  onToken?: (text: string) => void;
  signal?: AbortSignal;
}

/** A chat that remembers. Turns of one session are answered one after the other, in the order in which they are sent. */
export interface MemoryChat {
  /** Answers the input. Rejects as the model does; the turn is stored as `failed` or `cancelled` then. */
  send(input: string, options?: SendOptions): Promise<string>;
  /** Answers the input piece by piece, or in one where the model does not stream; leaving the loop early cancels the call. */
  stream(input: string, options?: { signal?: AbortSignal }): AsyncIterable<string>;
}

/**
 * Puts a memory around a model: the question is stored as `pending` before the model is called, so that a crash
 * cannot lose it, and the answer ends the turn. An answer that cannot be stored is returned all the same, and the
 * memory's `warning` event says `save-failed`.
 *
 * @throws MnemoraError `invalid-option`
 *
 * @example
 * const chat = withMemory(fetchLLM({ url: 'http://localhost:11434/v1', model: 'llama3.2' }), await createMemory());
 * await chat.send('My dog is called Max.');
 */
export function withMemory(llm: LLM, memory: Memory, options: WithMemoryOptions = {}): MemoryChat {
  if (typeof llm !== 'function') throw new MnemoraError('invalid-option', 'The model must be a function.');
  checkMethods('memory', memory, ['remember', 'recall', 'forget', 'warn']);
  checkOptions('withMemory', options, {
    system: checkString,
    onAbort: oneOf('keep', 'discard'),
    onContext: () => undefined,
  });
  const send = async (input: string, sendOptions: SendOptions = {}): Promise<string> => {
    const leave = await enterTurn(memory, sendOptions.signal);
    try {
      return await answerTurn(llm, memory, options, input, sendOptions);
    } finally {
      leave();
    }
  };
  return {
    send,
    stream: (input, { signal } = {}) =>
      textStream((onToken, streamSignal) => send(input, { onToken, signal: streamSignal }), signal),
  };
}

/** Turns by database and session, not by chat, because two chats of one session do not see each other's turns. */
const turns = new NamedQueue();
/** Names of the databases of memories. */
const databases = new WeakMap<Memory, string>();

/** Call it for each memory: memories with the same database name share their sessions. */
export function noteDatabase(memory: Memory, databaseName: string): void {
  databases.set(memory, databaseName);
}

/**
 * Waits until earlier turns of the memory's session on this page have ended. Resolves with the function that ends this
 * one. An abort while waiting rejects with the signal's reason.
 */
function enterTurn(memory: Memory, signal: AbortSignal | undefined): Promise<() => void> {
  // A caller's own implementation of a memory is a database by itself.
  const database = databases.get(memory) ?? `own:${newId()}`;
  databases.set(memory, database);
  return turns.enter(JSON.stringify([database, memory.sessionId]), signal);
}

async function answerTurn(
  llm: LLM,
  memory: Memory,
  options: WithMemoryOptions,
  input: string,
  { onToken, signal }: SendOptions,
): Promise<string> {
  signal?.throwIfAborted();
  const turnId = newId();
  const question: ChatMessage = { role: 'user', content: input };
  await memory.remember({ messages: [question] }, { turnId, state: 'pending' });
  let answer = '';
  let toolCalls: ToolCall[] = [];
  const collect = (text: string): void => {
    if (signal?.aborted) return; // the turn has ended; a model that does not heed the abort goes on talking
    answer += text;
    onToken?.(text);
  };
  const end = async (state: Exclude<TurnState, 'replaced' | 'pending'>): Promise<void> => {
    const whole = { messages: [question, ...answered()] };
    await memory.remember(whole, { turnId, state, continues: true }).catch((error: unknown) => {
      if (!isForgotten(error)) throw error;
    });
  };
  const answered = (): ChatMessage[] => {
    if (toolCalls.length > 0) return [{ role: 'assistant', content: answer || null, tool_calls: toolCalls }];
    return answer === '' ? [] : [{ role: 'assistant', content: answer }];
  };
  const endCutShort = (): Promise<unknown> => {
    if (!signal?.aborted) return end('failed');
    return options.onAbort === 'discard' ? memory.forget({ turnId }) : end('cancelled');
  };
  const { system } = options;
  const cancellable = signal ? { signal } : {};
  try {
    const asked = { turnId, ...(system === undefined ? {} : { system }), ...cancellable };
    const context = await memory.recall(input, asked);
    options.onContext?.(context, turnId);
    const request = { messages: context.messages, ...(onToken ? { onToken: collect } : {}), ...cancellable };
    const reply = await abortable(llm(request), signal);
    answer = requireReplyText(reply);
    toolCalls = reply.toolCalls ?? [];
  } catch (error) {
    await endCutShort().catch((cause: unknown) => warnUnsaved(memory, cause));
    throw error;
  }
  await end('complete').catch((cause: unknown) => warnUnsaved(memory, cause));
  return answer;
}

/** The answer is there already: losing it because the disk is full would be the worse of two losses. */
function warnUnsaved(memory: Memory, cause: unknown): void {
  memory.warn({
    code: 'save-failed',
    message: `The answer could not be stored. ${cause instanceof MnemoraError ? cause.message : ''}`.trim(),
    cause,
  });
}

/** Whether a turn could not be ended because it was forgotten while it was being answered. */
function isForgotten(error: unknown): boolean {
  return error instanceof MnemoraError && error.code === 'not-found';
}
