import type { StoredMessage } from '../model/message.ts';
import type { JobStore, JobTicket } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';

/** Turns that are looked up in one go. */
const SLICE_TURNS = 200;
/** Turns at either end of another job's list, among which its first one is. */
const EDGE_TURNS = 32;

/** What a job has to do with turns, and how others stand to it. */
export interface JobTurnsOptions {
  readonly jobs: JobStore;
  readonly transcript: Pick<TranscriptStore, 'loadTurns'>;
  readonly job: JobRecord;
  readonly ticket: JobTicket;
  readonly signal: AbortSignal;
}

/**
 * The turns of a job that it is the turn of, in the order in which they were begun, and what to do when they are done.
 *
 * What is learned from a turn depends on what is known by then. So turns are learned from in the order in which they
 * were said, when they are learned from for the first time as when all is rebuilt: those of one session always, and
 * those of several sessions while nothing fails.
 */
export interface JobTurns {
  readonly turnIds: readonly string[];
  /** Whether the job has no more turns than these. */
  readonly isAll: boolean;
  /** To be called when the turns are done and they are not all: queues the others behind what goes first. Ends the job. */
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
  const own = await beginnings(transcript, job.turnIds, signal);
  // Those that have failed are not waited for: that may take an hour.
  const waiting = (await jobs.list([queue])).filter(
    (other) => other.sessionId !== sessionId && !other.isDead && other.attempts === 0,
  );
  // Turns that were put back stand behind those that came meanwhile.
  const edges = waiting.map(({ turnIds }) => [
    ...new Set([...turnIds.slice(0, EDGE_TURNS), ...turnIds.slice(-EDGE_TURNS)]),
  ]);
  const found = await beginnings(transcript, edges.flat(), signal);
  const byTurn = new Map(found.map((message) => [message.turnId, message]));
  // Of each job only the turn that it begins with counts, so that of two jobs one always goes first: the clock may have
  // been set back within a session.
  const firsts = edges.flatMap((turnIds) => {
    const begun = turnIds.flatMap((turnId) => byTurn.get(turnId) ?? []);
    return begun.toSorted((a, b) => a.turn - b.turn)[0] ?? [];
  });
  const end = own.findIndex((turn) => firsts.some((first) => compare(first, turn) < 0));
  const [now, later] = end < 0 ? [own, []] : [own.slice(0, end), own.slice(end)];
  return {
    turnIds: now.map(({ turnId }) => turnId),
    isAll: later.length === 0,
    putBack: async () => {
      const delayMs = Math.max(0, ...waiting.map(({ notBefore }) => notBefore - Date.now() + 1));
      const turnIds = later.map(({ turnId }) => turnId);
      await jobs.enqueue([{ queue, delayMs }], [{ scope, sessionId, turnIds }], ticket);
    },
  };
}

/**
 * A job that has failed waits, and later turns of its session are in a job of their own meanwhile. That one ends, and its
 * turns are added to those that wait, so that they are learned from after them.
 *
 * @returns whether the turns were added to an earlier job, so that there is nothing to do now
 */
export async function joinEarlierJob(jobs: JobStore, job: JobRecord, ticket: JobTicket): Promise<boolean> {
  const { id, queue, scope, sessionId, turnIds } = job;
  const isEarlier = (other: JobRecord): boolean =>
    other.sessionId === sessionId && other.id < id && !other.isDead && other.turnIds.length > 0;
  if (turnIds.length === 0 || !(await jobs.list([queue])).some(isEarlier)) return false;
  await jobs.enqueue([{ queue }], [{ scope, sessionId, turnIds }], ticket);
  return true;
}

/** The first message of each of these turns that is still there, in the order of the turns of their session. */
async function beginnings(
  transcript: JobTurnsOptions['transcript'],
  turnIds: readonly string[],
  signal: AbortSignal,
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (let at = 0; at < turnIds.length; at += SLICE_TURNS) {
    const turns = await transcript.loadTurns(turnIds.slice(at, at + SLICE_TURNS), signal);
    found.push(...turns.flatMap(([first]) => first ?? []));
  }
  return found.toSorted((a, b) => a.turn - b.turn);
}

/** Negative where the turn that one message begins was said before that of the other, in another session. */
function compare(one: StoredMessage, other: StoredMessage): number {
  return one.createdAt - other.createdAt || (one.sessionId < other.sessionId ? -1 : 1);
}
