import { callLLM, checkLLM, type LLM } from '../llm/llm.ts';
import { textStream } from '../llm/token-stream.ts';
import { abortable } from '../model/abortable.ts';
import { checkSignal } from '../model/call-options.ts';
import { checkMemory } from '../model/check-memory.ts';
import { checkFunction, checkOptions, checkString, oneOf } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { raiseWarning } from '../model/memory-warnings.ts';
import type { ChatMessage, ToolCall, TurnState } from '../model/message.ts';
import { oneAtATime } from '../model/named-queue.ts';
import { targetOf } from '../model/proxy-target.ts';
import type { RecalledContext } from '../recall/layout/context-item.ts';
import { parseMetadata } from '../sessions/new-turn.ts';
import type { Memory } from './memory.ts';

export interface WithMemoryOptions {
  /** System text that precedes every request. It counts toward `maxTokens` and is not stored. @default none */
  system?: string;
  /**
   * How to handle a turn whose signal aborts: `keep` stores it as `cancelled`, with the part of the answer that has
   * arrived; `discard` erases it.
   *
   * @default 'keep'
   */
  onAbort?: 'keep' | 'discard';
  /**
   * How to handle a turn whose answer fails: `keep` stores it as `failed`, with the part of the answer that has
   * arrived; `discard` erases it. A function is called with the error and returns JSON data to store as metadata of the
   * answer, such as the reason to show when the chat is reopened. If nothing has arrived, the data is stored with an
   * empty answer. `send` rejects with the error in any case.
   *
   * @default 'keep'
   */
  onFailure?: 'keep' | 'discard' | ((error: unknown) => Readonly<Record<string, unknown>>);
  /** JSON data stored with both messages of every turn, as by `remember`. @default none */
  metadata?: Readonly<Record<string, unknown>>;
  /** Called with the context of each question before it is sent to the model. */
  onContext?: (context: RecalledContext, turnId: string) => void;
}

export interface SendOptions {
  onToken?: (text: string) => void;
  signal?: AbortSignal;
}

/** A chat that remembers. Turns of one session are answered one at a time, in the order in which they are sent. */
export interface MemoryChat {
  /**
   * Returns the answer to the input. If the model rejects, this rejects with the same error, and the turn is stored as
   * `failed` or `cancelled`. A reply without text, such as one that only calls tools, rejects with `llm-reply`.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input`, `invalid-message`; nothing is stored then
   */
  send(input: string, options?: SendOptions): Promise<string>;
  /**
   * Yields the answer in pieces, or in one piece if the model does not stream. Leaving the loop early cancels the call.
   *
   * @throws MnemoraError `invalid-option`, `invalid-input` at once; other errors as `send`, in the loop
   */
  stream(input: string, options?: { signal?: AbortSignal }): AsyncIterable<string>;
}

/**
 * Wraps a model with a memory. The question is stored as `pending` before the model is called, so that a crash cannot
 * lose it, and the answer completes the turn. An answer that cannot be stored is returned anyway, and a `save-failed`
 * warning is raised.
 *
 * @throws MnemoraError `invalid-option`
 *
 * @example
 * const chat = withMemory(fetchLLM({ url: 'http://localhost:11434/v1', model: 'llama3.2' }), await createMemory());
 * await chat.send('My dog is called Max.');
 */
export function withMemory(llm: LLM, memory: Memory, options: WithMemoryOptions = {}): MemoryChat {
  checkLLM('llm', llm);
  checkMemory(memory);
  checkOptions('withMemory', options, {
    system: checkString,
    onAbort: oneOf('keep', 'discard'),
    onFailure: (name, value) => typeof value === 'function' || oneOf('keep', 'discard')(name, value),
    onContext: checkFunction,
    metadata: (_name, value) => parseMetadata(value),
  });
  const send = async (input: string, sendOptions: SendOptions = {}): Promise<string> => {
    checkOptions('send', sendOptions, { onToken: checkFunction, signal: checkSignal('send') });
    const answer = (): Promise<string> => answerTurn(llm, memory, options, input, sendOptions);
    return oneAtATime(withMemory, sessionKey(memory), answer, sendOptions.signal);
  };
  return {
    send,
    stream(input, streamOptions = {}) {
      const { signal } = checkOptions('stream', streamOptions, { signal: checkSignal('stream') });
      return textStream((onToken, streamSignal) => send(input, { onToken, signal: streamSignal }), signal);
    },
  };
}

/** Names of the scopes of memories, each with its database. */
const scopes = new WeakMap<Memory, string>();

/** Call it for each memory: memories with the same scope of the same database share their sessions. */
export function noteScope(memory: Memory, name: string): void {
  scopes.set(memory, name);
}

/**
 * Returns the name under which the turns of the memory's session wait for each other: two chats of one session do not
 * know of each other's turns.
 */
function sessionKey(given: Memory): string {
  const memory = targetOf(given);
  // A custom implementation of a memory counts as its own database.
  const scope = scopes.get(memory) ?? `own:${newId()}`;
  scopes.set(memory, scope);
  return JSON.stringify([scope, memory.sessionId]);
}

async function answerTurn(
  llm: LLM,
  memory: Memory,
  options: WithMemoryOptions,
  input: string,
  { onToken, signal }: SendOptions,
): Promise<string> {
  signal?.throwIfAborted();
  const { system, onAbort, onFailure = 'keep', metadata } = options;
  const turnId = newId();
  const question: ChatMessage = { role: 'user', content: input };
  const kept = metadata ? { metadata } : {};
  await memory.remember({ messages: [question] }, { turnId, state: 'pending', ...kept });
  let answer = '';
  let toolCalls: ToolCall[] = [];
  const collect = (text: string): void => {
    if (signal?.aborted) return; // the turn has ended, but a model that ignores the abort keeps sending tokens
    answer += text;
    onToken?.(text);
  };
  const end = async (state: Exclude<TurnState, 'replaced' | 'pending'>, failure?: object): Promise<void> => {
    const about = failure
      ? { metadata: { ...metadata, ...parseMetadata(failure, 'The result of onFailure') } }
      : kept;
    const whole = { messages: [question, ...answered(failure !== undefined)] };
    await memory.remember(whole, { turnId, state, continues: true, ...about }).catch(unlessForgotten);
  };
  const answered = (evenIfEmpty: boolean): ChatMessage[] => {
    if (toolCalls.length > 0) return [{ role: 'assistant', content: answer || null, tool_calls: toolCalls }];
    return answer === '' && !evenIfEmpty ? [] : [{ role: 'assistant', content: answer }];
  };
  const endUnanswered = async (reason: unknown): Promise<void> => {
    const wish = signal?.aborted ? onAbort : onFailure;
    if (wish === 'discard') return void (await memory.forget({ turnId }).catch(unlessForgotten));
    if (signal?.aborted) return end('cancelled');
    if (typeof wish !== 'function') return end('failed');
    try {
      await end('failed', wish(reason));
    } catch (cause) {
      await end('failed').catch(() => undefined); // the data was not stored, but the turn must end anyway
      throw cause;
    }
  };
  const cancellable = signal ? { signal } : {};
  try {
    const asked = { turnId, ...(system === undefined ? {} : { system }), ...cancellable };
    const context = await memory.recall(input, asked);
    options.onContext?.(context, turnId);
    const request = { messages: context.messages, ...(onToken ? { onToken: collect } : {}), ...cancellable };
    const reply = await abortable(callLLM(llm, request), signal);
    answer = reply.text;
    toolCalls = reply.toolCalls ?? [];
    if (!SAYS_SOMETHING.test(answer)) throw noAnswer(toolCalls);
  } catch (error) {
    await endUnanswered(error).catch((cause: unknown) => warnUnsaved(memory, cause));
    throw error;
  }
  await end('complete').catch((cause: unknown) => warnUnsaved(memory, cause));
  return answer;
}

/** Anything but white space and characters that nobody sees, such as a zero-width space. */
const SAYS_SOMETHING = /[^\s\p{Cf}]/u;

/** A turn without an answer is not complete: its question would be sent again in front of every later one. */
function noAnswer(toolCalls: readonly ToolCall[]): MnemoraError {
  const names = toolCalls.map(({ function: { name } }) => name).join(', ');
  return new MnemoraError(
    'llm-reply',
    names === ''
      ? 'The model returned an empty answer. Ask again, or try another model.'
      : `The model returned no text, only a call of ${names}. withMemory does not run tools. Offer no tools to the model, or use memoryTransport from mnemora/ai-sdk.`,
  );
}

/** Warns instead of throwing: the answer has already arrived, and must not be lost because the disk is full. */
function warnUnsaved(memory: Memory, cause: unknown): void {
  raiseWarning(memory, {
    code: 'save-failed',
    message: `The answer could not be stored. ${cause instanceof MnemoraError ? cause.message : ''}`.trim(),
    cause,
  });
}

/** Ignores `not-found`: a turn that was forgotten while it was being answered need not be ended. */
function unlessForgotten(error: unknown): void {
  if (!(error instanceof MnemoraError && error.code === 'not-found')) throw error;
}
