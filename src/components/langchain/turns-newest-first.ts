import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { StoredMessage } from '../../model/message.ts';
import { splitTurns } from '../../model/turn.ts';

/**
 * The complete turns of a history, newest first, read page by page as they are asked for: who stops early has read
 * what it took and at most one page more.
 *
 * Turns that are pending, failed or cancelled are passed over. A turn of nothing but tool results goes with the one
 * before it.
 */
export async function* turnsNewestFirst(
  history: ChatMessageHistory,
  pageSize: number,
): AsyncGenerator<StoredMessage[], void, undefined> {
  let beforeSeq = Number.POSITIVE_INFINITY;
  // The beginning of the oldest turn read may lie on the next page.
  let unfinished: StoredMessage[] = [];
  for (;;) {
    const rows = await history.list({
      last: pageSize,
      ...(Number.isFinite(beforeSeq) ? { beforeSeq } : {}),
    });
    // A history that does not know paging gives the same rows again.
    const page = rows.filter((row) => row.seq < beforeSeq);
    const isLast = page.length === 0 || rows.length < pageSize;
    const turns = groupTurns([...page, ...unfinished].filter((row) => row.state === 'complete'));
    unfinished = isLast ? [] : (turns.shift() ?? []);
    yield* turns.toReversed();
    if (isLast) return;
    beforeSeq = Math.min(...page.map((row) => row.seq));
  }
}

function groupTurns(rows: StoredMessage[]): StoredMessage[][] {
  // Two tabs may write turns at the same time: their rows interleave, their turn numbers do not.
  const ordered = rows.toSorted((a, b) => a.turn - b.turn || a.seq - b.seq);
  const turns: StoredMessage[][] = [];
  for (const turn of splitTurns(ordered)) {
    const before = turns.at(-1);
    if (before && turn.every((row) => row.role === 'tool')) before.push(...turn);
    else turns.push(turn);
  }
  return turns;
}
