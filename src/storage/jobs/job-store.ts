import type { JobRecord } from '../schema.ts';

/** The stored part of an error. */
export type JobError = NonNullable<JobRecord['error']>;

/** A job to queue in the transaction that stores a turn. */
export interface NewJob {
  queue: string;
  /** Debounce in milliseconds: the job waits this long for more turns of the session. @default 0 */
  delayMs?: number;
}

/** What a job is for. */
export interface JobOrigin {
  scope: string;
  sessionId: string;
  /** Empty for a job that concerns the session as a whole. */
  turnIds: readonly string[];
}

/** Permission of one term's leader to end a job. Void as soon as a later term has begun. */
export interface JobTicket {
  readonly jobId: number;
  readonly queue: string;
  readonly term: number;
  /** Set when this step does not finish the job: the job stays queued without the completed turns. */
  readonly partial?: { readonly doneTurnIds: readonly string[] };
}

/** Handler that asks for a job, and its network state. */
export interface JobTaker {
  /** Id of the handler. Jobs that its model has refused are not given to it. */
  readonly handler: string;
  /** If true, jobs that failed because of the network are not given to it. */
  readonly isOffline: boolean;
}

/** What happens to a failed job: it is tried again at a time, never, or by another handler only. */
export type AfterFailure = number | 'never' | { readonly refusedBy: string };

/** A job that a leader has claimed. */
export interface ClaimedJob {
  job: JobRecord;
  ticket: JobTicket;
}

/**
 * Stores the jobs of one database. Each method is one transaction. Methods with a term or ticket throw
 * `leadership-lost`, and change nothing, once another tab has begun a later term of the queue, because a tab that was
 * frozen in the middle of its work may be resumed long after.
 */
export interface JobStore {
  /** Name of the database, used in the names of locks and channels. */
  readonly name: string;
  /** Aborts when the database is closed in this tab, which then leads none of its queues. */
  readonly closed?: AbortSignal;
  /** Queues jobs outside of an append, and ends the job, if any, that queues them. */
  enqueue(jobs: readonly NewJob[], sources: readonly JobOrigin[], ticket?: JobTicket): Promise<void>;
  /** Begins a new term of a queue and returns its number, the fencing token. */
  beginTerm(queue: string): Promise<number>;
  /**
   * Claims the job of the queue that has been due for longest; undefined if none is due. A job that the leader of an
   * earlier term claimed and did not end is due at once.
   */
  claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined>;
  /** Removes a job without a result. A job with a result is removed by the store of the result. */
  finish(ticket: JobTicket): Promise<void>;
  /** Returns a job to the queue after a failure. */
  fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void>;
  /** Returns a job to the queue untried, because this leader yields. */
  release(ticket: JobTicket): Promise<void>;
  /** Lists jobs, oldest first, including dead ones. */
  list(queues?: readonly string[]): Promise<JobRecord[]>;
  /** Queues a dead or paused job again, and makes a waiting one due at once. Returns whether the job exists. */
  retry(jobId: number, now: number): Promise<boolean>;
}
