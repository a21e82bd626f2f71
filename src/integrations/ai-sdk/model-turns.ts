import { generateId } from 'ai';
import type { ChatMessage, Memory } from '../../index.ts';
import { checkNames, invalidOption } from '../checks.ts';
import { isAnsweredElsewhere } from './answered-elsewhere.ts';
import {
  conversationOf,
  partsOf,
  textOf,
  toChatMessages,
  type ModelVersion,
  type PromptMessage,
  type PromptPart,
} from './prompt-messages.ts';
import type { RecallLimits } from './recall-limits.ts';
import { SKIPPED } from './skipped.ts';
import { PATIENCE_MS, unlessLate } from './time-limit.ts';
import { TurnInProgress, type TurnEnd } from './turn-in-progress.ts';
import { unlessStopped } from './unless-stopped.ts';
import { stateAfter, watched, type StreamPart } from './watched-stream.ts';
import { recalledFrom, withRecalled, type Recalled } from './with-recalled.ts';

/** A call of the model within a turn. A turn goes on after tool calls. */
export interface Step {
  /** The prompt with what was recalled. */
  readonly prompt: readonly PromptMessage[];
  generated(content: readonly PromptPart[], finishReason: unknown): Promise<void>;
  failed(): Promise<void>;
  /** Passes the model's stream on. */
  watched<Part extends StreamPart>(stream: ReadableStream<Part>): ReadableStream<Part>;
}

/** A turn of which a step has ended. */
interface KnownTurn {
  readonly key: string;
  readonly turn: TurnInProgress;
  readonly recalled: Recalled | undefined;
  /** The prompt of its last step. */
  readonly prompt: readonly PromptMessage[];
  /** The question, and what its steps have generated. A page may leave out some of it in later prompts. */
  readonly messages: readonly ChatMessage[];
  readonly state: TurnEnd;
}

/** The first step of a turn: the prompt, and the place and text of its last user message. */
interface Beginning extends TurnIds {
  readonly sessionId: string;
  readonly key: string;
  readonly prompt: readonly PromptMessage[];
  readonly index: number;
  readonly question: string;
  readonly version: ModelVersion;
  readonly abortSignal: AbortSignal | undefined;
}

/** Params of a call, in what the versions have in common. */
export interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The turns that one middleware has begun and not ended, by session and question. */
export class ModelTurns {
  readonly #memory: Memory;
  readonly #options: RecallLimits;
  /** Turns whose last step has called tools, and which go on with their results. */
  readonly #waiting = new Map<KnownTurn, AbortController>();
  /** Turns that have ended and may go on all the same: a call that is tried again, a tool that took its time. */
  readonly #ended = new Map<string, KnownTurn>();

  constructor(memory: Memory, options: RecallLimits) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Returns undefined for a call that is not the step of a turn of this memory. */
  async step(
    { prompt, providerOptions, abortSignal }: CallParams,
    version: ModelVersion,
  ): Promise<Step | undefined> {
    const index = prompt.findLastIndex(({ role }) => role === 'user');
    const asked = prompt[index];
    if (!asked) return undefined;
    const ids = turnIds(providerOptions?.['mnemora']);
    const question = textOf(partsOf(asked));
    if (isAnsweredElsewhere(question)) return undefined;
    const { sessionId = this.#memory.sessionId } = ids;
    const key = JSON.stringify([sessionId, question]);
    const known = index < prompt.length - 1 ? this.#takeWaiting(key, prompt.slice(index + 1)) : undefined;
    const beginning = { ...ids, sessionId, key, prompt, index, question, version, abortSignal };
    const { turn, recalled } = known ?? (await this.#begin(beginning));
    const messages = known
      ? [...known.messages, ...toChatMessages(resultsIn(prompt))]
      : toChatMessages(prompt.slice(index));
    const end = async (content: readonly PromptPart[], state: TurnEnd): Promise<void> => {
      const generated = toChatMessages([{ role: 'assistant', content }]);
      const ended = { key, turn, recalled, prompt, messages: [...messages, ...generated], state };
      if (state === 'complete' && content.some(isForThePage)) {
        this.#wait(ended, abortSignal);
        return;
      }
      if (state === 'failed') this.#ended.set(key, ended);
      await turn.end(ended.messages, state);
    };
    return {
      prompt: recalled ? withRecalled(prompt, index, recalled) : prompt,
      generated: (content, finishReason) => end(content, stateAfter(finishReason)),
      failed: () => end([], abortSignal?.aborted ? 'cancelled' : 'failed'),
      watched: (stream) => watched(stream, end, abortSignal),
    };
  }

  async #begin({
    sessionId,
    turnId = generateId(),
    replaces = [],
    key,
    prompt,
    index,
    question,
    version,
    abortSignal,
  }: Beginning): Promise<Pick<KnownTurn, 'turn' | 'recalled'>> {
    await this.#endUnanswered(sessionId);
    const isLaterStep = index < prompt.length - 1;
    const ended = this.#ended.get(key);
    this.#ended.delete(key);
    const before = ended?.state === 'failed' || isLaterStep ? ended : undefined;
    // The same turn, and not the same question at another time.
    const again = before?.prompt === prompt || isLaterStep ? before : undefined;
    const { timeoutMs = PATIENCE_MS, ...recallOptions } = this.#options;
    const turn = new TurnInProgress(this.#memory, { sessionId, turnId, timeoutMs });
    const isAlone = prompt.slice(0, index).every(({ role }) => role === 'system');
    const conversation = conversationOf(toChatMessages(prompt.slice(0, index)));
    const asked = {
      ...recallOptions,
      sessionId,
      turnId,
      ...(isAlone ? {} : { conversation }),
    };
    const context = await unlessLate(this.#memory, timeoutMs, SKIPPED, async (signal) => {
      // A turn that has ended is not opened again.
      if (before?.turn.turnId === turnId) await this.#memory.forget({ turnId });
      const replaced = [...replaces, ...(before ? [before.turn.turnId] : [])].filter((id) => id !== turnId);
      await turn.begin(toChatMessages(prompt.slice(index, index + 1)), replaced, signal);
      if (again) return undefined;
      return unlessStopped(abortSignal, signal, (either) =>
        this.#memory.recall(question, { ...asked, signal: either }),
      );
    });
    return { turn, recalled: context ? recalledFrom(context, question, version) : again?.recalled };
  }

  /** Returns the turn that goes on with what follows its question, which no longer waits. */
  #takeWaiting(key: string, answered: readonly PromptMessage[]): KnownTurn | undefined {
    const waiting = [...this.#waiting.keys()].filter((each) => each.key === key);
    // The same question may be asked twice at once; a page may have left out the calls.
    const taken =
      waiting.find(({ messages }) => haveCallsOf(answered, messages.at(-1))) ??
      (waiting.length === 1 ? waiting[0] : undefined);
    if (taken) this.#waitNoMore(taken);
    return taken;
  }

  /** Ends the turns of a session whose tools were called and whose model was not asked again. */
  async #endUnanswered(sessionId: string): Promise<void> {
    for (const waiting of this.#waiting.keys()) {
      if (waiting.turn.sessionId === sessionId) await this.#endWaiting(waiting, 'complete');
    }
  }

  /** Keeps a turn until it goes on or is stopped: between two steps, nothing else tells that it was. */
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
    this.#ended.set(waiting.key, { ...waiting, state });
    await waiting.turn.end(waiting.messages, state);
  }
}

/** Returns the results of the tools that the last step of a prompt has called. */
function resultsIn(prompt: readonly PromptMessage[]): PromptMessage[] {
  return prompt.slice(prompt.findLastIndex(({ role }) => role !== 'tool') + 1);
}

function haveCallsOf(answered: readonly PromptMessage[], message: ChatMessage | undefined): boolean {
  const calls = message?.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const ids = new Set(answered.flatMap(partsOf).map(({ toolCallId }) => toolCallId));
  return calls.every(({ id }) => ids.has(id));
}

/** A call of a tool that is not the provider's own: the turn goes on with its result. */
function isForThePage({ type, providerExecuted }: PromptPart): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

interface TurnIds {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly replaces?: readonly string[];
}

/** @throws MnemoraError `invalid-option` */
function turnIds(given: unknown = {}): TurnIds {
  const { sessionId, turnId, replaces } = checkNames(
    'providerOptions.mnemora',
    given as Record<string, unknown>,
    ['sessionId', 'turnId', 'replaces'],
  );
  const list = replaces === undefined ? undefined : [replaces].flat();
  for (const id of [sessionId, turnId, ...(list ?? [])]) {
    if (id === undefined || (typeof id === 'string' && id !== '')) continue;
    throw invalidOption(
      'sessionId, turnId and replaces of providerOptions.mnemora must be ids, which are strings.',
    );
  }
  return {
    ...(sessionId === undefined ? {} : { sessionId: sessionId as string }),
    ...(turnId === undefined ? {} : { turnId: turnId as string }),
    ...(list === undefined ? {} : { replaces: list as string[] }),
  };
}
