import { requireReplyText, type LLM } from '../llm/llm.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import type { ChatMessage, ToolCall, TurnState } from '../model/message.ts';
import type { RecalledContext } from '../recall/context-item.ts';
import { abortable } from '../model/abortable.ts';
import { checkMethods, checkOptionNames, checkString, checkWord } from '../model/check-options.ts';
import { textStream } from '../llm/token-stream.ts';
import type { Memory } from './memory.ts';
import { enterTurn } from './turn-order.ts';

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
  checkOptions(llm, memory, options);
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

function checkOptions(llm: LLM, memory: Memory, options: WithMemoryOptions): void {
  if (typeof llm !== 'function') throw new MnemoraError('invalid-option', 'The model must be a function.');
  checkMethods('memory', memory, ['remember', 'recall', 'forget', 'warn']);
  checkOptionNames('withMemory', options, ['system', 'onAbort', 'onContext']);
  if (options.system !== undefined) checkString('system', options.system);
  if (options.onAbort !== undefined) checkWord('onAbort', options.onAbort, ['keep', 'discard']);
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
  const pending = await memory.remember({ messages: [question] }, { turnId, state: 'pending' });
  let answer = '';
  let toolCalls: ToolCall[] = [];
  const collect = (text: string): void => {
    if (signal?.aborted) return; // the turn has ended; a model that does not heed the abort goes on talking
    answer += text;
    onToken?.(text);
  };
  const end = async (state: Exclude<TurnState, 'replaced' | 'pending'>): Promise<void> => {
    const ended = await memory.remember({ messages: [question, ...answered()] }, { turnId, state });
    // Another question id: the turn was forgotten while it was being answered, and has just been stored again.
    if (ended.messageIds[0] !== pending.messageIds[0]) await memory.forget({ turnId });
  };
  const answered = (): ChatMessage[] => {
    if (toolCalls.length > 0) return [{ role: 'assistant', content: answer || null, tool_calls: toolCalls }];
    return answer === '' ? [] : [{ role: 'assistant', content: answer }];
  };
  const endCutShort = (): Promise<unknown> => {
    if (!signal?.aborted) return end('failed');
    return options.onAbort === 'discard' ? memory.forget({ turnId }) : end('cancelled');
  };
  const signalOption = signal ? { signal } : {};
  try {
    const recalled = await memory.recall(input, {
      turnId,
      ...(options.system === undefined ? {} : { system: options.system }),
      ...signalOption,
    });
    options.onContext?.(recalled, turnId);
    const request = {
      messages: recalled.messages,
      ...(onToken ? { onToken: collect } : {}),
      ...signalOption,
    };
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
