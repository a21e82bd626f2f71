import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { runnerFor, type JobRunner } from '../../jobs/job-runner.ts';
import { MnemoraError } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { JobStore, NewJob } from '../../storage/job-store.ts';
import type { RunningSummary, SummaryPlan } from './running-summary.ts';

/** Has a summary made in the background, by whichever tab leads its queue. */
export class SummaryQueue {
  readonly name: string;
  readonly #jobs: JobStore;
  readonly #runner: JobRunner;
  readonly #onWarning: WarningListener | undefined;

  /** @throws MnemoraError `invalid-option` over a history that cannot queue work */
  constructor(
    component: string,
    history: ChatMessageHistory,
    memoryId: string,
    onWarning: WarningListener | undefined,
  ) {
    const { background } = history;
    if (!background) {
      throw new MnemoraError(
        'invalid-option',
        `${component} can summarise in the background only over the history of a database: pass chatHistory: database.chatHistory(sessionId), or enrichment: 'inline'.`,
      );
    }
    this.name = `summary/${background.sessionId}/${memoryId}`;
    this.#jobs = background.jobs;
    this.#runner = runnerFor(background.jobs);
    this.#onWarning = onWarning;
  }

  /** Serves the queue as long as the database is open in this tab. */
  serve(summary: RunningSummary, plan: SummaryPlan): void {
    this.#runner.handle(this.name, async (_job, ticket, signal) => {
      try {
        await summary.cover(plan, { ticket, signal });
      } catch (cause) {
        const isOver = cause instanceof MnemoraError && cause.code === 'leadership-lost';
        if (!signal.aborted && !isOver) summary.warn(cause);
        throw cause;
      }
    });
    this.#runner.onEvent(({ type, job, cause }) => {
      if (type !== 'dead' || job.queue !== this.name) return;
      this.#onWarning?.({
        code: 'job-dead',
        message:
          'The summary could not be made in several attempts: the next turn, or a retry by hand, tries again.',
        cause,
      });
    });
  }

  /** The job to store with a turn. */
  newJobs(): NewJob[] {
    return [{ queue: this.name, delayMs: COALESCE_MS }];
  }

  /** To be called when a turn was stored. */
  wake(): void {
    this.#runner.wake();
  }

  /** Whether no job is there, not even one that has failed too often. */
  async isEmpty(): Promise<boolean> {
    return (await this.#jobs.list([this.name])).length === 0;
  }

  /** Resolves when nothing is queued in the database that this tab could do. */
  settled(): Promise<void> {
    // What an erasure has queued nobody has told the runner.
    this.#runner.wake();
    return this.#runner.settled();
  }
}

/** Turns that follow each other within this time are summarised by one call. */
const COALESCE_MS = 1000;
