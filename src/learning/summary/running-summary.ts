import { abortable } from '../../model/abortable.ts';
import { MnemoraError } from '../../model/error.ts';
import type { StoredMessage, TokenCounts } from '../../model/message.ts';
import { oneAtATime } from '../../model/one-at-a-time.ts';
import type { SessionSummaries } from '../../sessions/chat-message-history.ts';
import { turnsBeyond, type TurnSource } from '../../sessions/read-turns.ts';
import type { JobTicket } from '../../storage/jobs/job-store.ts';
import type { SummaryState } from '../../storage/summary-store.ts';
import type { Extractor } from '../extractor.ts';
import { batchTurns, cutIntoPieces, MAX_STEP_CHARACTERS, type SummaryBatch } from './summary-batches.ts';
import type { SummaryPolicy } from './summary-policy.ts';
import { withoutForgotten } from './without-forgotten.ts';

export interface RunningSummaryOptions {
  /** The messages of the session. */
  readonly source: TurnSource;
  readonly summaries: SessionSummaries;
  /** Which summary of the session it is. */
  readonly memoryId: string;
  readonly extractor: Pick<Extractor, 'summarize'>;
  readonly policy: SummaryPolicy;
  /** Messages as the extractor reads them. */
  readonly toText: (messages: readonly StoredMessage[]) => string;
  /** What the extractor is asked to stay below, and how a longer reply is cut. @default no limit but the guard */
  readonly limit?: { readonly maxTokens: number; readonly shorten?: (text: string) => Promise<string> };
  /** Counts a summary, so that the counts are stored with it. */
  readonly countText?: (text: string) => TokenCounts;
  /** Whether there may be nothing to say of what was said. @default no: an empty summary is an error of the model */
  readonly mayBeEmpty?: boolean;
  /** The queue in which the summary is made again when it had to be erased. */
  readonly queue?: string;
}

/** A session as a prompt is made of it: nothing is missing, nothing is in both. */
export interface SummaryView {
  /** Empty where there is no summary. */
  readonly text: string;
  /** What it does not cover, in the order in which the turns ended. */
  readonly turns: readonly StoredMessage[][];
}

export interface CoverOptions {
  /** The job that this is done for: ended with the summary, in one transaction. */
  readonly ticket?: JobTicket;
  /** Asked before it is done again, because messages were erased meanwhile. @default yes */
  readonly isWanted?: () => Promise<boolean>;
  /** Cuts turns into what one step takes in. @default whole turns, up to what any model has room for */
  readonly batch?: (turns: readonly StoredMessage[][]) => readonly SummaryBatch[];
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

  constructor(options: RunningSummaryOptions) {
    this.#options = options;
  }

  async view(signal?: AbortSignal): Promise<SummaryView> {
    const { text, turns } = await this.#read(signal);
    return { text, turns };
  }

  /**
   * Summarizes what the policy says, one call at a time in this tab. Each batch is stored when it is there; the last one
   * ends the job. Where there is nothing to do, the job is left to whoever began it.
   *
   * @returns the number of messages summarized
   */
  cover(options: CoverOptions = {}): Promise<number> {
    const covering = this.#alone(async () => {
      for (;;) {
        const covered = await this.#tryToCover(options);
        // Messages that are erased meanwhile may be in the summary: then it is made again from what is left.
        if (covered !== 'erased') return covered;
        if (options.isWanted && !(await options.isWanted())) return 0;
      }
    });
    return abortable(covering, options.signal);
  }

  /** Resolves when what has been begun is done. */
  async idle(): Promise<void> {
    await this.#alone(async () => undefined);
  }

  #alone<R>(task: () => Promise<R>): Promise<R> {
    return oneAtATime(this.#options.summaries, this.#options.memoryId, task);
  }

  // The summary first: turns that another tab covers meanwhile are then in both, and never in none.
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
      // Turns of which nothing is to be read, such as those of recalled text alone, are covered by what there is.
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
        throw new MnemoraError('llm-reply', 'The model answered with an empty summary. The old one is kept.');
      }
    }
    return summary;
  }
}

/** A reply beyond this is no summary; cut all the same, because every later call and prompt holds it. */
const MAX_SUMMARY_CHARACTERS = 32_000;
