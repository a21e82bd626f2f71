import type { StoredMessage } from '../model/message.ts';
import { inTurnOrder, splitTurns } from '../model/turn.ts';
import type { SessionKey } from '../storage/schema.ts';
import type { TranscriptStore } from '../storage/transcript/transcript-store.ts';
import type { HistoryBackground, ListMessagesOptions } from './chat-message-history.ts';

/** Messages of one session that can be read backwards, page by page. Every chat history is a source. */
export interface TurnSource {
  list(options: ListMessagesOptions): Promise<StoredMessage[]>;
}

export interface ReadTurnsOptions {
  /** Number of messages read at once. @default 64, a few thousand tokens of chat */
  readonly pageSize?: number;
  /** Returns only turns whose last message has a sequence number above this. @default all */
  readonly afterSeq?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns one session of a transcript as a source of turns. */
export function sessionTurns(transcript: TranscriptStore, key: SessionKey): TurnSource {
  return { list: (options) => transcript.listMessages(key, options) };
}

/**
 * Yields the complete turns of a session as whole turns, newest first. Pages are read as they are needed: a caller
 * that stops early has read at most one page too many.
 *
 * Turns that are pending, failed, cancelled or replaced are skipped. A turn that consists of tool results only is
 * joined to the one before it.
 */
export async function* turnsNewestFirst(
  source: TurnSource,
  { pageSize: wanted = 64, afterSeq = -1, signal }: ReadTurnsOptions = {},
): AsyncGenerator<StoredMessage[], void, undefined> {
  const pageSize = Math.min(wanted, LARGEST_PAGE);
  let beforeSeq = Number.POSITIVE_INFINITY;
  // Turns that may begin on the next page, and the older turns of this page.
  let held: StoredMessage[] = [];
  for (;;) {
    const rows = await source.list({
      last: pageSize,
      ...(Number.isFinite(beforeSeq) ? { beforeSeq } : {}),
      ...(signal ? { signal } : {}),
    });
    // A history that does not support paging returns the same rows again.
    const page = rows.filter((row) => row.seq < beforeSeq);
    const isLast = page.length === 0 || rows.length < pageSize;
    beforeSeq = Math.min(beforeSeq, ...page.map((row) => row.seq));
    const turns = completeTurns([...page, ...held]);
    const whole = isLast ? 0 : firstWhole(turns, beforeSeq);
    for (const turn of turns.slice(whole).toReversed()) {
      if (lastSeq(turn) > afterSeq) yield turn;
    }
    const rest = turns.slice(0, whole);
    const isAll = beforeSeq <= afterSeq && rest.every((turn) => lastSeq(turn) <= afterSeq);
    if (isLast || isAll) return;
    held = rest.flat();
  }
}

/** Number of messages above which more are read in several pages: a caller may ask for any number of turns. */
const LARGEST_PAGE = 1024;

/** Returns the last `count` complete turns, oldest first. */
export async function recentTurns(
  source: TurnSource,
  count: number,
  signal?: AbortSignal,
): Promise<StoredMessage[][]> {
  const recent: StoredMessage[][] = [];
  if (count === 0) return recent;
  // Two messages for each turn, and the end of the turn before, which shows that the oldest turn is whole.
  for await (const turn of turnsNewestFirst(source, { pageSize: 2 * count + 2, signal })) {
    recent.unshift(turn);
    if (recent.length === count) break;
  }
  return recent;
}

/**
 * Returns the complete turns that a summary up to `coversSeq` does not cover, in the order in which they ended. Only
 * the end of a long history is read.
 *
 * A turn is covered if its last message is. A turn that began before the summary and ended after it is not covered,
 * and is returned whole. So the sequence number of the last message of a turn in the result is a valid `coversSeq`
 * for all turns up to it, even if tabs have interleaved their turns.
 */
export async function turnsBeyond(
  source: TurnSource,
  coversSeq: number,
  signal?: AbortSignal,
): Promise<StoredMessage[][]> {
  const turns: StoredMessage[][] = [];
  for await (const turn of turnsNewestFirst(source, { afterSeq: coversSeq, signal })) turns.push(turn);
  return turns.toSorted((a, b) => lastSeq(a) - lastSeq(b));
}

/** Returns the last `count` complete turns that had ended when the turn of this message began, oldest first. */
async function turnsBefore(
  transcript: TranscriptStore,
  scope: string,
  { sessionId, seq }: StoredMessage,
  count: number,
  signal: AbortSignal,
): Promise<StoredMessage[][]> {
  const before = await transcript.listMessages([scope, sessionId], {
    last: 8 * count,
    beforeSeq: seq,
    signal,
  });
  const complete = inTurnOrder(before.filter((message) => message.state === 'complete'));
  const turnIds = [...new Set(complete.map((message) => message.turnId))];
  const whole = await transcript.loadTurns(scope, turnIds, signal);
  // A turn that another tab was still answering was not known at that time.
  return whole.filter((turn) => lastSeq(turn) < seq).slice(-count);
}

/** Turns of one session, oldest first, and what they continue. */
export interface ContinuedTurns {
  readonly turns: readonly (readonly StoredMessage[])[];
  /** The turns before them. */
  readonly context: readonly (readonly StoredMessage[])[];
  /**
   * Ids of the turns that do not continue the turn before them, because something in between was forgotten: "scratch
   * that" is not about what came before that. @default none
   */
  readonly apart?: ReadonlySet<string>;
}

/** Returns turns with the last `count` turns that they continue. */
export async function withContext(
  transcript: TranscriptStore,
  scope: string,
  turns: readonly (readonly StoredMessage[])[],
  count: number,
  signal: AbortSignal,
): Promise<ContinuedTurns> {
  const [first] = turns[0] ?? [];
  const before = first ? await turnsBefore(transcript, scope, first, count, signal) : [];
  const all = [...before, ...turns];
  const areApart = await Promise.all(
    all.map((turn, at) => isApart(transcript, scope, all[at - 1]?.[0], turn[0], signal)),
  );
  const apart = all.flatMap(([message], at) => (message && areApart[at] ? message.turnId : []));
  return {
    turns,
    context: before.slice(Math.max(0, areApart.lastIndexOf(true, before.length))),
    apart: new Set(apart),
  };
}

/** Whether something was forgotten between two turns, or the beginning of the later one. Takes their first messages. */
async function isApart(
  transcript: TranscriptStore,
  scope: string,
  before: StoredMessage | undefined,
  next: StoredMessage | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (!before || !next) return false;
  if (next.role !== 'user') return true;
  const missing = next.turn - before.turn - 1;
  if (missing <= 0) return false;
  // Turns that failed or were replaced are still stored.
  const range = { afterSeq: before.seq, beforeSeq: next.seq, signal };
  const stored = await transcript.listMessages([scope, next.sessionId], range);
  const between = new Set(
    stored.map(({ turn }) => turn).filter((turn) => turn > before.turn && turn < next.turn),
  );
  return between.size < missing;
}

/** Some turns of a conversation, with their context. */
export interface Passage {
  /** The requested turns that still exist, oldest first. */
  readonly turns: readonly StoredMessage[][];
  /** All turns from `k` turns before the first requested one to the last requested one. */
  readonly window: readonly StoredMessage[][];
}

/** Limit of the backward search. Turns that lie further back were forgotten, or are too old to be read. */
const MOST_TURNS_READ = 500;

/**
 * Finds turns by their ids, reading backwards. Turns after the last one found are left out: they may come from
 * another tab, and the found turn could not refer to them. If the history does not store turn ids, its newest turns
 * are returned.
 */
export async function findPassage(
  history: TurnSource & { readonly background?: HistoryBackground },
  turnIds: readonly string[],
  k: number,
): Promise<Passage> {
  const wanted = new Set(turnIds);
  const turns: StoredMessage[][] = [];
  const window: StoredMessage[][] = [];
  let before = 0;
  let read = 0;
  for await (const turn of turnsNewestFirst(history, { pageSize: 2 * (k + turnIds.length) + 2 })) {
    const [first] = turn;
    const isWanted = first !== undefined && wanted.delete(first.turnId);
    if (isWanted) turns.unshift(turn);
    else if (wanted.size === 0) before += 1;
    if (turns.length > 0 && before <= k) window.unshift(turn);
    read += 1;
    if ((wanted.size === 0 && before >= k) || read >= MOST_TURNS_READ) break;
  }
  if (turns.length > 0 || history.background) {
    // More turns were read while a missing turn was searched for.
    const start = turns[0] ? window.indexOf(turns[0]) : 0;
    return { turns, window: window.slice(Math.max(0, start - k)) };
  }
  const newest = await recentTurns(history, k + turnIds.length);
  return { turns: newest.slice(-turnIds.length), window: newest };
}

/** Returns the messages of turns in the order in which the turns began: the order for a model. */
export function inReadingOrder(turns: readonly (readonly StoredMessage[])[]): StoredMessage[] {
  return turns.toSorted((a, b) => (a[0]?.turn ?? 0) - (b[0]?.turn ?? 0)).flat();
}

/** Returns the sequence number of the last message of a turn. */
export function lastSeq(turn: readonly StoredMessage[]): number {
  return Math.max(...turn.map((row) => row.seq));
}

/**
 * Returns the index of the first turn from which on all turns are known to be whole, if everything from `readTo` on
 * has been read.
 *
 * Turns are numbered in the order in which they begin, so the question that begins a turn shows that no later turn
 * begins before it, even if two tabs have interleaved their messages. Messages that are written together have
 * consecutive sequence numbers: if a message before the question has been read, nothing else of its turn comes first.
 */
function firstWhole(turns: readonly StoredMessage[][], readTo: number): number {
  const begun = turns.findIndex(([first]) => first?.role === 'user' && first.seq > readTo);
  return begun < 0 ? turns.length : begun;
}

function completeTurns(rows: readonly StoredMessage[]): StoredMessage[][] {
  const turns: StoredMessage[][] = [];
  for (const turn of splitTurns(inTurnOrder(rows.filter((row) => row.state === 'complete')))) {
    const before = turns.at(-1);
    if (before && turn.every((row) => row.role === 'tool')) before.push(...turn);
    else turns.push(turn);
  }
  return turns;
}
