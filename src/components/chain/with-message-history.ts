import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { invalidInput, invalidOption } from '../../model/error.ts';
import type { ChatMessage } from '../../model/message.ts';
import { dropOrphanToolResults } from '../../model/turn.ts';
import { warningListener, warnOnce, type WarningListener } from '../../model/warning.ts';
import { abortable } from '../../model/abortable.ts';
import {
  checkFunction,
  checkName,
  checkOptions,
  objectWith,
  oneOf,
  type OptionChecks,
} from '../../model/check-options.ts';
import { callRunnable, streamRunnable, type Runnable } from './runnable.ts';
import { NamedQueue } from '../../model/named-queue.ts';
import { readTurnInput, mergeChunks, outputText, readTurnOutput } from './turn-messages.ts';

export interface WithMessageHistoryOptions {
  /** Returns the history of a session. Called once for each turn. */
  getSessionHistory: (sessionId: string) => ChatMessageHistory | Promise<ChatMessageHistory>;
  /** Key of the user's message in an input object. @default `input`, or the only key besides the history's */
  inputMessagesKey?: string;
  /** Key under which the runnable gets the history as a list of messages. */
  historyMessagesKey?: string;
  /**
   * Key of the answer in an output object.
   * @default the only key; with several keys the first of `output`, `answer`, `response`, `text`, with a warning
   */
  outputMessagesKey?: string;
  /**
   * How to handle a turn that is aborted, or whose stream is closed early. `keep` stores question and partial answer as
   * one turn in the state `cancelled`, which `getMessages` does not return; `discard` stores nothing.
   * @default 'keep'
   */
  onAbort?: 'keep' | 'discard';
  /** Called with `save-failed` (the answer was returned but not stored) and, once, with `ambiguous-output`. */
  onWarning?: WarningListener;
}

export interface SessionConfig {
  configurable: {
    /** Id of the session: any non-empty string. */
    sessionId: string;
  };
  signal?: AbortSignal;
}

export interface WithMessageHistory<Output, Chunk> {
  /** Returns the answer after the turn has been stored. */
  invoke(input: unknown, config: SessionConfig): Promise<Output>;
  /**
   * Yields the answer in pieces: the runnable's own chunks, or text if it has no `stream`. The turn is stored before the
   * iteration ends. Other turns of the session wait until then, so read to the end, leave the loop, or abort.
   */
  stream(input: unknown, config: SessionConfig): AsyncGenerator<Chunk, void, undefined>;
}

/**
 * Returns a runnable with memory: it gets the session's earlier messages, and each turn is stored in one write.
 *
 * Without keys the input is a string, a message or a list of messages, or an object with one of these, and the runnable
 * gets the history followed by the input. Only the input and the answer are stored. Within a page, turns of one session
 * run one at a time, in the order of the calls. Nothing is stored if the runnable fails.
 *
 * Methods reject with MnemoraError `invalid-input` if the session id is missing or an input or output contains no
 * messages, and with any error of the runnable or of reading the history.
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
  checkOptions('withMessageHistory', options, OPTION_CHECKS);
  if (typeof options.getSessionHistory !== 'function') {
    throw invalidOption('withMessageHistory needs the function getSessionHistory.');
  }
  if (typeof runnable !== 'function') objectWith('invoke')('A runnable', runnable);
  const { getSessionHistory, onWarning } = options;
  const warn = warningListener(onWarning);
  const queue = new NamedQueue();
  const outputOptions = { outputKey: options.outputMessagesKey, onWarning: warnOnce(onWarning) };

  async function save(
    turn: Turn,
    answers: readonly ChatMessage[],
    state: 'complete' | 'cancelled',
  ): Promise<void> {
    if (state === 'cancelled' && options.onAbort === 'discard') return;
    try {
      // Without the signal: the partial answer is stored even though the user has stopped the model.
      await turn.history.addMessages([...turn.messages, ...answers], { state });
    } catch (cause) {
      const message = 'The answer was returned, but the history could not store the turn.';
      warn({ code: 'save-failed', message, cause });
    }
  }

  /** Reads the input before it waits, so that invalid input does not block the session and later changes do not count. */
  async function enter(input: unknown, config: SessionConfig): Promise<Turn> {
    const sessionId = readSessionId(config);
    const { messages, withHistory } = readTurnInput(input, options);
    config.signal?.throwIfAborted();
    const leave = await queue.enter(sessionId, config.signal);
    try {
      const history = isHistory('The history of the session', await getSessionHistory(sessionId));
      // An endpoint refuses the result of a call that was forgotten.
      const prepared = withHistory(dropOrphanToolResults(await history.getMessages()));
      config.signal?.throwIfAborted();
      return { messages, history, prepared, leave };
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
      await save(turn, readTurnOutput(output, outputOptions), 'complete');
      return output;
    } catch (error) {
      // Not only with the signal's reason: most clients of models reject with an error of their own.
      if (signal?.aborted) await save(turn, [], 'cancelled');
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
        await save(turn, answers, 'complete');
        return;
      }
    } catch (error) {
      if (!signal?.aborted) ending = 'failed';
      throw error;
    } finally {
      // Not awaited: a source that ignores the abort must not block the session.
      chunks.return(undefined).catch(() => undefined);
      if (ending === 'left') await save(turn, readPartialAnswer(seen), 'cancelled');
      turn.leave();
    }
  }

  function readPartialAnswer(seen: readonly unknown[]): ChatMessage[] {
    try {
      const answers = readTurnOutput(mergeChunks(seen), { outputKey: options.outputMessagesKey });
      return answers.some((answer) => answer.content || 'tool_calls' in answer) ? answers : [];
    } catch {
      // A partial answer may not have the key yet; the question is stored anyway.
      return [];
    }
  }

  return { invoke, stream };
}

interface Turn {
  /** New messages, which will be stored. */
  readonly messages: readonly ChatMessage[];
  readonly history: ChatMessageHistory;
  /** Input for the runnable. */
  readonly prepared: unknown;
  /** Starts the next turn of the session. */
  leave(): void;
}

const isHistory = objectWith<ChatMessageHistory>('getMessages', 'addMessages');

const OPTION_CHECKS: OptionChecks<WithMessageHistoryOptions> = {
  getSessionHistory: checkFunction,
  inputMessagesKey: checkName,
  historyMessagesKey: checkName,
  outputMessagesKey: checkName,
  onAbort: oneOf('keep', 'discard'),
  onWarning: checkFunction,
};

function readSessionId(config: SessionConfig): string {
  const sessionId: unknown = config?.configurable?.sessionId;
  if (typeof sessionId === 'string' && sessionId !== '') return sessionId;
  throw invalidInput(
    'sessionId is required: pass { configurable: { sessionId } } with a string that is not empty.',
  );
}
