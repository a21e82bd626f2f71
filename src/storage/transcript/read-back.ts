import type { StoredMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';

/** Limit for reading a session backwards. */
export interface SessionReach {
  /** Reads only messages with a sequence number above this. */
  readonly afterSeq: number;
  /** Returns whether the complete messages read so far, and their turns, are enough. */
  isEnough(turnIds: readonly string[], messages: readonly StoredMessage[]): boolean;
}

/** Pages of one session's messages, within one transaction. */
export interface SessionPages {
  /** Returns the newest messages between two sequence numbers, both excluded, oldest first. */
  page(afterSeq: number, beforeSeq: number, limit: number): Promise<StoredMessage[]>;
  /** Returns all messages of a turn. */
  turn(turnId: string): Promise<StoredMessage[]>;
}

const PAGE_MESSAGES = 64;

/**
 * Returns the newest complete turns of a session, turn by turn, oldest first. Reads backwards, page by page, until
 * there are enough turns; each turn is whole.
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
 * Reads turns again as a whole that may have been read in part: the oldest one and, if two tabs answered at the same
 * time, others whose question is missing.
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
