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

/** A job to queue, what it is for, and the time by this machine's clock. */
export interface JobRequest extends NewJob, JobOrigin {
  now: number;
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

/** Longest debounce, as a multiple of the delay. */
const LONGEST_WAIT = 10;
/** Tolerance for a leader that read its clock before it waited for the transaction that queued the job. */
const CLOCK_SLACK_MS = 60_000;
/** Longest plausible wait after a failure. A longer one is an effect of a changed clock. */
const LONGEST_PAUSE_MS = 3_600_000 + CLOCK_SLACK_MS;
/** Number of refusing handlers to remember. Older ones are gone with their tabs. */
const MOST_REFUSALS = 20;

/**
 * Returns the row that queues a job for some turns: a waiting job of the same queue, with these turns added and its
 * start debounced, or a new one without an id. A leader stores nothing when it begins a job, so any job that is due may
 * be running. Its end removes only the turns that the leader has seen.
 *
 * @param known the jobs of the session
 * @param term the current term of the queue
 */
export function planJob(
  { queue, delayMs = 0, scope, sessionId, turnIds, now }: JobRequest,
  known: readonly JobRecord[],
  term: number,
): JobRecord | Omit<JobRecord, 'id'> {
  const waiting = known.find(
    (job) =>
      job.queue === queue &&
      !job.isDead &&
      // A leader of an earlier version removes all turns of the job that it has leased.
      job.lease !== term &&
      // A job for the whole session is not done by one that reads some turns only.
      (job.turnIds.length === 0) === (turnIds.length === 0),
  );
  if (!waiting) {
    const notBefore = now + delayMs;
    return { queue, scope, sessionId, turnIds: [...turnIds], createdAt: now, notBefore, attempts: 0 };
  }
  const all = new Set([...waiting.turnIds, ...turnIds]);
  const job = { ...waiting, turnIds: [...all] };
  if (all.size < waiting.turnIds.length + Math.max(1, turnIds.length)) job.repeats = (job.repeats ?? 0) + 1;
  const putOff = (since: number): number => Math.min(now + delayMs, since + LONGEST_WAIT * delayMs);
  if (waiting.notBefore <= now) {
    const { createdAt } = waiting.later ?? { createdAt: now };
    return { ...job, later: { createdAt, notBefore: putOff(createdAt) } };
  }
  // A new turn after a failure brings the next attempt forward, because it may succeed by now.
  const next = waiting.attempts > 0 ? Math.min(waiting.notBefore, now + delayMs) : putOff(waiting.createdAt);
  return { ...job, notBefore: next };
}

/** Returns the job that has been due for longest, or undefined if none is due. */
export function chooseDue(jobs: readonly JobRecord[], now: number, taker?: JobTaker): JobRecord | undefined {
  return jobs
    .filter((job) => isDue(job, now, taker))
    .toSorted((a, b) => a.notBefore - b.notBefore || a.id - b.id)[0];
}

/** Returns whether this taker must not start the job, whatever the time. */
export function isHeldBack(job: JobRecord, taker: JobTaker | undefined): boolean {
  if (job.isDead) return true;
  if (isPaused(job) && (!taker || job.refusedBy?.includes(taker.handler))) return true;
  return taker?.isOffline === true && job.error?.kind === 'network';
}

/** Returns whether a model has refused the job, so that it waits for another one. */
export function isPaused({ isDead, refusedBy }: JobRecord): boolean {
  return !isDead && refusedBy !== undefined && refusedBy.length > 0;
}

/** Returns whether the job waits for its next attempt after a failure that passes by itself. */
export function waitsToRetry({ isDead, attempts, refusedBy, error }: JobRecord): boolean {
  const isPassing = error?.kind === 'network' || error?.kind === 'passing';
  return !isDead && attempts > 0 && !refusedBy && isPassing;
}

function isDue(job: JobRecord, now: number, taker: JobTaker | undefined): boolean {
  if (isHeldBack(job, taker)) return false;
  // A job created in the future was made before the clock was set back, so its start time is meaningless.
  const isFromFuture = job.createdAt > now + CLOCK_SLACK_MS;
  return job.notBefore <= now || isFromFuture || (job.attempts > 0 && job.notBefore > now + LONGEST_PAUSE_MS);
}

/** What a leader saw of a job when it claimed it. */
interface Claimed {
  readonly turnIds: readonly string[];
  readonly repeats?: number | undefined;
}

/** Rows to store in place of a job. Those without an id are new jobs. */
export type JobRows = readonly (JobRecord | Omit<JobRecord, 'id'>)[];

/**
 * Returns what is left of a job when a leader has done what it claimed, or some of these turns if more steps follow.
 * Turns that were added in the meantime get a job of their own when all others are done.
 */
export function withoutDone(
  job: JobRecord,
  claimed: Claimed,
  { doneTurnIds }: { readonly doneTurnIds?: readonly string[] } = {},
): JobRows {
  // What was queued again in the meantime may not have been seen.
  if (job.repeats !== claimed.repeats) return [job];
  const seen = new Set(claimed.turnIds);
  const turnIds = job.turnIds.filter((id) => !seen.has(id));
  const left = doneTurnIds && job.turnIds.filter((id) => !doneTurnIds.includes(id));
  if (left && left.length > turnIds.length) return [{ ...job, turnIds: left }];
  const { queue, scope, sessionId, later = job } = job;
  const { createdAt, notBefore } = later;
  return [
    ...(left ? [{ ...job, turnIds: [] }] : []),
    ...(turnIds.length > 0 ? [{ queue, scope, sessionId, turnIds, createdAt, notBefore, attempts: 0 }] : []),
  ];
}

/** Returns the job after a failed attempt. */
export function failed(job: JobRecord, error: JobError, next: AfterFailure): JobRecord {
  const { refusedBy = [], later: _, ...free } = job;
  const given: JobRecord = { ...free, attempts: job.attempts + 1, error };
  if (error.kind === 'lasting') given.lastingFailures = (job.lastingFailures ?? 0) + 1;
  if (next === 'never') return { ...given, isDead: true };
  if (typeof next === 'number') return { ...given, notBefore: next };
  return { ...given, refusedBy: [...refusedBy, next.refusedBy].slice(-MOST_REFUSALS) };
}

/** Returns what to store of a job that failed. Turns that were not tried are not given up with it. */
export function withFailure(job: JobRecord, claimed: Claimed, error: JobError, next: AfterFailure): JobRows {
  const [untried] = withoutDone(job, { ...claimed, repeats: job.repeats });
  if (next !== 'never' || !untried) return [failed(job, error, next)];
  const turnIds = job.turnIds.filter((id) => !untried.turnIds.includes(id));
  return [failed({ ...job, turnIds }, error, next), untried];
}

/** Returns the job due now: a paused one for all handlers, a dead one with all attempts left. */
export function dueNow(job: JobRecord, now: number): JobRecord {
  const { refusedBy: _, ...free } = job;
  if (!job.isDead) return { ...free, notBefore: Math.min(job.notBefore, now) };
  const { isDead: __, error: ___, lastingFailures: ____, ...alive } = free;
  return { ...alive, notBefore: now, attempts: 0 };
}

/**
 * Returns what remains of a job after messages of its session were erased, or undefined if all its turns were. Only
 * the code of its error is kept, because the message may quote them.
 */
export function withoutTurns(job: JobRecord, erasedTurnIds: ReadonlySet<string>): JobRecord | undefined {
  const turnIds = job.turnIds.filter((id) => !erasedTurnIds.has(id));
  if (turnIds.length === 0 && job.turnIds.length > 0) return undefined;
  return { ...job, turnIds, ...(job.error ? { error: { ...job.error, message: '' } } : {}) };
}
