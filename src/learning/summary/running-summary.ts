import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { StoredMessage, TokenCounts } from '../../model/message.ts';
import { oneAtATime } from '../../model/named-queue.ts';
import type { SessionSummaries } from '../../sessions/chat-message-history.ts';
import { turnsBeyond, type TurnSource } from '../../sessions/read-turns.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import type { SummaryState } from '../../storage/summary-store.ts';
import type { Extractor } from '../extractor.ts';
import { batchTurns, cutIntoPieces, MAX_STEP_CHARACTERS, type SummaryBatch } from './summary-batches.ts';
import type { SummaryPolicy } from './summary-policy.ts';
import { withoutForgotten } from './without-forgotten.ts';

export interface RunningSummaryOptions {
  /** Provides the messages of the session. */
  readonly source: TurnSource;
  readonly summaries: SessionSummaries;
  /** Identifies the summary among those of the session. */
  readonly memoryId: string;
  readonly extractor: Pick<Extractor, 'summarize'>;
  readonly policy: SummaryPolicy;
  /** Returns the messages as the text that the extractor reads. */
  readonly toText: (messages: readonly StoredMessage[]) => string;
  /** Token limit for the extractor, and the function that cuts longer replies. @default only a safety limit */
  readonly limit?: { readonly maxTokens: number; readonly shorten?: (text: string) => Promise<string> };
  /** Counts the tokens of a summary; the counts are stored with it. */
  readonly countText?: (text: string) => TokenCounts;
  /** Whether an empty summary is valid. @default false: an empty summary is an error of the model */
  readonly mayBeEmpty?: boolean;
  /** The queue that makes the summary again if it had to be erased. */
  readonly queue?: string;
}

/** A session as it appears in a prompt: the summary, and the turns that it does not cover. */
export interface SummaryView {
  /** Empty if there is no summary. */
  readonly text: string;
  /** The turns that the summary does not cover, in the order in which they ended. */
  readonly turns: readonly StoredMessage[][];
}

export interface CoverOptions {
  /** The job to end in the transaction that stores the last batch. */
  readonly ticket?: JobTicket;
  /** Called before the work is repeated because messages were erased in the meantime. @default always repeated */
  readonly isWanted?: () => Promise<boolean>;
  /** Splits turns into batches, one call each. @default whole turns, up to what any model can take */
  readonly batch?: (turns: readonly StoredMessage[][]) => readonly SummaryBatch[];
  /** Called after a batch is stored, with the number of messages stored by this call so far, and their total number. */
  readonly onBatch?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * A summary of the beginning of a session, and the cursor up to which it covers the session. Messages are never
 * removed: the cursor moves, in the transaction that stores the summary.
 */
export class RunningSummary {
  readonly #options: RunningSummaryOptions;

  constructor(options: RunningSummaryOptions) {
    this.#options = options;
  }

  async view(signal?: AbortSignal): Promise<SummaryView> {
    const { text, turns } = await this.#read(signal);
    return { text, turns };
  }

  /**
   * Summarizes the turns that the policy selects, one call at a time in this tab. Each batch is stored when it is
   * done; the last one ends the job. If there is nothing to do, the job is left to the caller.
   *
   * @returns the number of messages summarized
   */
  cover(options: CoverOptions = {}): Promise<number> {
    const covering = this.#exclusively(async () => {
      for (;;) {
        const covered = await this.#tryToCover(options);
        // If messages were erased in the meantime, the summary may contain them: it is made again from the rest.
        if (covered !== 'erased') return covered;
        if (options.isWanted && !(await options.isWanted())) return 0;
      }
    });
    return abortable(covering, options.signal);
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    await this.#exclusively(async () => undefined);
  }

  #exclusively<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#options.summaries, this.#options.memoryId, task);
  }

  // Reads the summary first: turns that another tab covers in the meantime then appear in both rather than in
  // neither.
  async #read(signal: AbortSignal | undefined): Promise<SummaryView & { state: SummaryState }> {
    const { source, summaries, memoryId } = this.#options;
    const state = await summaries.load(memoryId, signal);
    const turns = await turnsBeyond(source, state.summary?.coversSeq ?? -1, signal);
    return { state, text: state.summary?.text ?? '', turns };
  }

  async #tryToCover({ ticket, onBatch, signal, ...options }: CoverOptions): Promise<number | 'erased'> {
    signal?.throwIfAborted();
    const { policy } = this.#options;
    const { batch = (turns) => this.#batches(turns) } = options;
    const { state, turns, ...read } = await this.#read(signal);
    const batches = (await policy(turns)).flatMap((step) => batch(step));
    const total = batches.reduce((sum, { messages }) => sum + messages.length, 0);
    let { text } = read;
    let done = 0;
    for (const { messages, coversSeq } of batches) {
      text = await this.#extend(text, messages, signal);
      done += messages.length;
      const step = ticket && done < total ? { ...ticket, partial: { doneTurnIds: [] } } : ticket;
      if (!(await this.#save(text, coversSeq, state, step))) return 'erased';
      onBatch?.(done, total);
    }
    return done;
  }

  #batches(turns: readonly StoredMessage[][]): SummaryBatch[] {
    const { toText } = this.#options;
    return batchTurns(turns, { characters: MAX_STEP_CHARACTERS }, (turn) => toText(turn).length);
  }

  #save(
    text: string,
    coversSeq: number,
    state: SummaryState,
    ticket: JobTicket | undefined,
  ): Promise<boolean> {
    const { summaries, memoryId, queue, countText } = this.#options;
    const summary = {
      text,
      coversSeq,
      ...(queue === undefined ? {} : { queue }),
      ...(countText ? { tokens: countText(text) } : {}),
    };
    return summaries.save(memoryId, summary, state, ticket);
  }

  async #extend(
    before: string,
    messages: readonly StoredMessage[],
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { extractor, toText, limit, mayBeEmpty = false, summaries } = this.#options;
    const forgotten = (await summaries.forgotten?.(messages.map(({ id }) => id))) ?? [];
    const told = messages.map((message) => withoutForgotten(message, forgotten));
    let summary = before;
    for (const newLines of cutIntoPieces(toText(told), MAX_STEP_CHARACTERS)) {
      signal?.throwIfAborted();
      // Turns without readable text, such as recalled text only, are covered by the summary as it is.
      if (newLines.trim() === '') continue;
      const request = {
        summary,
        newLines,
        ...(limit ? { maxTokens: limit.maxTokens } : {}),
        ...(signal ? { signal } : {}),
      };
      const reply = await abortable(extractor.summarize(request), signal);
      const text = String(reply).slice(0, MAX_SUMMARY_CHARACTERS).toWellFormed().trim();
      summary = limit?.shorten ? await limit.shorten(text) : text;
      if (summary === '' && !mayBeEmpty) {
        throw new MnemoraError(
          'llm-reply',
          'The model returned an empty summary. The previous summary was kept.',
        );
      }
    }
    return summary;
  }
}

/** Safety limit for all summaries, because every later call and prompt contains the summary. */
const MAX_SUMMARY_CHARACTERS = 32_000;
