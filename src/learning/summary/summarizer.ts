import type { WarningListener } from '../../model/warning.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { summariesOf } from '../../sessions/session-summaries.ts';
import { BackgroundWork } from '../background-work.ts';
import type { StoreTurn, TurnToSave } from '../turn-learner.ts';
import {
  type RunningSummary,
  type SummaryView,
  batchMessages,
  batchesOf,
  coverTurns,
  readSummary,
  MAX_STEP,
  summaryIdle,
} from './running-summary.ts';

export interface SummarizerOptions extends Pick<
  RunningSummary,
  'memoryId' | 'extractor' | 'policy' | 'toText' | 'limit'
> {
  /** Name of the component, for error and warning messages. */
  readonly component: string;
  readonly history: ChatMessageHistory;
  /** Whether a save waits for the summary (`inline`) or a queue makes it (`background`). */
  readonly enrichment: 'inline' | 'background';
  readonly onWarning: WarningListener;
}

/** Options for summarizing an existing history. */
export interface CatchUpOptions {
  /**
   * Number of messages summarized per step. A step can then end within a turn.
   * @default whole turns, at least 2 messages
   */
  summarizeStep?: number;
  /** Called after each step, when its summary has been stored. */
  onProgress?: (progress: CatchUpProgress) => void;
  /** Stops the work. Completed steps are kept. */
  signal?: AbortSignal;
}

/** Number of messages summarized by this call so far, and the total that it has to summarize. */
export interface CatchUpProgress {
  readonly summarized: number;
  readonly total: number;
}

/** Keeps the running summary of one history up to date: after a save, before a load, and on request. */
export class Summarizer {
  readonly #summary: RunningSummary;
  readonly #options: SummarizerOptions;
  /** Undefined if saves wait for the summary. */
  readonly #work: BackgroundWork | undefined;
  /** Work that this tab does outside of the queue, until it is closed. */
  #unqueued: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  /** Whether the model has failed since the last save. Then the next save retries, not every load. */
  #hasFailed = false;

  /** @throws MnemoraError `invalid-option` for `background` with a history that cannot queue work */
  constructor(options: SummarizerOptions) {
    const { component, history, enrichment, onWarning, ...summary } = options;
    this.#options = options;
    if (enrichment === 'background') {
      this.#work = new BackgroundWork({
        component,
        history,
        queueOf: (sessionId) => `summary/${sessionId}/${summary.memoryId}`,
        handler: async (_job, ticket, signal, isWanted) => {
          await coverTurns(this.#summary, { ticket, signal, isWanted });
        },
        messages: {
          failed: FAILED,
          dead: 'The summary could not be made after several attempts. It is retried with the next turn, or when the job is retried.',
        },
        onWarning,
      });
    }
    const queue = this.#work ? { queue: this.#work.queue } : {};
    this.#summary = { ...summary, source: history, summaries: summariesOf(history), ...queue };
  }

  /** Saves a turn. Then summarizes the turns that no longer fit the prompt, or leaves that to the queue. */
  async save(turn: TurnToSave, store: StoreTurn<TurnToSave>): Promise<void> {
    await store(turn, this.#work?.newJobs() ?? []);
    if (!this.#work) return this.#catchUpOrWarn(turn.signal);
    this.#hasFailed = false;
    this.#work.wake();
    this.#catchUpUnqueued();
  }

  /**
   * Returns the session as it appears in a prompt. First summarizes the turns that no longer fit, unless the
   * background does so.
   *
   * @param onFailure after a failure of the model, `wait` for the next save, or `retry`
   */
  async load(onFailure: 'wait' | 'retry'): Promise<SummaryView> {
    const view = await readSummary(this.#summary);
    const isWaiting = this.#hasFailed && onFailure === 'wait';
    if (view.turns.length === 0 || isWaiting) return view;
    const steps = await this.#options.policy(view.turns);
    if (steps.every((step) => step.length === 0)) return view;
    if (this.#work) {
      this.#catchUpUnqueued();
      return view;
    }
    await this.#catchUpOrWarn();
    return readSummary(this.#summary);
  }

  /** Summarizes the history in small steps, each stored when it is done. Rejects if a step fails. */
  async catchUp({ summarizeStep, onProgress, signal }: CatchUpOptions): Promise<void> {
    const { toText } = this.#options;
    await coverTurns(this.#summary, {
      batch: (turns) =>
        summarizeStep === undefined
          ? batchesOf(turns, { ...MAX_STEP, messages: 2 }, toText)
          : batchMessages(turns, summarizeStep),
      onBatch: (summarized, total) => onProgress?.({ summarized, total }),
      ...(signal ? { signal } : {}),
    });
  }

  /** Resolves when no summary is being made and, for `background`, none is queued. */
  async settled(): Promise<void> {
    await this.#unqueued;
    await this.#work?.settled();
    await summaryIdle(this.#summary);
  }

  /** Removes the messages and the summary. */
  async clear(): Promise<void> {
    await this.#options.history.clear();
    await this.#summary.summaries.remove(this.#options.memoryId);
  }

  /** Stops working on the queue, so that other tabs or later pages continue it, and waits for the work in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work?.close();
    await this.#unqueued;
    await summaryIdle(this.#summary);
  }

  /** Reports a failure as a warning. Nothing is changed then. */
  async #catchUpOrWarn(signal?: AbortSignal): Promise<void> {
    try {
      await coverTurns(this.#summary, signal ? { signal } : {});
      this.#hasFailed = false;
    } catch (cause) {
      signal?.throwIfAborted();
      this.#options.onWarning({ code: 'learning-failed', message: FAILED, cause });
      this.#hasFailed = true;
    }
  }

  /**
   * Summarizes in this tab, in the background, turns that have no job: those of an existing history, and those that
   * another memory of the same session has stored.
   */
  #catchUpUnqueued(): void {
    this.#unqueued = this.#unqueued.then(async () => {
      try {
        const { signal } = this.#closing;
        if (!this.#hasFailed && (await this.#work?.isEmpty())) await this.#catchUpOrWarn(signal);
      } catch {
        // The memory or the database was closed in the meantime. The next save or load tries again.
      }
    });
  }
}

const FAILED = 'The summary could not be updated. Its turns are kept verbatim until the next attempt.';
