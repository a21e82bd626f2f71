import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { StoredMessage } from '../../model/message.ts';
import { splitTurns } from '../../model/turn.ts';

/**
 * The complete turns that a summary up to `coversSeq` does not cover, in the order in which they ended. Of a long
 * history only the end is read.
 *
 * A turn is covered when its last message is. One that was begun before the summary and went on after it counts as not
 * covered, and comes whole. So the first so many turns of the result are covered by the `seq` of the last message of
 * these, whatever turns other tabs wrote between them.
 */
export async function turnsBeyond(
  history: ChatMessageHistory,
  coversSeq: number,
  signal?: AbortSignal,
): Promise<StoredMessage[][]> {
  const rows: StoredMessage[] = [];
  let beforeSeq = Number.POSITIVE_INFINITY;
  for (;;) {
    const found = await history.list({
      last: PAGE_SIZE,
      ...(Number.isFinite(beforeSeq) ? { beforeSeq } : {}),
      ...(signal ? { signal } : {}),
    });
    // A history that does not know paging gives the same rows again.
    const page = found.filter((row) => row.seq < beforeSeq);
    rows.unshift(...page);
    const isLast = page.length === 0 || found.length < PAGE_SIZE;
    if (isLast || isAllRead(rows, page, coversSeq)) return selectTurns(rows, coversSeq);
    beforeSeq = Math.min(...page.map((row) => row.seq));
  }
}

/** Turns in the order in which they were begun: how a model is to read them. */
export function inReadingOrder(turns: readonly (readonly StoredMessage[])[]): StoredMessage[] {
  return turns.toSorted((a, b) => (a[0]?.turn ?? 0) - (b[0]?.turn ?? 0)).flat();
}

/** The sequence number of the last message of a turn. */
export function lastSeq(turn: readonly StoredMessage[]): number {
  return Math.max(...turn.map((row) => row.seq));
}

/** Messages read at once: a few thousand tokens of chat. */
const PAGE_SIZE = 64;

/** So many rows of older turns show that no turn reaches further back: two tabs seldom write that many in between. */
const MARGIN = 8;

/** Whether the page reaches back beyond all turns that are not covered, and the one before, whose tool results they may hold. */
function isAllRead(
  rows: readonly StoredMessage[],
  page: readonly StoredMessage[],
  coversSeq: number,
): boolean {
  const beyond = rows.filter((row) => row.seq > coversSeq);
  const oldestTurn = Math.min(...beyond.map((row) => row.turn));
  const isOlder = (row: StoredMessage): boolean => row.seq <= coversSeq && row.turn < oldestTurn - 1;
  return page.length >= MARGIN && page.slice(0, MARGIN).every(isOlder);
}

function selectTurns(rows: readonly StoredMessage[], coversSeq: number): StoredMessage[][] {
  const complete = rows
    .filter((row) => row.state === 'complete')
    .toSorted((a, b) => a.turn - b.turn || a.seq - b.seq);
  return joinToolResults(splitTurns(complete))
    .filter((turn) => lastSeq(turn) > coversSeq)
    .toSorted((a, b) => lastSeq(a) - lastSeq(b));
}

/** A turn of nothing but tool results goes with the one before it. */
function joinToolResults(turns: readonly StoredMessage[][]): StoredMessage[][] {
  const joined: StoredMessage[][] = [];
  for (const turn of turns) {
    const before = joined.at(-1);
    if (before && turn.every((row) => row.role === 'tool')) before.push(...turn);
    else joined.push(turn);
  }
  return joined;
}
