import { runnerFor, type JobRunner } from '../jobs/job-runner.ts';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import type { ChatMessageHistory, HistoryBackground } from '../sessions/chat-message-history.ts';
import type { JobStore, JobTicket, NewJob } from '../storage/jobs/job-store.ts';
import { jobsOf } from '../storage/jobs/jobs.ts';
import type { JobRecord } from '../storage/schema.ts';

export interface BackgroundWorkOptions {
  /** Who wants it done, for messages to the developer. */
  readonly component: string;
  readonly history: ChatMessageHistory;
  /** Names the queue within the session: `summary/summary`, `facts`. */
  readonly queueOf: (sessionId: string) => string;
  /** @param isWanted whether the job is still there */
  readonly handler: (
    job: JobRecord,
    ticket: JobTicket,
    signal: AbortSignal,
    isWanted: () => Promise<boolean>,
  ) => Promise<void>;
  /** What is told when the work has failed and is tried again, and when it is given up. */
  readonly messages: { readonly failed: string; readonly dead: string };
  readonly onWarning: WarningListener | undefined;
}

/** Whether a job is still there: it goes with all that it was about, and its work then ends without a word. */
export async function isStillQueued(jobs: JobStore, { queue, jobId }: JobTicket): Promise<boolean> {
  return (await jobs.list([queue])).some(({ id }) => id === jobId);
}

/** Turns that follow each other within this time are one job. */
const COALESCE_MS = 1000;

/** Work on the turns of one session, done in the background by whichever tab leads its queue. */
export class BackgroundWork {
  readonly queue: string;
  readonly #background: HistoryBackground;
  readonly #jobs: JobStore;
  readonly #runner: JobRunner;
  readonly #stop: readonly (() => unknown)[];

  /** @throws MnemoraError `invalid-option` over a history that cannot queue work; `storage-closed` */
  constructor({ component, history, queueOf, handler, messages, onWarning }: BackgroundWorkOptions) {
    const { background } = history;
    if (!background) {
      throw new MnemoraError(
        'invalid-option',
        `${component} can work in the background only over the history of a database: pass chatHistory: database.chatHistory(sessionId), or enrichment: 'inline'.`,
      );
    }
    this.#background = background;
    this.queue = queueOf(background.sessionId);
    const jobs = jobsOf(background.engine);
    this.#jobs = jobs;
    this.#runner = runnerFor(jobs);
    this.#stop = [
      this.#runner.handle(this.queue, async (job, ticket, signal) => {
        try {
          await handler(job, ticket, signal, () => isStillQueued(jobs, ticket));
        } catch (cause) {
          const isOver = cause instanceof MnemoraError && cause.code === 'leadership-lost';
          if (!signal.aborted && !isOver) {
            onWarning?.({ code: 'enrichment-failed', message: messages.failed, cause });
          }
          throw cause;
        }
      }),
      this.#runner.onEvent(({ type, job, cause }) => {
        if (type !== 'dead' || job.queue !== this.queue) return;
        onWarning?.({ code: 'job-dead', message: messages.dead, cause });
      }),
    ];
  }

  /** The job to store with a turn. */
  newJobs(): NewJob[] {
    return [{ queue: this.queue, delayMs: COALESCE_MS }];
  }

  /** Queues a turn that is stored already. */
  async enqueue(turnId: string): Promise<void> {
    const { engine, sessionId } = this.#background;
    const session = await engine.read(['sessions'], (transaction) =>
      transaction.objectStore('sessions').get(sessionId),
    );
    if (session)
      await this.#jobs.enqueue(this.newJobs(), [{ scope: session.scope, sessionId, turnIds: [turnId] }]);
  }

  /** To be called when a turn was stored. */
  wake(): void {
    this.#runner.wake();
  }

  /** Whether no job is there, not even one that has failed too often. */
  async isEmpty(): Promise<boolean> {
    return (await this.#jobs.list([this.queue])).length === 0;
  }

  /** Resolves when nothing is queued in the database that this tab could do. */
  settled(): Promise<void> {
    // Nobody has told the runner of what an erasure has queued.
    this.#runner.wake();
    return this.#runner.settled();
  }

  /** Leaves the queue to others: gives back the job under way. */
  async close(): Promise<void> {
    await Promise.all(this.#stop.map((stop) => stop()));
  }
}
