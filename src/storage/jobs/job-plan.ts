import { MnemoraError } from '../../model/error.ts';
import type { AfterFailure, JobError, JobTaker, JobTicket, NewJob } from './job-store.ts';
import type { JobRecord } from '../schema.ts';

/** What was stored, and when by this machine's clock. */
export interface JobSource {
  scope: string;
  sessionId: string;
  /** Empty for work on the session as a whole. */
  turnIds: readonly string[];
  now: number;
}

/** How many times its delay a job may be put off by further turns. */
const LONGEST_WAIT = 10;
/** A leader may have looked at its clock before it waited for the transaction that queued the job. */
const CLOCK_SLACK_MS = 60_000;
/** No job is put back for longer after a failure, by whatever clock. */
const LONGEST_PAUSE_MS = 3_600_000 + CLOCK_SLACK_MS;
/** Of handlers that have refused a job only the newest are remembered: older ones are gone with their tabs. */
const MOST_REFUSALS = 20;

/**
 * The row that queues work for some turns: a job of the same queue that waits already, with these turns added and its
 * start put off again, or a new one, which has no id yet. What the leader of the present term is working on takes no
 * further turns: it would end with turns that nobody has looked at.
 *
 * @param known the jobs of the session
 * @param term the present term of the queue
 */
export function planJob(
  { queue, delayMs = 0 }: NewJob,
  { scope, sessionId, turnIds, now }: JobSource,
  known: readonly JobRecord[],
  term: number,
): JobRecord | Omit<JobRecord, 'id'> {
  const waiting = known.find(
    (job) =>
      job.queue === queue &&
      !job.isDead &&
      (job.lease === undefined || job.lease !== term) &&
      // Work on a whole session would not be done by one that looks at some turns only.
      (job.turnIds.length === 0) === (turnIds.length === 0),
  );
  if (!waiting) {
    const notBefore = now + delayMs;
    return { queue, scope, sessionId, turnIds: [...turnIds], createdAt: now, notBefore, attempts: 0 };
  }
  const putOff = Math.min(now + delayMs, waiting.createdAt + LONGEST_WAIT * delayMs);
  return {
    ...waiting,
    turnIds: [...new Set([...waiting.turnIds, ...turnIds])],
    // A turn that comes after a failure brings the next attempt forward: by now it may go well.
    notBefore: waiting.attempts > 0 ? Math.min(waiting.notBefore, now + delayMs) : putOff,
  };
}

/** The job that has been due for longest; undefined where none is due. */
export function chooseDue(
  jobs: readonly JobRecord[],
  term: number,
  now: number,
  taker?: JobTaker,
): JobRecord | undefined {
  return jobs
    .filter((job) => isDue(job, term, now, taker))
    .toSorted((a, b) => a.notBefore - b.notBefore || a.id - b.id)[0];
}

/** Whether a job is not to be begun by this taker, whatever the time. */
export function isHeldBack(job: JobRecord, taker: JobTaker | undefined): boolean {
  if (job.isDead) return true;
  if (isPaused(job) && (!taker || job.refusedBy?.includes(taker.handler))) return true;
  return taker?.isOffline === true && job.error?.kind === 'network';
}

/** Whether a model has refused the job, so that it waits for another one. */
export function isPaused({ isDead, refusedBy }: JobRecord): boolean {
  return !isDead && refusedBy !== undefined && refusedBy.length > 0;
}

/** Whether the job waits for its next attempt after a failure that passes. */
export function waitsToPass({ isDead, lease, attempts, refusedBy, error }: JobRecord): boolean {
  const isPassing = error?.kind === 'network' || error?.kind === 'passing';
  return !isDead && lease === undefined && attempts > 0 && !refusedBy && isPassing;
}

function isDue(job: JobRecord, term: number, now: number, taker: JobTaker | undefined): boolean {
  if (isHeldBack(job, taker)) return false;
  if (job.lease !== undefined) return job.lease !== term;
  // A job of the future was made before the clock was set back, and its start means nothing any more.
  return job.notBefore <= now || job.createdAt > now + CLOCK_SLACK_MS || isBackTooLate(job, now);
}

function isBackTooLate(job: JobRecord, now: number): boolean {
  return job.attempts > 0 && job.notBefore > now + LONGEST_PAUSE_MS;
}

/** What is left of a job when the step of this ticket is done; undefined where that was all. */
export function afterStep(job: JobRecord, { goesOn }: JobTicket): JobRecord | undefined {
  if (!goesOn) return undefined;
  return { ...job, turnIds: job.turnIds.filter((id) => !goesOn.doneTurnIds.includes(id)) };
}

/** The job given back untried. */
export function released(job: JobRecord): JobRecord {
  const { lease: _, ...free } = job;
  return free;
}

/** The job given back after a failure. */
export function failed(job: JobRecord, error: JobError, next: AfterFailure): JobRecord {
  const { refusedBy = [], ...free } = released(job);
  const given: JobRecord = { ...free, attempts: job.attempts + 1, error };
  if (error.kind === 'lasting') given.lastingFailures = (job.lastingFailures ?? 0) + 1;
  if (next === 'never') return { ...given, isDead: true };
  if (typeof next === 'number') return { ...given, notBefore: next };
  return { ...given, refusedBy: [...refusedBy, next.refusedBy].slice(-MOST_REFUSALS) };
}

/** The job due now: for all handlers, if it was paused, and tried afresh, if it was dead. */
export function dueNow(job: JobRecord, now: number): JobRecord {
  const { refusedBy: _, ...free } = job;
  if (!job.isDead) return { ...free, notBefore: Math.min(job.notBefore, now) };
  const { isDead: __, error: ___, lastingFailures: ____, ...alive } = free;
  return { ...alive, notBefore: now, attempts: 0 };
}

/**
 * What is left of a job of a session of which messages were erased; undefined where all its turns were.
 * What went wrong with it may quote them, so only the code of that is kept.
 */
export function withoutTurns(job: JobRecord, erasedTurnIds: ReadonlySet<string>): JobRecord | undefined {
  const turnIds = job.turnIds.filter((id) => !erasedTurnIds.has(id));
  if (turnIds.length === 0 && job.turnIds.length > 0) return undefined;
  return { ...job, turnIds, ...(job.error ? { error: { ...job.error, message: '' } } : {}) };
}

/** @throws MnemoraError `leadership-lost` unless this is the present term of the queue */
export function requireTerm(queue: string, term: number, present: number): void {
  if (term !== present) throw lost(queue);
}

/**
 * The job of a ticket; undefined where what it was about was forgotten.
 *
 * @throws MnemoraError `leadership-lost` where it was given back, or taken by another leader
 */
export function requireLease(ticket: JobTicket, job: JobRecord | undefined): JobRecord | undefined {
  if (job && job.lease !== ticket.term) throw lost(ticket.queue);
  return job;
}

function lost(queue: string): MnemoraError {
  return new MnemoraError(
    'leadership-lost',
    `Another tab has taken over the background work "${queue}". Leave it to that tab; nothing was changed.`,
  );
}
