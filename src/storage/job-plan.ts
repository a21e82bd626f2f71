import { MnemoraError } from '../model/error.ts';
import type { JobTicket, NewJob } from './job-store.ts';
import type { JobRecord } from './schema.ts';

/** What was stored, and when by this machine's clock. */
export interface JobSource {
  scope: string;
  sessionId: string;
  /** Empty for work on the session as a whole. */
  turnIds: readonly string[];
  now: number;
}

/** No job is put back for longer after a failure. */
const LONGEST_PAUSE_MS = 3_600_000;
/** How many times its delay a job may be put off by further turns. */
const LONGEST_WAIT = 10;
/** A leader may have looked at its clock before it waited for the transaction that queued the job. */
const CLOCK_SLACK_MS = 60_000;

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
    // One that has failed waits for its next attempt, whatever is added.
    notBefore: waiting.attempts > 0 ? waiting.notBefore : putOff,
  };
}

/** The job that has been due for longest; undefined where none is due. */
export function chooseDue(jobs: readonly JobRecord[], term: number, now: number): JobRecord | undefined {
  return jobs
    .filter((job) => isDue(job, term, now))
    .toSorted((a, b) => a.notBefore - b.notBefore || a.id - b.id)[0];
}

function isDue(job: JobRecord, term: number, now: number): boolean {
  if (job.isDead) return false;
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
export function failed(
  job: JobRecord,
  error: { code: string; message: string },
  retryAt: number | 'never',
): JobRecord {
  const given = { ...released(job), attempts: job.attempts + 1, error };
  return retryAt === 'never' ? { ...given, isDead: true } : { ...given, notBefore: retryAt };
}

/** The job due now: alive again, if it was dead. */
export function dueNow(job: JobRecord, now: number): JobRecord {
  if (!job.isDead) return { ...job, notBefore: Math.min(job.notBefore, now) };
  const { isDead: _, error: __, ...alive } = job;
  return { ...alive, notBefore: now, attempts: 0 };
}

/**
 * What is left of a job of a session of which messages were erased; undefined where all its turns were.
 * What went wrong with it may quote them, so only the code of that is kept.
 */
export function withoutTurns(job: JobRecord, erasedTurnIds: ReadonlySet<string>): JobRecord | undefined {
  const turnIds = job.turnIds.filter((id) => !erasedTurnIds.has(id));
  if (turnIds.length === 0 && job.turnIds.length > 0) return undefined;
  return { ...job, turnIds, ...(job.error ? { error: { code: job.error.code, message: '' } } : {}) };
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
