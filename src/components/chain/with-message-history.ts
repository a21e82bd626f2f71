import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import { abortable } from '../../model/abortable.ts';
import { checkMethods, checkOptionNames, checkWord } from '../../model/check-options.ts';
import { callRunnable, streamRunnable, type Runnable } from './runnable.ts';
import { namedQueue } from '../../model/named-queue.ts';
import { readTurnInput, type TurnInput } from './turn-input.ts';
import { mergeChunks, outputText, readTurnOutput } from './turn-output.ts';
import { warnOnce } from '../../model/warning.ts';

export interface WithMessageHistoryOptions {
  /** The history of a session. Called once a turn. */
  getSessionHistory: (sessionId: string) => ChatMessageHistory | Promise<ChatMessageHistory>;
  /** Where the user's words are in an input that is an object. @default `input`, or the only key besides the history's */
  inputMessagesKey?: string;
  /** Where the runnable wants the history, as a list of messages. */
  historyMessagesKey?: string;
  /** Where the answer is in an output that is an object. @default the only key; of several `output`, `answer`, `response`, `text`, with a warning */
  outputMessagesKey?: string;
  /**
   * What becomes of a turn that is aborted, or whose stream is left early: `keep` stores question and partial answer
   * as one turn in state `cancelled`, which `getMessages` hides; `discard` stores nothing.
   * @default 'keep'
   */
  onAbort?: 'keep' | 'discard';
  /** Hears `save-failed` (the answer was returned but not stored) and, once, `ambiguous-output`. */
  onWarning?: WarningListener;
}

export interface SessionConfig {
  configurable: {
    /** Any text that is not empty. */
    sessionId: string;
  };
  signal?: AbortSignal;
}

export interface WithMessageHistory<Output, Chunk> {
  /** Answers, and stores the turn before it resolves. */
  invoke(input: unknown, config: SessionConfig): Promise<Output>;
  /**
   * The answer piece by piece: the runnable's own chunks, or text where it has no `stream`. The turn is stored before
   * the iteration ends. The session is held until then: read to the end, leave the loop, or abort.
   */
  stream(input: unknown, config: SessionConfig): AsyncGenerator<Chunk, void, undefined>;
}

/**
 * A runnable that remembers: gives it the session's earlier messages and stores what is new, one turn in one write.
 *
 * Without keys the input is a string, a message or a list of messages, or an object with one of these, and the runnable
 * gets the history followed by it; only the input and the answer are stored. Turns of one session run one after the other, in the order of the
 * calls, within this page. A runnable that fails stores nothing.
 *
 * Rejects with MnemoraError `invalid-input` (no session id, an input or output that holds no messages), and with
 * whatever the runnable or the reading of the history rejects with.
 *
 * @throws MnemoraError `invalid-option`
 * @example
 * const chat = withMessageHistory(llmRunnable(llm), { getSessionHistory: (id) => database.chatHistory(id) })
 * const { text } = await chat.invoke('Hello, I am Jack.', { configurable: { sessionId: 'abc123' } })
 */
export function withMessageHistory<Input, Output, Chunk = string>(
  runnable: Runnable<Input, Output, Chunk>,
  options: WithMessageHistoryOptions,
): WithMessageHistory<Output, Chunk> {
  checkOptions(runnable, options);
  const { getSessionHistory, onWarning } = options;
  const queue = namedQueue();
  const outputOptions = { outputKey: options.outputMessagesKey, onWarning: warnOnce(onWarning) };

  async function save(turn: Turn, answers: readonly ChatMessage[], isCancelled: boolean): Promise<void> {
    if (isCancelled && options.onAbort === 'discard') return;
    try {
      const messages = [...turn.input.messages, ...answers];
      // Not given the signal: what was said is to be kept even if the user has stopped the model.
      if (isCancelled) await turn.history.addMessages(messages, { state: 'cancelled' });
      else await turn.history.addMessages(messages);
    } catch (cause) {
      const message = 'The answer was returned, but the history could not store the turn.';
      onWarning?.({ code: 'save-failed', message, cause });
    }
  }

  /** Reads before it waits, so that bad input never holds the session and the caller's objects are copied in time. */
  async function enter(input: unknown, config: SessionConfig): Promise<Turn> {
    const sessionId = readSessionId(config);
    const turnInput = readTurnInput(input, options);
    config.signal?.throwIfAborted();
    const leave = await queue.enter(sessionId, config.signal);
    try {
      const history = await getSessionHistory(sessionId);
      const prepared = turnInput.withHistory(await history.getMessages());
      config.signal?.throwIfAborted();
      return { input: turnInput, history, prepared, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function invoke(input: unknown, config: SessionConfig): Promise<Output> {
    const { signal } = config ?? {};
    const turn = await enter(input, config);
    try {
      const output = await abortable(
        callRunnable(runnable, turn.prepared as Input, signal ? { signal } : {}),
        signal,
      );
      await save(turn, readTurnOutput(output, outputOptions), false);
      return output;
    } catch (error) {
      if (signal?.aborted && error === signal.reason) await save(turn, [], true);
      throw error;
    } finally {
      turn.leave();
    }
  }

  async function* stream(input: unknown, config: SessionConfig): AsyncGenerator<Chunk, void, undefined> {
    const { signal } = config ?? {};
    const turn = await enter(input, config);
    const chunks = streamRunnable(runnable, turn.prepared as Input, signal);
    const seen: (Chunk | string)[] = [];
    let ending: 'left' | 'complete' | 'failed' = 'left';
    try {
      for (;;) {
        const next = await abortable(chunks.next(), signal);
        if (!next.done) {
          seen.push(next.value);
          yield next.value as Chunk;
          continue;
        }
        const answers = readTurnOutput(next.value ?? mergeChunks(seen), outputOptions);
        const text = outputText(answers);
        if (seen.length === 0 && text !== '') {
          seen.push(text);
          yield text as Chunk;
        }
        ending = 'complete';
        await save(turn, answers, false);
        return;
      }
    } catch (error) {
      if (!(signal?.aborted && error === signal.reason)) ending = 'failed';
      throw error;
    } finally {
      // Not awaited: a source that ignores the abort must not hold the session.
      chunks.return(undefined).catch(() => undefined);
      if (ending === 'left') await save(turn, readPartialAnswer(seen), true);
      turn.leave();
    }
  }

  function readPartialAnswer(seen: readonly unknown[]): ChatMessage[] {
    try {
      const answers = readTurnOutput(mergeChunks(seen), { outputKey: options.outputMessagesKey });
      return answers.some((answer) => answer.content || 'tool_calls' in answer) ? answers : [];
    } catch {
      // Half an answer may not have the key yet; the question is kept all the same.
      return [];
    }
  }

  return { invoke, stream };
}

interface Turn {
  readonly input: TurnInput;
  readonly history: ChatMessageHistory;
  /** The runnable's input. */
  readonly prepared: unknown;
  /** Lets the session's next turn begin. */
  leave(): void;
}

const OPTION_NAMES: readonly (keyof WithMessageHistoryOptions)[] = [
  'getSessionHistory',
  'inputMessagesKey',
  'historyMessagesKey',
  'outputMessagesKey',
  'onAbort',
  'onWarning',
];

function checkOptions(runnable: unknown, options: WithMessageHistoryOptions): void {
  checkOptionNames('withMessageHistory', options, OPTION_NAMES);
  checkWord('onAbort', options.onAbort ?? 'keep', ['keep', 'discard']);
  if (typeof options.getSessionHistory !== 'function') {
    throw new MnemoraError('invalid-option', 'withMessageHistory needs the function getSessionHistory.');
  }
  if (typeof runnable !== 'function') checkMethods('A runnable', Object(runnable), ['invoke']);
}

function readSessionId(config: SessionConfig): string {
  const sessionId: unknown = config?.configurable?.sessionId;
  if (typeof sessionId === 'string' && sessionId !== '') return sessionId;
  throw new MnemoraError(
    'invalid-input',
    'sessionId is required: pass { configurable: { sessionId } } with a string that is not empty.',
  );
}
