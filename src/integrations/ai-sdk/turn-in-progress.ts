import {
  MnemoraError,
  type ChatMessage,
  type Memory,
  type RecallOptions,
  type RecalledContext,
  type RememberReceipt,
} from '../../index.ts';
import { abortable } from '../../model/abortable.ts';
import { NOT_SAVED, unlessLate } from './patience.ts';

/** State of a turn that has ended. */
export type TurnEnd = 'complete' | 'failed' | 'cancelled';

/** Options of a turn. */
export interface TurnOptions {
  readonly sessionId: string;
  readonly turnId: string;
  /** Maximum time in milliseconds that the end of an answer waits for the memory. */
  readonly timeoutMs: number;
}

/** A question that is being answered: stored as `pending` before the model is called, and ended once. */
export class TurnInProgress {
  readonly sessionId: string;
  readonly turnId: string;
  readonly #memory: Memory;
  readonly #timeoutMs: number;
  #hasBegun = false;
  /** Ids of the turns that this one replaces, until it is stored. */
  #replaces: readonly string[] = [];
  #isStoring = false;
  #isOver = false;

  constructor(memory: Memory, { sessionId, turnId, timeoutMs }: TurnOptions) {
    this.#memory = memory;
    this.#timeoutMs = timeoutMs;
    this.sessionId = sessionId;
    this.turnId = turnId;
  }

  /**
   * Stores the question.
   *
   * @param replaces ids of the stored turns that this one replaces
   * @throws MnemoraError as `remember` does
   */
  async begin(
    question: readonly ChatMessage[],
    replaces: readonly string[],
    signal: AbortSignal,
  ): Promise<RememberReceipt> {
    const { sessionId, turnId } = this;
    const pending = { sessionId, turnId, replaces, state: 'pending', signal } as const;
    this.#isStoring = true;
    this.#replaces = replaces;
    try {
      const receipt = await this.#memory.remember({ messages: question }, pending);
      this.#replaces = [];
      this.#hasBegun = true;
      return receipt;
    } catch (error) {
      if (!signal.aborted) this.#replaces = []; // the ids were rejected; this was not a timeout
      throw error;
    } finally {
      this.#isStoring = false;
    }
  }

  /**
   * Recalls for the question, or resolves to undefined as soon as `stopped` aborts, because the context is no longer
   * needed.
   */
  async recall(
    question: string,
    options: RecallOptions,
    stopped: AbortSignal | undefined,
    late: AbortSignal,
  ): Promise<RecalledContext | undefined> {
    if (stopped?.aborted) return undefined;
    const { sessionId, turnId } = this;
    const signal = stopped ? AbortSignal.any([stopped, late]) : late;
    try {
      const recalled = this.#memory.recall(question, { ...options, sessionId, turnId, signal });
      return await abortable(recalled, stopped);
    } catch (error) {
      if (stopped?.aborted) return undefined;
      throw error;
    }
  }

  /**
   * Stores the whole turn, then calls `afterwards` with it. Only the first call has an effect. A turn that cannot be
   * stored, or not in time, raises a warning.
   */
  async end(
    messages: readonly ChatMessage[],
    state: TurnEnd,
    afterwards?: (receipt: RememberReceipt) => Promise<void>,
  ): Promise<void> {
    if (this.#isOver || messages.length === 0) return;
    this.#isOver = true;
    const stored = unlessLate(this.#memory, this.#timeoutMs, NOT_SAVED, async () => {
      const receipt = await this.#stored(messages, state);
      if (receipt) await afterwards?.(receipt);
    });
    // Does not wait again for a memory that is still storing the question.
    if (!this.#isStoring) await stored;
  }

  /** Returns undefined if the turn was forgotten or replaced while it was being answered. */
  async #stored(messages: readonly ChatMessage[], state: TurnEnd): Promise<RememberReceipt | undefined> {
    const { sessionId, turnId } = this;
    const options = { sessionId, turnId, replaces: this.#replaces, state, continues: this.#hasBegun };
    try {
      return await this.#memory.remember({ messages }, options);
    } catch (error) {
      if (this.#hasBegun && error instanceof MnemoraError && error.code === 'not-found') return undefined;
      const stored = await this.#memory.history({ sessionId });
      if (stored.some((each) => each.turnId === turnId && each.state === 'replaced')) return undefined;
      throw error;
    }
  }
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
