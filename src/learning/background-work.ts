import { runnerFor, type JobRunner } from '../jobs/job-runner.ts';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import type { ChatMessageHistory, HistoryBackground } from '../sessions/chat-message-history.ts';
import { type JobStore, type JobTicket, jobsOf } from '../storage/jobs/job-store.ts';
import type { NewJob } from '../storage/jobs/job-plan.ts';
import type { JobRecord } from '../storage/schema.ts';
import { DEFAULT_SCOPE } from '../model/scope.ts';

export interface BackgroundWorkOptions {
  /** Name of the component, for error and warning messages. */
  readonly component: string;
  readonly history: ChatMessageHistory;
  /** Returns the queue name of a session, such as `summary/summary` or `facts`. */
  readonly queueOf: (sessionId: string) => string;
  /** @param isWanted whether the job still exists */
  readonly handler: (
    job: JobRecord,
    ticket: JobTicket,
    signal: AbortSignal,
    isWanted: () => Promise<boolean>,
  ) => Promise<void>;
  /** Warning messages for a failure that is retried, and for a job that is given up. */
  readonly messages: { readonly failed: string; readonly dead: string };
  readonly onWarning: WarningListener;
}

/** Turns stored within this time are debounced into one job. */
const COALESCE_MS = 1000;

/** Background work on the turns of one session, done by the tab that leads its queue. */
export class BackgroundWork {
  readonly queue: string;
  readonly #background: HistoryBackground;
  readonly #jobs: JobStore;
  readonly #runner: JobRunner;
  readonly #onWarning: WarningListener;
  readonly #stop: readonly (() => unknown)[];

  /** @throws MnemoraError `invalid-option` for a history that cannot queue work; `storage-closed` */
  constructor({ component, history, queueOf, handler, messages, onWarning }: BackgroundWorkOptions) {
    const { background } = history;
    if (!background) {
      throw new MnemoraError(
        'invalid-option',
        `${component} can work in the background only with a chat history from a database. Pass chatHistory: database.chatHistory(sessionId), or set enrichment: 'inline'.`,
      );
    }
    this.#background = background;
    const { scope, sessionId } = background;
    const queue = queueOf(sessionId);
    // Each scope has its own sessions. The names of the default scope are those of the sessions.
    this.queue = scope === DEFAULT_SCOPE ? queue : `${queue}/${scope}`;
    const jobs = jobsOf(background.engine);
    this.#onWarning = onWarning;
    this.#jobs = jobs;
    this.#runner = runnerFor(jobs);
    this.#stop = [
      this.#runner.handle(this.queue, async (job, ticket, signal) => {
        try {
          await handler(job, ticket, signal, () => jobs.isQueued(ticket));
        } catch (cause) {
          const isOver = cause instanceof MnemoraError && cause.code === 'leadership-lost';
          if (!signal.aborted && !isOver) {
            onWarning({ code: 'learning-failed', message: messages.failed, cause });
          }
          throw cause;
        }
      }),
      this.#runner.onEvent(({ type, job, cause }) => {
        if (type !== 'dead' || job.queue !== this.queue) return;
        onWarning({ code: 'job-dead', message: messages.dead, cause });
      }),
    ];
  }

  /** Returns the job to store together with a turn. */
  newJobs(): NewJob[] {
    return [{ queue: this.queue, delayMs: COALESCE_MS }];
  }

  /** Queues a turn that is already stored. */
  async enqueue(turnId: string): Promise<void> {
    const { scope, sessionId, engine } = this.#background;
    const session = await engine.read(['sessions'], (transaction) =>
      transaction.objectStore('sessions').getKey([scope, sessionId]),
    );
    if (session) await this.#jobs.enqueue(this.newJobs(), [{ scope, sessionId, turnIds: [turnId] }]);
  }

  /** Call it after a turn was stored. */
  wake(): void {
    this.#runner.wake();
  }

  /** Whether there are no jobs, including jobs that were given up. */
  async isEmpty(): Promise<boolean> {
    return (await this.#jobs.list([this.queue])).length === 0;
  }

  /** Resolves when the database contains no job that this tab could do. */
  async settled(): Promise<void> {
    // Erasures queue jobs without notifying the runner.
    this.#runner.wake();
    const left = await this.#runner.settled();
    if (this.#runner.stalled(left).some((job) => job.queue === this.queue)) {
      const message =
        'The background work is no longer waited for, because it has stored nothing for minutes.';
      this.#onWarning({ code: 'work-stalled', message });
    }
  }

  /** Stops working on the queue and releases the job in progress to other tabs. */
  async close(): Promise<void> {
    await Promise.all(this.#stop.map((stop) => stop()));
  }
}
