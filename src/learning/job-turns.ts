import type { StoredMessage } from '../model/message.ts';
import type { JobStore, JobTicket } from '../storage/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import type { TranscriptStore } from '../storage/transcript-store.ts';

/** Turns that are looked up in one go. */
const SLICE_TURNS = 200;

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
  const others = (await jobs.list([queue])).filter(
    (other) => other.id !== job.id && !other.isDead && other.turnIds.length > 0,
  );
  const requeue = async (turnIds: readonly string[], delayMs: number): Promise<void> => {
    if (turnIds.length > 0) await jobs.enqueue([{ queue, delayMs }], [{ scope, sessionId, turnIds }], ticket);
  };
  // One that has failed waits, while later turns of its session are in a job of their own: they join it.
  if (others.some((other) => other.sessionId === sessionId && other.id < job.id)) {
    return { turnIds: [], isAll: false, putBack: () => requeue(job.turnIds, 0) };
  }
  const own = await beginnings(transcript, job.turnIds, signal);
  const waiting = others.filter((other) => other.sessionId !== sessionId && other.attempts === 0);
  const firsts = await beginnings(
    transcript,
    waiting.flatMap(({ turnIds }) => turnIds.slice(0, 1)),
    signal,
  );
  const end = own.findIndex((turn) => firsts.some((first) => compare(first, turn) < 0));
  const turnIds = (end < 0 ? own : own.slice(0, end)).map((first) => first.turnId);
  const rest = end < 0 ? [] : own.slice(end).map((first) => first.turnId);
  const startOf = Math.max(0, ...waiting.map(({ notBefore }) => notBefore - Date.now() + 1));
  return { turnIds, isAll: rest.length === 0, putBack: () => requeue(rest, startOf) };
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
