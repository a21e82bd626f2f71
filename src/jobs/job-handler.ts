import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';

/**
 * Does a job. Each of its effects is stored in one transaction that checks the ticket, and the last one removes the
 * job; one that had nothing to store is removed when the handler resolves. Where it rejects, it is called again later.
 *
 * @param signal aborts when this tab no longer leads, or is closing; the job is then given back untried
 */
export type JobHandler = (job: JobRecord, ticket: JobTicket, signal: AbortSignal) => Promise<void>;

export interface HandleOptions {
  /** Begin no job while the tab is hidden. @default false */
  pauseWhenHidden?: boolean;
  /** Begin no job while the browser is offline. @default false */
  pauseWhenOffline?: boolean;
  /** Called each time that this tab begins to lead the queue: another one may be gone. */
  onLead?: () => void;
}

/**
 * `failed`: it will be tried again at `job.notBefore`. `paused`: the model refused it, and it waits for another one, or
 * for the database to be opened again. `dead`: it was given up, and waits to be retried by hand. `retried`: it is due
 * again earlier than it was.
 */
export type JobEventType = 'started' | 'done' | 'failed' | 'paused' | 'dead' | 'retried';

/** A change of a job. Sent in the tab where it happens. */
export interface JobEvent {
  type: JobEventType;
  /** As it is stored now. */
  job: JobRecord;
  /** What the handler threw. */
  cause?: unknown;
}

export type JobEventListener = (event: JobEvent) => void;
