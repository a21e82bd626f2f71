import type { JobRecord } from '../schema.ts';

/** What is kept of a failure. */
export type JobError = NonNullable<JobRecord['error']>;

/** Work to queue in the transaction that stores a turn. */
export interface NewJob {
  queue: string;
  /** Milliseconds to wait for more of the same session, counted from the newest turn. @default 0 */
  delayMs?: number;
}

/** What work is about. */
export interface JobOrigin {
  scope: string;
  sessionId: string;
  /** Empty for work on the session as a whole. */
  turnIds: readonly string[];
}

/** The right to end a job: that of the leader of one term, while no later leader has begun. */
export interface JobTicket {
  readonly jobId: number;
  readonly queue: string;
  readonly term: number;
  /**
   * The job has more steps than the one that this ticket is handed in with: it is not to be removed yet, and is rid of
   * these turns, which that step has done.
   */
  readonly goesOn?: { readonly doneTurnIds: readonly string[] };
}

/** Who asks for work, where it matters. */
export interface JobTaker {
  /** Names the handler: what its model has refused is not for it. */
  readonly handler: string;
  /** Work that failed for want of a network is then not taken. */
  readonly isOffline: boolean;
}

/**
 * What becomes of a job that has failed: it is tried again at a time, or never by itself, or by no handler but
 * another one.
 */
export type AfterFailure = number | 'never' | { readonly refusedBy: string };

/** A job that a leader has taken. */
export interface ClaimedJob {
  job: JobRecord;
  ticket: JobTicket;
}

/**
 * The jobs of one database. Each method is one transaction. Whatever takes a term or a ticket throws
 * `leadership-lost`, and changes nothing, once another tab has begun a later term of the queue: a tab that was frozen
 * in the middle of its work may wake up long after.
 */
export interface JobStore {
  /** Names the database: locks and channels of its queues carry it. */
  readonly name: string;
  /** Aborts when the database is closed in this tab, which then leads none of its queues. */
  readonly closed?: AbortSignal;
  /** Queues work that comes with no turn, and ends the job, if any, whose work it is to queue it. */
  enqueue(jobs: readonly NewJob[], sources: readonly JobOrigin[], ticket?: JobTicket): Promise<void>;
  /** Begins to lead a queue, and numbers the term. */
  beginTerm(queue: string): Promise<number>;
  /**
   * Takes the job of the queue that has been due for longest; undefined where none is due. A job that an earlier
   * term's leader took and did not end is due at once.
   */
  claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined>;
  /** Removes the job: there was nothing to do. A result is stored, and its job removed, by the store of the result. */
  finish(ticket: JobTicket): Promise<void>;
  /** Gives a job back after a failure. */
  fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void>;
  /** Gives a job back untried, because this leader yields. */
  release(ticket: JobTicket): Promise<void>;
  /** Oldest first; dead ones included. */
  list(queues?: readonly string[]): Promise<JobRecord[]>;
  /** Queues a dead or paused job again, and makes one that waits due at once. Returns whether it was there. */
  retry(jobId: number, now: number): Promise<boolean>;
}
