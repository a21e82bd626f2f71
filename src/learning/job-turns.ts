import { timeSaid, type StoredMessage } from '../model/message.ts';
import type { JobStore, JobTicket } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';

/** Number of turns looked up at once. */
const SLICE_TURNS = 200;
/** Number of turns at either end of another job's list that are looked at to find its first turn. */
const EDGE_TURNS = 32;
/** After this many failures of a job, those of other sessions no longer wait for it. */
const AWAITED_FAILURES = 3;

/** A learning job, and what is needed to compare it with other jobs. */
export interface JobTurnsOptions {
  readonly jobs: JobStore;
  readonly transcript: Pick<TranscriptStore, 'loadTurns'>;
  readonly job: JobRecord;
  readonly ticket: JobTicket;
  readonly signal: AbortSignal;
}

/**
 * The turns of a job that can be learned from now, in the order in which they ended, and how to continue afterwards.
 *
 * What is learned from a turn depends on what is known by then. So turns are processed in the order in which they
 * ended, both at first and in a rebuild: always within a session, and across sessions as long as nothing fails but the
 * storage for a moment. A turn that waits for its answer cannot be learned from, and does not hold up those that end
 * before it.
 */
export interface JobTurns {
  readonly turnIds: readonly string[];
  /** Whether these are all turns of the job. */
  readonly isAll: boolean;
  /**
   * Call it when these turns are done but not all. Ends the job, and queues the remaining turns after the job to wait
   * for.
   */
  putBack(): Promise<void>;
}

export async function turnsOfJob({
  jobs,
  transcript,
  job,
  ticket,
  signal,
}: JobTurnsOptions): Promise<JobTurns> {
  const { scope, sessionId, queue } = job;
  const lastOf = (turnIds: readonly string[]): Promise<StoredMessage[]> =>
    lastMessages(transcript, scope, turnIds, signal);
  const own = await lastOf(job.turnIds);
  const waiting = (await jobs.list([queue])).filter(
    (other) => other.sessionId !== sessionId && (isUntried(other) || lostItsStorage(other)),
  );
  // Turns that were put back are listed after those that were added in the meantime.
  const edges = waiting.map(({ turnIds }) => [
    ...new Set([...turnIds.slice(0, EDGE_TURNS), ...turnIds.slice(-EDGE_TURNS)]),
  ]);
  const found = await lastOf(edges.flat());
  const byTurn = new Map(found.map((message) => [message.turnId, message]));
  // Only the first turn of each job is compared, so that one of two jobs always goes first, even if the clock was set
  // back within a session.
  const firsts = edges.flatMap((turnIds) => {
    const ended = turnIds.flatMap((turnId) => byTurn.get(turnId) ?? []);
    return ended.toSorted((a, b) => a.seq - b.seq)[0] ?? [];
  });
  const stop = own.findIndex((turn) => firsts.some((first) => compare(first, turn) < 0));
  const [now, later] = stop < 0 ? [own, []] : [own.slice(0, stop), own.slice(stop)];
  return {
    turnIds: now.map(({ turnId }) => turnId),
    isAll: later.length === 0,
    putBack: async () => {
      const time = Date.now();
      // The storage works again.
      for (const other of waiting.filter(lostItsStorage)) await jobs.retry(other.id, time);
      const delayMs = Math.max(0, ...waiting.filter(isUntried).map(({ notBefore }) => notBefore - time + 1));
      const turnIds = later.map(({ turnId }) => turnId);
      await jobs.enqueue([{ queue, delayMs }], [{ scope, sessionId, turnIds }], ticket);
    },
  };
}

/**
 * Moves the turns of a job to an earlier job of the same session that failed and waits for its retry, and ends this
 * job, so that they are learned from after the earlier turns.
 *
 * @returns whether the turns were moved, so that there is nothing to do now
 */
export async function joinEarlierJob(jobs: JobStore, job: JobRecord, ticket: JobTicket): Promise<boolean> {
  const { id, queue, scope, sessionId, turnIds } = job;
  const isEarlier = (other: JobRecord): boolean =>
    other.sessionId === sessionId && other.id < id && !other.isDead && other.turnIds.length > 0;
  if (turnIds.length === 0 || !(await jobs.list([queue])).some(isEarlier)) return false;
  await jobs.enqueue([{ queue }], [{ scope, sessionId, turnIds }], ticket);
  return true;
}

/** Failed jobs are not waited for, because their backoff can take an hour. */
function isUntried({ isDead, attempts }: JobRecord): boolean {
  return !isDead && attempts === 0;
}

/** Such a job can be tried again at once, because what waits for it has been read from the same storage. */
function lostItsStorage({ isDead, attempts, error }: JobRecord): boolean {
  return (
    !isDead && attempts > 0 && attempts <= AWAITED_FAILURES && error?.code.startsWith('storage-') === true
  );
}

/** Returns the last message of each turn that still exists, in the order in which the turns of a session ended. */
async function lastMessages(
  transcript: JobTurnsOptions['transcript'],
  scope: string,
  turnIds: readonly string[],
  signal: AbortSignal,
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (let at = 0; at < turnIds.length; at += SLICE_TURNS) {
    const turns = await transcript.loadTurns(scope, turnIds.slice(at, at + SLICE_TURNS), signal);
    found.push(...turns.flatMap((turn) => turn.at(-1) ?? []));
  }
  return found.toSorted((a, b) => a.seq - b.seq);
}

/** Negative if a turn ended before one of another session, by the last message of each. */
function compare(one: StoredMessage, other: StoredMessage): number {
  return timeSaid(one) - timeSaid(other) || (one.sessionId < other.sessionId ? -1 : 1);
}
