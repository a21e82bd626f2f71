import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';

/**
 * Does a job. Each of its effects is stored in one transaction that checks the ticket, and the last of these removes
 * the job; a job that had nothing to store is removed when the handler resolves. If the handler rejects, it is called
 * again later.
 *
 * @param signal aborts when this tab loses the leadership or closes; the job then returns to the queue, and this does
 *   not count as an attempt
 * @param progressed call it after each step of a long job, because callers do not wait forever for a job that
 *   makes no progress
 */
export type JobHandler = (
  job: JobRecord,
  ticket: JobTicket,
  signal: AbortSignal,
  progressed: () => void,
) => Promise<void>;

export interface HandleOptions {
  /** Starts no job while the tab is hidden. @default false */
  pauseWhenHidden?: boolean;
  /** Starts no job while the browser is offline. @default false */
  pauseWhenOffline?: boolean;
  /** Called each time this tab becomes the leader of the queue. The previous leader may have crashed. */
  onLead?: () => void;
}

/**
 * What happened to a job. Sent in the tab where it happens.
 *
 * `failed`: it will be tried again at `job.notBefore`. `paused`: the model refused it, and it waits for another model
 * or for the database to be opened again. `dead`: it was given up, and waits for a manual retry. `retried`: it is due
 * earlier than before.
 */
export type JobEventType = 'started' | 'done' | 'failed' | 'paused' | 'dead' | 'retried';

/** A change of a job. Sent in the tab where it happens. */
export interface JobEvent {
  type: JobEventType;
  /** The job as it is stored now. */
  job: JobRecord;
  /** The error that the handler threw. */
  cause?: unknown;
}

export type JobEventListener = (event: JobEvent) => void;
