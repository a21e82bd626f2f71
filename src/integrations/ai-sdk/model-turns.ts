import { generateId } from 'ai';
import type { ChatMessage, Memory } from '../../index.ts';
import { checkBoolean, checkName, checkOptions, type OptionCheck } from '../../model/check-options.ts';
import { setBounded } from './chats/shown-messages.ts';
import { latestTurns } from './latest-turns.ts';
import { PATIENCE_MS, unlessLate } from './patience.ts';
import {
  conversationOf,
  partsOf,
  textOf,
  toChatMessages,
  type ModelVersion,
  type PromptMessage,
  type PromptPart,
} from './prompt-messages.ts';
import { recallOptions, SKIPPED, type RecallLimits } from './recall-limits.ts';
import { isAnsweredElsewhere, isNotFound, TurnInProgress, type TurnEnd } from './turn-in-progress.ts';
import { stateAfter, watched, type StreamPart } from './watched-stream.ts';
import { recalledFrom, withRecalled, type Recalled } from './with-recalled.ts';

/** One model call within a turn. Tool calls make a turn continue. */
export interface Step {
  /** Prompt that includes the recalled text. */
  readonly prompt: readonly PromptMessage[];
  generated(content: readonly PromptPart[], finishReason: unknown): Promise<void>;
  failed(): Promise<void>;
  /** Forwards the model's stream. */
  watched<Part extends StreamPart>(stream: ReadableStream<Part>): ReadableStream<Part>;
}

/** A turn with at least one finished step. */
interface KnownTurn {
  readonly key: string;
  readonly turn: TurnInProgress;
  readonly recalled: Recalled | undefined;
  /** Prompt of the last step. */
  readonly prompt: readonly PromptMessage[];
  /** The question and everything that was generated for it. Later prompts of the page may omit parts of it. */
  readonly messages: readonly ChatMessage[];
  readonly state: TurnEnd;
}

/** The last user message of a prompt. */
interface Question extends TurnIds {
  readonly sessionId: string;
  readonly remember: boolean;
  readonly key: string;
  readonly index: number;
  readonly text: string;
}

/** Call parameters that all versions of the SDK have. */
export interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Unfinished turns of one middleware, by session and question. */
export class ModelTurns {
  readonly #memory: Memory;
  readonly #options: RecallLimits;
  /** Turns whose last step called tools, and which continue with the results. */
  readonly #waiting = new Map<KnownTurn, AbortController>();
  /** Turns that have ended but may still continue: after a retried call or a slow tool. */
  readonly #ended = new Map<string, KnownTurn>();

  constructor(memory: Memory, options: RecallLimits) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Returns undefined for a call that is not a step of a turn of this memory. */
  async step(call: CallParams, version: ModelVersion): Promise<Step | undefined> {
    const { prompt, providerOptions, abortSignal } = call;
    const index = prompt.findLastIndex(({ role }) => role === 'user');
    const asked = prompt[index];
    if (!asked) return undefined;
    const ids = turnIds(providerOptions?.['mnemora']);
    const text = textOf(partsOf(asked));
    if (isAnsweredElsewhere(text)) return undefined;
    const { sessionId = this.#memory.sessionId } = ids;
    const key = JSON.stringify([sessionId, text]);
    const sent = latestTurns(prompt, index, this.#options.history);
    const known = index < prompt.length - 1 ? this.#takeWaiting(key, prompt.slice(index + 1)) : undefined;
    const remember = ids.remember ?? this.#options.remember ?? true;
    const question = { ...ids, sessionId, remember, key, index, text };
    const { turn, recalled } = known ?? (await this.#begin(question, call, version));
    const messages = known
      ? [...known.messages, ...toChatMessages(resultsIn(prompt))]
      : toChatMessages(prompt.slice(index));
    const end = async (content: readonly PromptPart[], given: TurnEnd): Promise<void> => {
      // Otherwise, the question would be sent again in front of every later one.
      const state = given === 'complete' && messages.length === 1 && isEmpty(content) ? 'failed' : given;
      const generated = toChatMessages([{ role: 'assistant', content }]);
      const ended = { key, turn, recalled, prompt, messages: [...messages, ...generated], state };
      if (state === 'complete' && content.some(isForThePage)) {
        this.#wait(ended, abortSignal);
        return;
      }
      if (state === 'failed') setBounded(this.#ended, key, ended);
      await turn.end(ended.messages, state);
    };
    return {
      prompt: recalled ? withRecalled(sent.messages, sent.asked, recalled) : sent.messages,
      generated: (content, finishReason) => end(content, stateAfter(finishReason)),
      failed: () => end([], abortSignal?.aborted ? 'cancelled' : 'failed'),
      watched: (stream) => watched(stream, end, abortSignal),
    };
  }

  async #begin(
    { sessionId, turnId = generateId(), replaces = [], remember, key, index, text }: Question,
    { prompt, abortSignal }: CallParams,
    version: ModelVersion,
  ): Promise<Pick<KnownTurn, 'turn' | 'recalled'>> {
    // A call that is not stored, such as one for a title, says nothing about the turns of the page.
    if (remember) await this.#endUnanswered(sessionId);
    const isLaterStep = index < prompt.length - 1;
    const ended = this.#ended.get(key);
    this.#ended.delete(key);
    const before = ended?.state === 'failed' || isLaterStep ? ended : undefined;
    // The same turn rather than the same question asked at another time.
    const again = before?.prompt === prompt || isLaterStep ? before : undefined;
    const { timeoutMs = PATIENCE_MS } = this.#options;
    const turn = new TurnInProgress(this.#memory, { sessionId, turnId, timeoutMs, isStored: remember });
    const isAlone = prompt.slice(0, index).every(({ role }) => role === 'system');
    const sent = latestTurns(prompt, index, this.#options.history);
    const conversation = conversationOf(toChatMessages(sent.messages.slice(0, sent.asked)));
    const options = {
      ...recallOptions(this.#options),
      ...(isAlone ? {} : { conversation, summary: sent.isCut }),
      replaces,
    };
    const recalled = await unlessLate(this.#memory, timeoutMs, SKIPPED, async (signal) => {
      // A turn that has ended is not reopened.
      if (remember && before?.turn.turnId === turnId) await this.#memory.forget({ turnId });
      const asked = toChatMessages(prompt.slice(index, index + 1));
      const given = [replaces].flat().filter((id) => id !== turnId);
      const failed = before?.turn.question && before.turn.turnId !== turnId ? [before.turn.turnId] : [];
      try {
        await turn.begin(asked, [...given, ...failed], signal);
      } catch (error) {
        if (failed.length === 0 || !isNotFound(error)) throw error;
        await turn.begin(asked, given, signal); // the turn that failed was forgotten
      }
      if (again) {
        turn.answersAs(again.turn);
        return again.recalled;
      }
      return turn.recall(text, options, abortSignal, signal, (context) =>
        recalledFrom(context, text, version, this.#options.prompt),
      );
    });
    return { turn, recalled: recalled ?? again?.recalled };
  }

  /** Returns the waiting turn that the messages after its question continue, and stops waiting for it. */
  #takeWaiting(key: string, answered: readonly PromptMessage[]): KnownTurn | undefined {
    const waiting = [...this.#waiting.keys()].filter((each) => each.key === key);
    // The same question may be asked twice at the same time, and a page may have omitted the calls.
    const taken =
      waiting.find(({ messages }) => haveCallsOf(answered, messages.at(-1))) ??
      (waiting.length === 1 ? waiting[0] : undefined);
    if (taken) this.#waitNoMore(taken);
    return taken;
  }

  /** Ends the turns of a session whose tools were called but whose model was not called again. */
  async #endUnanswered(sessionId: string): Promise<void> {
    for (const waiting of this.#waiting.keys()) {
      if (waiting.turn.sessionId === sessionId) await this.#endWaiting(waiting, 'complete');
    }
  }

  /** Keeps a turn until it continues or is stopped: between two steps, nothing else reports a stop. */
  #wait(turn: KnownTurn, stopped: AbortSignal | undefined): void {
    const done = new AbortController();
    this.#waiting.set(turn, done);
    const stop = (): void => void this.#endWaiting(turn, 'cancelled');
    stopped?.addEventListener('abort', stop, { signal: done.signal });
    if (stopped?.aborted) stop();
  }

  #waitNoMore(turn: KnownTurn): void {
    this.#waiting.get(turn)?.abort();
    this.#waiting.delete(turn);
  }

  async #endWaiting(waiting: KnownTurn, state: TurnEnd): Promise<void> {
    this.#waitNoMore(waiting);
    setBounded(this.#ended, waiting.key, { ...waiting, state });
    await waiting.turn.end(waiting.messages, state);
  }
}

/** Returns the results of the tool calls in the last step of a prompt. */
function resultsIn(prompt: readonly PromptMessage[]): PromptMessage[] {
  return prompt.slice(prompt.findLastIndex(({ role }) => role !== 'tool') + 1);
}

function haveCallsOf(answered: readonly PromptMessage[], message: ChatMessage | undefined): boolean {
  const calls = message?.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const ids = new Set(answered.flatMap(partsOf).map(({ toolCallId }) => toolCallId));
  return calls.every(({ id }) => ids.has(id));
}

/**
 * Returns whether a part calls a tool of the page rather than of the provider, so that the turn continues with its
 * result.
 */
function isForThePage({ type, providerExecuted }: PromptPart): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

/** Whether a model returned no content. */
function isEmpty(content: readonly PromptPart[]): boolean {
  return (
    textOf(content).trim() === '' && content.every(({ type }) => type === 'text' || type === 'reasoning')
  );
}

interface TurnIds {
  readonly sessionId?: string;
  readonly remember?: boolean;
  readonly turnId?: string;
  readonly replaces?: string | readonly string[];
}

const isIdOfOptions: OptionCheck = (name, id) => checkName(`${name} of providerOptions.mnemora`, id);

/** @throws MnemoraError `invalid-option` */
function turnIds(given: unknown = {}): TurnIds {
  return checkOptions('providerOptions.mnemora', given as TurnIds, {
    sessionId: isIdOfOptions,
    turnId: isIdOfOptions,
    replaces: (name, ids) => [ids].flat().map((id) => isIdOfOptions(name, id)),
    remember: checkBoolean,
  });
}
