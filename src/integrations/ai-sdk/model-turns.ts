import { generateId } from 'ai';
import type { Memory } from '../../index.ts';
import { checkNames, invalidOption } from '../checks.ts';
import { isAnsweredElsewhere } from './answered-elsewhere.ts';
import {
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

interface OpenTurn {
  readonly turn: TurnInProgress;
  readonly recalled: Recalled | undefined;
  /** The turn until its last step, which has called tools. */
  untilTools?: ReturnType<typeof toChatMessages>;
}

/** The first step of a turn: the prompt, and the place and text of its last user message. */
interface Beginning extends TurnIds {
  readonly sessionId: string;
  readonly key: string;
  readonly prompt: readonly PromptMessage[];
  readonly index: number;
  readonly question: string;
  readonly version: ModelVersion;
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
  readonly #open = new Map<string, OpenTurn>();
  /** Turns whose last call failed, which the SDK may try again. */
  readonly #failed = new Map<string, OpenTurn>();

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
    const goesOn = index < prompt.length - 1 ? this.#open.get(key) : undefined;
    const open = goesOn ?? (await this.#begin({ ...ids, sessionId, key, prompt, index, question, version }));
    delete open.untilTools;
    const end = async (content: readonly PromptPart[], state: TurnEnd): Promise<void> => {
      const generated = toChatMessages([{ role: 'assistant', content }]);
      const messages = [...toChatMessages(prompt.slice(index)), ...generated];
      if (state === 'complete' && content.some(isForThePage)) {
        open.untilTools = messages;
        return;
      }
      if (this.#open.get(key) === open) this.#open.delete(key);
      if (state === 'failed') this.#failed.set(key, open);
      await open.turn.end(messages, state);
    };
    return {
      prompt: open.recalled ? withRecalled(prompt, index, open.recalled) : prompt,
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
  }: Beginning): Promise<OpenTurn> {
    await this.#endUnanswered(sessionId);
    const failed = this.#failed.get(key);
    this.#failed.delete(key);
    const { timeoutMs = PATIENCE_MS, ...recallOptions } = this.#options;
    const turn = new TurnInProgress(this.#memory, { sessionId, turnId, timeoutMs });
    const conversation = toChatMessages(prompt.slice(0, index)).filter(({ role }) => role !== 'system');
    const asked = {
      ...recallOptions,
      sessionId,
      turnId,
      ...(conversation.length > 0 ? { conversation } : {}),
    };
    const context = await unlessLate(this.#memory, timeoutMs, SKIPPED, async (signal) => {
      const replaced = failed ? [...replaces, failed.turn.turnId] : replaces;
      await turn.begin(toChatMessages(prompt.slice(index, index + 1)), replaced, signal);
      return failed ? undefined : this.#memory.recall(question, { ...asked, signal });
    });
    const recalled = context ? recalledFrom(context, question, version) : failed?.recalled;
    const open = { turn, recalled };
    this.#open.set(key, open);
    return open;
  }

  /** Ends the turns of a session whose tools were called and whose model was not asked again. */
  async #endUnanswered(sessionId: string): Promise<void> {
    for (const [key, { turn, untilTools }] of this.#open) {
      if (turn.sessionId !== sessionId || !untilTools) continue;
      this.#open.delete(key);
      await turn.end(untilTools, 'complete');
    }
  }
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
