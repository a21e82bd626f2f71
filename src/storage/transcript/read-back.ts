import type { StoredMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';

/** How far back a session is read. */
export interface SessionReach {
  /** Not to this sequence number or below. */
  readonly afterSeq: number;
  /** Tells, of the complete messages read so far and the turns that they are of, whether that is enough. */
  isEnough(turnIds: readonly string[], messages: readonly StoredMessage[]): boolean;
}

/** The messages of one session, within one transaction. */
export interface SessionPages {
  /** The newest messages between two sequence numbers, both excluded, oldest first. */
  page(afterSeq: number, beforeSeq: number, limit: number): Promise<StoredMessage[]>;
  /** All messages of a turn. */
  turn(turnId: string): Promise<StoredMessage[]>;
}

const PAGE_MESSAGES = 64;

/**
 * The newest complete turns of a session, turn after turn, oldest first. Reads backwards, page by page, until there is
 * enough; each turn is whole.
 */
export async function readBack(
  pages: SessionPages,
  { afterSeq, isEnough }: SessionReach,
): Promise<StoredMessage[]> {
  let messages: StoredMessage[] = [];
  for (;;) {
    const page = await pages.page(afterSeq, messages[0]?.seq ?? Infinity, PAGE_MESSAGES);
    messages = [...page, ...messages];
    const complete = inTurnOrder(messages.filter((message) => message.state === 'complete'));
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    const isAll = page.length < PAGE_MESSAGES;
    if (isAll && afterSeq < 0) return complete;
    if (isAll || isEnough(turnIds, complete)) return wholeTurns(pages, complete, turnIds);
  }
}

/**
 * Reads those turns once more, each as a whole, that may have been read in part: the oldest, and, where two tabs answer
 * at the same time, others of which the question is missing.
 */
async function wholeTurns(
  pages: SessionPages,
  messages: readonly StoredMessage[],
  turnIds: readonly string[],
): Promise<StoredMessage[]> {
  const read = new Map(turnIds.map((id) => [id, messages.filter((message) => message.turnId === id)]));
  const torn = turnIds.filter((id, position) => position === 0 || read.get(id)?.[0]?.role !== 'user');
  const whole = await Promise.all(torn.map((id) => pages.turn(id)));
  for (const [position, id] of torn.entries()) read.set(id, whole[position] ?? []);
  return [...read.values()].flat();
}
