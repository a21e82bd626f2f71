import { generateId, type LanguageModelMiddleware } from 'ai';
import type { Memory } from '../../index.ts';
import { checkMemory, checkNames, invalidOption } from '../checks.ts';
import { isAnsweredElsewhere } from './answered-elsewhere.ts';
import {
  partsOf,
  textOf,
  toChatMessages,
  type ModelVersion,
  type PromptMessage,
  type PromptPart,
} from './prompt-messages.ts';
import { recalledFrom, withRecalled, type Recalled } from './with-recalled.ts';
import { PATIENCE_MS, SKIPPED, unlessLate } from './time-limit.ts';
import { TurnInProgress, type TurnEnd } from './turn-in-progress.ts';
import { stateAfter, watched } from './watched-stream.ts';

export interface MemoryMiddlewareOptions {
  /** Maximum number of tokens of what memory adds to a request. @default that of `createMemory` */
  maxTokens?: number;
  /** How sure memory must be that it has something to say, from 0 to 1; see `RecallOptions`. @default 0.5 */
  minRelevance?: number;
  /** Longest time in milliseconds that memory may hold up a question, and an answer. @default 5000 */
  timeoutMs?: number;
}

/**
 * Returns a middleware for `wrapLanguageModel` that gives a model memory: before the first step of a turn it recalls for
 * the last user message, and after the last step it stores the turn, tool calls and results included.
 *
 * What is recalled stands in the last user message, before the question, with the same bytes in each step of a tool loop.
 * Messages of the page stay as they are; if there are none before the question, the session's recent turns and its summary
 * are sent too. A turn belongs to the memory's session, or to that of the call: `providerOptions: { mnemora: { sessionId,
 * turnId, replaces } }`, as `RememberOptions` has them.
 *
 * Memory that fails or is too slow never fails a call: a warning `memory-skipped` or `save-failed` says so. Regenerated
 * and edited messages are told from new ones by `replaces` only; `memoryTransport` does that by itself.
 *
 * @throws MnemoraError `invalid-option`; a call rejects with `invalid-option` if its `providerOptions.mnemora` is not usable
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: memoryMiddleware(await createMemory()) });
 * await generateText({ model, prompt: 'Where does my sister live?' });
 */
export function memoryMiddleware(
  memory: Memory,
  options: MemoryMiddlewareOptions = {},
): LanguageModelMiddleware {
  checkMemory(memory);
  checkNames('memoryMiddleware', options, ['maxTokens', 'minRelevance', 'timeoutMs']);
  const turns = new ModelTurns(memory, options);
  const steps = new WeakMap<object, Step>();
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const step = await turns.step(params as CallParams, model.specificationVersion);
      if (!step) return params;
      const sent = { ...params, prompt: step.prompt as typeof params.prompt };
      steps.set(sent, step);
      return sent;
    },
    async wrapGenerate({ doGenerate, params }) {
      const step = steps.get(params);
      try {
        const result = await doGenerate();
        await step?.end(result.content, stateAfter(result.finishReason));
        return result;
      } catch (error) {
        await step?.end([], params.abortSignal?.aborted ? 'cancelled' : 'failed');
        throw error;
      }
    },
    async wrapStream({ doStream, params }) {
      const step = steps.get(params);
      if (!step) return doStream();
      try {
        const result = await doStream();
        return { ...result, stream: watched(result.stream, step.end, params.abortSignal) };
      } catch (error) {
        await step.end([], params.abortSignal?.aborted ? 'cancelled' : 'failed');
        throw error;
      }
    },
  };
}

/** A call of the model within a turn. */
interface Step {
  /** The prompt with what was recalled. */
  readonly prompt: readonly PromptMessage[];
  /** Takes what the model has generated. A turn goes on after tool calls. */
  end(content: readonly PromptPart[], state: TurnEnd): Promise<void>;
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
interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** The turns that one middleware has begun and not ended, by session and question. */
class ModelTurns {
  readonly #memory: Memory;
  readonly #options: MemoryMiddlewareOptions;
  readonly #open = new Map<string, OpenTurn>();
  /** Turns whose last call failed, which the SDK may try again. */
  readonly #failed = new Map<string, OpenTurn>();

  constructor(memory: Memory, options: MemoryMiddlewareOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Returns undefined for a call that is not the step of a turn of this memory. */
  async step({ prompt, providerOptions }: CallParams, version: ModelVersion): Promise<Step | undefined> {
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
    return {
      prompt: open.recalled ? withRecalled(prompt, index, open.recalled) : prompt,
      end: async (content, state) => {
        const generated = toChatMessages([{ role: 'assistant', content }]);
        const messages = [...toChatMessages(prompt.slice(index)), ...generated];
        if (state === 'complete' && content.some(isForThePage)) {
          open.untilTools = messages;
          return;
        }
        if (this.#open.get(key) === open) this.#open.delete(key);
        if (state === 'failed') this.#failed.set(key, open);
        await open.turn.end(messages, state);
      },
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
