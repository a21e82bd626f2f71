import {
  MnemoraError,
  type ChatMessage,
  type Memory,
  type RecallOptions,
  type RecalledContext,
  type RememberReceipt,
} from '../../index.ts';
import { abortable } from '../../model/abortable.ts';
import {
  keepSources,
  sourceIdsOf,
  SOURCES_NAMESPACE,
  type AnswerSourceIds,
} from '../../model/answer-sources.ts';
import { NOT_SAVED, unlessLate } from './patience.ts';
import type { RecallLimits } from './recall-limits.ts';
import type { Recalled } from './with-recalled.ts';

/** State of a turn that has ended. */
export type TurnEnd = 'complete' | 'failed' | 'cancelled';

/** Options of a turn. */
export interface TurnOptions {
  readonly sessionId: string;
  readonly turnId: string;
  /** Maximum time in milliseconds that the end of an answer waits for the memory. */
  readonly timeoutMs: number;
  /** Whether the turn is stored. */
  readonly isStored: boolean;
}

export interface EndOptions {
  /** Id by which the page knows the answer. @default that of the last stored message */
  readonly answerId?: string | undefined;
  /** Returns the ids of the turns that this one replaces, if that was not known when it began. */
  readonly replaces?: (() => Promise<readonly string[]>) | undefined;
  /** Called with the stored turn. */
  readonly afterwards?: (receipt: RememberReceipt) => Promise<void>;
}

/** A question that is being answered: stored as `pending` before the model is called, and ended once. */
export class TurnInProgress {
  readonly sessionId: string;
  readonly turnId: string;
  readonly #memory: Memory;
  readonly #timeoutMs: number;
  /** Whether the turn is stored. */
  readonly isStored: boolean;
  #begun: RememberReceipt | undefined;
  #sources: readonly AnswerSourceIds[] = [];
  /** Ids of the turns that this one replaces, until it is stored. */
  #replaces: readonly string[] = [];
  #isStoring = false;
  #isOver = false;

  constructor(memory: Memory, { sessionId, turnId, timeoutMs, isStored }: TurnOptions) {
    this.#memory = memory;
    this.isStored = isStored;
    this.#timeoutMs = timeoutMs;
    this.sessionId = sessionId;
    this.turnId = turnId;
  }

  /** What the question was answered from, once that was recalled. */
  get sources(): readonly AnswerSourceIds[] {
    return this.#sources;
  }

  /** Answers from the same context as another turn. */
  answersAs({ sources }: TurnInProgress): void {
    this.#sources = sources;
  }

  /** The stored question, once it is stored. */
  get question(): RememberReceipt | undefined {
    return this.#begun;
  }

  /**
   * Stores the question. Resolves to undefined if the turn is not stored.
   *
   * @param replaces ids of the stored turns that this one replaces
   * @throws MnemoraError as `remember` does
   */
  async begin(
    question: readonly ChatMessage[],
    replaces: readonly string[],
    signal: AbortSignal,
  ): Promise<RememberReceipt | undefined> {
    if (!this.isStored) return undefined;
    const { sessionId, turnId } = this;
    const pending = { sessionId, turnId, replaces, state: 'pending', signal } as const;
    this.#isStoring = true;
    this.#replaces = replaces;
    try {
      const receipt = await this.#memory.remember({ messages: question }, pending);
      this.#replaces = [];
      this.#begun = receipt;
      return receipt;
    } catch (error) {
      if (!signal.aborted) this.#replaces = []; // the ids were rejected; this was not a timeout
      throw error;
    } finally {
      this.#isStoring = false;
    }
  }

  /**
   * Recalls for the question, calls `onRecall` and returns what `use` makes of the context, or resolves to undefined as
   * soon as `stopped` aborts, because the context is no longer needed.
   */
  async recall(
    question: string,
    { onRecall, ...options }: RecallOptions & Pick<RecallLimits, 'onRecall'>,
    stopped: AbortSignal | undefined,
    late: AbortSignal,
    use: (context: RecalledContext) => Recalled | undefined,
  ): Promise<Recalled | undefined> {
    if (stopped?.aborted) return undefined;
    const { sessionId, turnId } = this;
    const signal = stopped ? AbortSignal.any([stopped, late]) : late;
    try {
      const recalled = this.#memory.recall(question, { ...options, sessionId, turnId, signal });
      const context = await abortable(recalled, stopped);
      late.throwIfAborted(); // the question was sent without it
      onRecall?.({ sessionId, turnId, question, context });
      const used = use(context);
      const isSent = used !== undefined && (used.fenced !== '' || used.recent.length > 0);
      this.#sources = isSent ? sourceIdsOf(context) : [];
      return used;
    } catch (error) {
      if (stopped?.aborted) return undefined;
      throw error;
    }
  }

  /**
   * Stores the whole turn and what it was answered from, then calls `afterwards` with it. Only the first call has an
   * effect. A turn that cannot be stored, or not in time, raises a warning.
   */
  async end(
    messages: readonly ChatMessage[],
    state: TurnEnd,
    { answerId, replaces, afterwards }: EndOptions = {},
  ): Promise<void> {
    if (this.#isOver || messages.length === 0 || !this.isStored) return;
    this.#isOver = true;
    const stored = unlessLate(this.#memory, this.#timeoutMs, NOT_SAVED, async () => {
      if (replaces && !this.#begun) this.#replaces = await replaces();
      const receipt = await this.#stored(messages, state);
      if (!receipt) return;
      const records = this.#memory.records(SOURCES_NAMESPACE);
      const id = answerId ?? receipt.messageIds.at(-1);
      if (id !== undefined) await keepSources(records, id, this.#sources, receipt);
      await afterwards?.(receipt);
    });
    // Does not wait again for a memory that is still storing the question.
    if (!this.#isStoring) await stored;
  }

  /** Returns undefined if the turn was forgotten or replaced while it was being answered. */
  async #stored(messages: readonly ChatMessage[], state: TurnEnd): Promise<RememberReceipt | undefined> {
    const { sessionId, turnId } = this;
    const options = {
      sessionId,
      turnId,
      replaces: this.#replaces,
      state,
      continues: this.#begun !== undefined,
    };
    try {
      return await this.#memory.remember({ messages }, options);
    } catch (error) {
      if (this.#begun && isNotFound(error)) return undefined;
      const stored = await this.#memory.history({ sessionId });
      if (stored.some((each) => each.turnId === turnId && each.state === 'replaced')) return undefined;
      throw error;
    }
  }
}

/** Whether a turn could not be stored because one that it names is not stored. */
export function isNotFound(error: unknown): boolean {
  return error instanceof MnemoraError && error.code === 'not-found';
}

/** Questions that a transport is answering on this page. */
const elsewhere = new Set<{ readonly question: string }>();

/**
 * Announces that a transport recalls for a question and stores its turn, so that the middleware does not do it a second
 * time. Call the returned function when the question is answered.
 */
export function answerElsewhere(question: string): () => void {
  const answer = { question };
  elsewhere.add(answer);
  return () => elsewhere.delete(answer);
}

export function isAnsweredElsewhere(question: string): boolean {
  return [...elsewhere].some((answer) => answer.question === question);
}
