import type { StoredMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { ChatMessageHistory, SessionSummaries } from '../../sessions/chat-message-history.ts';
import { summariesOf } from '../../sessions/in-memory-summaries.ts';
import type { NewJob } from '../../storage/jobs/job-store.ts';
import { BackgroundWork } from '../background-work.ts';
import { RunningSummary, type RunningSummaryOptions, type SummaryView } from './running-summary.ts';
import { batchMessages, batchTurns, MAX_STEP_CHARACTERS } from './summary-batches.ts';

export interface SummarizerOptions extends Pick<
  RunningSummaryOptions,
  'memoryId' | 'extractor' | 'policy' | 'toText' | 'limit'
> {
  /** Who wants it, for messages to the developer. */
  readonly component: string;
  readonly history: ChatMessageHistory;
  /** Whether a save waits for the summary, or a queue makes it. */
  readonly enrichment: 'inline' | 'background';
  readonly onWarning: WarningListener | undefined;
}

/** How an existing history is summarized. */
export interface CatchUpOptions {
  /**
   * Messages of one step; the end of a step may then lie within a turn.
   * @default whole turns, of at least 2 messages together
   */
  summarizeStep?: number;
  /** Called after each step, when its summary is stored. */
  onProgress?: (progress: CatchUpProgress) => void;
  /** Ends the work; the steps done are kept. */
  signal?: AbortSignal;
}

/** Numbers of messages: those summarized by this call, and all that it has to summarize. */
export interface CatchUpProgress {
  readonly summarized: number;
  readonly total: number;
}

/** Keeps the running summary of one history up to date: when turns are saved, when they are loaded, and when asked to. */
export class Summarizer {
  readonly #history: ChatMessageHistory;
  readonly #summaries: SessionSummaries;
  readonly #summary: RunningSummary;
  readonly #options: SummarizerOptions;
  /** Undefined where a save waits for the summary. */
  readonly #work: BackgroundWork | undefined;
  /** What this tab does beside the queue. */
  #unqueued: Promise<void> = Promise.resolve();
  /** Whether the model has failed since the last save: the next save asks it again, not each load. */
  #hasFailed = false;

  /** @throws MnemoraError `invalid-option` for the background of a history that cannot queue work */
  constructor(options: SummarizerOptions) {
    const { component, history, enrichment, onWarning, ...summary } = options;
    this.#options = options;
    this.#history = history;
    this.#summaries = summariesOf(history);
    if (enrichment === 'background') {
      this.#work = new BackgroundWork({
        component,
        history,
        queueOf: (sessionId) => `summary/${sessionId}/${summary.memoryId}`,
        handler: async (_job, ticket, signal, isWanted) => {
          await this.#summary.cover({ ticket, signal, isWanted });
        },
        messages: {
          failed: FAILED,
          dead: 'The summary could not be made in several attempts: the next turn, or a retry by hand, tries again.',
        },
        onWarning,
      });
    }
    this.#summary = new RunningSummary({
      ...summary,
      source: history,
      summaries: this.#summaries,
      ...(this.#work ? { queue: this.#work.queue } : {}),
    });
  }

  /** To be stored with each turn. */
  newJobs(): readonly NewJob[] {
    return this.#work?.newJobs() ?? [];
  }

  /** To be called when a turn was stored: has what is to leave the prompt summarized, or sees to it that it will be. */
  async saved(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#work) return this.#catchUpOrWarn(signal);
    this.#hasFailed = false;
    this.#work.wake();
    this.#catchUpUnqueued();
  }

  /**
   * The session as a prompt is made of it. What is to leave the prompt is summarized before, unless that is done in the
   * background.
   *
   * @param onFailure what a load does after a failure: `wait` for the next save, or `retry`
   */
  async load(onFailure: 'wait' | 'retry'): Promise<SummaryView> {
    const view = await this.#summary.view();
    const isWaiting = this.#hasFailed && onFailure === 'wait';
    if (view.turns.length === 0 || isWaiting) return view;
    const steps = await this.#options.policy(view.turns);
    if (steps.every((step) => step.length === 0)) return view;
    if (this.#work) {
      this.#catchUpUnqueued();
      return view;
    }
    await this.#catchUpOrWarn();
    return this.#summary.view();
  }

  /** Summarizes it in small steps, each stored when it is done. Rejects where a step fails. */
  async catchUp({ summarizeStep, onProgress, signal }: CatchUpOptions): Promise<void> {
    const { toText } = this.#options;
    const lengthOf = (turn: readonly StoredMessage[]): number => toText(turn).length;
    await this.#summary.cover({
      batch: (turns) =>
        summarizeStep === undefined
          ? batchTurns(turns, { characters: MAX_STEP_CHARACTERS, messages: 2 }, lengthOf)
          : batchMessages(turns, summarizeStep),
      onBatch: (summarized, total) => onProgress?.({ summarized, total }),
      ...(signal ? { signal } : {}),
    });
  }

  /** Resolves when no summary is being made, and in the background none is queued. */
  async settled(): Promise<void> {
    await this.#unqueued;
    await this.#work?.settled();
    await this.#summary.idle();
  }

  /** Removes the messages and the summary. */
  async clear(): Promise<void> {
    await this.#history.clear();
    await this.#summaries.remove(this.#options.memoryId);
  }

  /** Leaves the queue to other tabs and later pages, and waits for what has been begun here. */
  async close(): Promise<void> {
    await this.#work?.close();
    await this.#unqueued;
    await this.#summary.idle();
  }

  /** A failure is a warning and leaves everything as it was. */
  async #catchUpOrWarn(signal?: AbortSignal): Promise<void> {
    try {
      await this.#summary.cover(signal ? { signal } : {});
      this.#hasFailed = false;
    } catch (cause) {
      signal?.throwIfAborted();
      this.#options.onWarning?.({ code: 'enrichment-failed', message: FAILED, cause });
      this.#hasFailed = true;
    }
  }

  /**
   * Summarizes in this tab what no job is there for: a history that was there before, and turns that another memory of
   * the session has stored. Nobody waits for it.
   */
  #catchUpUnqueued(): void {
    this.#unqueued = this.#unqueued.then(async () => {
      try {
        if (!this.#hasFailed && (await this.#work?.isEmpty())) await this.#catchUpOrWarn();
      } catch {
        // The database was closed meanwhile: it is tried again when it is open.
      }
    });
  }
}

const FAILED =
  'The summary could not be brought up to date: its turns stay as they are until it is tried again.';
