import type { ChatMessageHistory, HistoryBackground } from '../../sessions/chat-message-history.ts';
import { runnerFor, type JobRunner } from '../../jobs/job-runner.ts';
import { MnemoraError } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { JobTicket, NewJob } from '../../storage/job-store.ts';

export interface BackgroundTurnsOptions {
  readonly component: string;
  /** What is learned: part of the name of the queue, one a session. */
  readonly learns: 'entities' | 'facts';
  readonly history: ChatMessageHistory;
  readonly onWarning: WarningListener | undefined;
  /** Reads turns, and stores with the ticket what it learns. */
  readonly read: (turnIds: readonly string[], ticket: JobTicket, signal: AbortSignal) => Promise<void>;
}

/** Has turns read in the background, by whichever tab leads the queue of the session. */
export class BackgroundTurns {
  readonly #queue: string;
  readonly #runner: JobRunner;
  readonly #background: HistoryBackground;

  /** @throws MnemoraError `invalid-option` over a history that cannot queue work */
  constructor({ component, learns, history, onWarning, read }: BackgroundTurnsOptions) {
    const { background } = history;
    if (!background) {
      throw new MnemoraError(
        'invalid-option',
        `${component} can learn in the background only over the history of a database: pass chatHistory: database.chatHistory(sessionId), or enrichment: 'inline'.`,
      );
    }
    this.#background = background;
    this.#queue = `${learns}/${background.sessionId}`;
    this.#runner = runnerFor(background.jobs);
    this.#runner.handle(this.#queue, async (job, ticket, signal) => {
      try {
        await read(job.turnIds, ticket, signal);
      } catch (cause) {
        const isOver = cause instanceof MnemoraError && cause.code === 'leadership-lost';
        if (!signal.aborted && !isOver) {
          onWarning?.({
            code: 'enrichment-failed',
            message: `Turns were stored, but their ${learns} were not found yet.`,
            cause,
          });
        }
        throw cause;
      }
    });
    this.#runner.onEvent(({ type, job, cause }) => {
      if (type !== 'dead' || job.queue !== this.#queue) return;
      const message = `The ${learns} of some turns could not be found in several attempts: a retry by hand tries again.`;
      onWarning?.({ code: 'job-dead', message, cause });
    });
  }

  /** The job to store with a turn. */
  newJobs(): NewJob[] {
    return [{ queue: this.#queue, delayMs: COALESCE_MS }];
  }

  /** Queues a turn that is stored already. */
  async enqueue(turnId: string): Promise<void> {
    await this.#background.enqueue(this.newJobs(), [turnId]);
  }

  /** To be called when a turn was stored. */
  wake(): void {
    this.#runner.wake();
  }

  /** Resolves when nothing is queued in the database that this tab could do. */
  settled(): Promise<void> {
    return this.#runner.settled();
  }
}

/** Turns that follow each other within this time are read by one call. */
const COALESCE_MS = 1000;
