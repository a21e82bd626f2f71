import type { ChatMessageHistory, SessionSummaries } from '../../sessions/chat-message-history.ts';
import type { Extractor } from '../../learning/extractor.ts';
import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { ChatMessage, StoredMessage } from '../../model/message.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { JobTicket } from '../../storage/job-store.ts';
import type { SummaryState } from '../../storage/summary-store.ts';
import { summariesOf } from './in-memory-summaries.ts';
import { oneAtATime } from '../../model/one-at-a-time.ts';
import { cutIntoPieces, type SummaryBatch } from './summary-batches.ts';
import { turnsBeyond } from '../../sessions/read-turns.ts';

export interface RunningSummaryOptions {
  readonly history: ChatMessageHistory;
  /** Which summary of the session it is. */
  readonly memoryId: string;
  readonly extractor: Extractor;
  /** Messages as the extractor reads them. */
  readonly toText: (messages: readonly ChatMessage[]) => string;
  /** What the extractor is asked to stay below, and how a longer reply is cut. @default no limit but the guard */
  readonly limit?: { readonly maxTokens: number; readonly shorten: (text: string) => Promise<string> };
  /** The queue in which the summary is made anew when it had to be erased. */
  readonly queue?: string;
  readonly onWarning: WarningListener | undefined;
}

/** A session as a prompt is made of it: nothing is missing, nothing is in both. */
export interface SummaryView {
  /** Empty where there is no summary. */
  readonly text: string;
  /** What it does not cover, in the order in which the turns ended. */
  readonly turns: readonly StoredMessage[][];
}

/** Chooses what to summarise of the turns not covered, oldest first: nothing, or batches that are a beginning of them. */
export type SummaryPlan = (turns: readonly StoredMessage[][]) => Promise<readonly SummaryBatch[]>;

export interface CoverOptions {
  /** The job that this is done for: ended with the summary, in one transaction. */
  readonly ticket?: JobTicket;
  /** Called when a batch is stored, with the number of messages of all batches stored by this call, and of all there are. */
  readonly onBatch?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * A summary of the beginning of a session, and a cursor to where it ends. The transcript is never touched: to prune is
 * to move the cursor, and the cursor moves in the transaction that stores the summary.
 */
export class RunningSummary {
  readonly #options: RunningSummaryOptions;
  readonly #summaries: SessionSummaries;

  constructor(options: RunningSummaryOptions) {
    this.#options = options;
    this.#summaries = summariesOf(options.history);
  }

  async view(signal?: AbortSignal): Promise<SummaryView> {
    const { text, turns } = await this.#read(signal);
    return { text, turns };
  }

  /**
   * Summarises what the plan says, one call at a time in this tab. Each batch is stored when it is there; the last one
   * ends the job. Where there is nothing to do, the job is left to whoever began it.
   */
  cover(plan: SummaryPlan, options: CoverOptions = {}): Promise<void> {
    const covering = this.#alone(async () => {
      // Messages that are erased meanwhile may be in the summary: then it is made again from what is left.
      while ((await this.#tryToCover(plan, options)) === 'erased');
    });
    return abortable(covering, options.signal);
  }

  /** As `cover`, but a failure is a warning and leaves everything as it was. Returns whether it went well. */
  async coverOrWarn(plan: SummaryPlan, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.cover(plan, signal ? { signal } : {});
      return true;
    } catch (cause) {
      signal?.throwIfAborted();
      this.warn(cause);
      return false;
    }
  }

  /** Tells that a summary could not be made. */
  warn(cause: unknown): void {
    this.#options.onWarning?.({
      code: 'enrichment-failed',
      message:
        'The summary could not be brought up to date: its turns stay as they are until it is tried again.',
      cause,
    });
  }

  /** Resolves when what has been begun is done. */
  async idle(): Promise<void> {
    await this.#alone(async () => undefined);
  }

  /** Removes the messages and the summary. */
  async clear(): Promise<void> {
    await this.#options.history.clear();
    await this.#summaries.remove(this.#options.memoryId);
  }

  #alone<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#options.history, `summary/${this.#options.memoryId}`, task);
  }

  // The summary first: turns that another tab covers meanwhile are then in both, and never in none.
  async #read(signal: AbortSignal | undefined): Promise<SummaryView & { state: SummaryState }> {
    const { history, memoryId } = this.#options;
    const state = await this.#summaries.load(memoryId, signal);
    const turns = await turnsBeyond(history, state.summary?.coversSeq ?? -1, signal);
    return { state, text: state.summary?.text ?? '', turns };
  }

  async #tryToCover(
    plan: SummaryPlan,
    { ticket, onBatch, signal }: CoverOptions,
  ): Promise<'done' | 'erased'> {
    signal?.throwIfAborted();
    const { state, turns, ...read } = await this.#read(signal);
    const batches = await plan(turns);
    const total = batches.reduce((sum, batch) => sum + batch.messages.length, 0);
    let { text } = read;
    let done = 0;
    for (const batch of batches) {
      text = await this.#extend(text, batch, signal);
      done += batch.messages.length;
      const step = ticket && done < total ? { ...ticket, goesOn: { doneTurnIds: [] } } : ticket;
      if (!(await this.#save(text, batch.coversSeq, state, step))) return 'erased';
      onBatch?.(done, total);
    }
    return 'done';
  }

  #save(
    text: string,
    coversSeq: number,
    state: SummaryState,
    ticket: JobTicket | undefined,
  ): Promise<boolean> {
    const { memoryId, queue } = this.#options;
    const summary = { text, coversSeq, ...(queue === undefined ? {} : { queue }) };
    return this.#summaries.save(memoryId, summary, state, ticket);
  }

  async #extend(before: string, batch: SummaryBatch, signal: AbortSignal | undefined): Promise<string> {
    const { extractor, toText, limit } = this.#options;
    let summary = before;
    for (const newLines of cutIntoPieces(toText(batch.messages), MAX_STEP_CHARACTERS)) {
      signal?.throwIfAborted();
      const request = {
        summary,
        newLines,
        ...(limit ? { maxTokens: limit.maxTokens } : {}),
        ...(signal ? { signal } : {}),
      };
      const reply = await abortable(extractor.summarize(request), signal);
      const text = String(reply).slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed().trim();
      summary = limit ? await limit.shorten(text) : text;
      if (summary === '') {
        throw new MnemoraError('llm-reply', 'The model answered with an empty summary. The old one is kept.');
      }
    }
    return summary;
  }
}

/** New lines of one call: about six thousand tokens, which any model has room for. */
export const MAX_STEP_CHARACTERS = 24_000;

/** A reply beyond this is no summary; cut all the same, because every later call and prompt holds it. */
const MAX_SUMMARY_CHARACTERS = 32_000;
