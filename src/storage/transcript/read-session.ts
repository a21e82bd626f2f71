import type { StoredMessage } from '../../model/message.ts';
import { inTurnOrder } from '../../model/turn.ts';
import { between } from '../key-range.ts';
import { getEach, MOST_ROWS } from '../rows.ts';
import type { Change, MessageRecord, SessionKey, SessionRecord, SummaryRecord } from '../schema.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';

export interface ListOptions {
  last?: number;
  beforeSeq?: number;
  /** Returns only messages with a sequence number above this. */
  afterSeq?: number;
  signal?: AbortSignal | undefined;
}

/** Limit for reading a session backwards. */
export interface SessionReach {
  /** Reads only messages with a sequence number above this. */
  readonly afterSeq: number;
  /** Returns whether the complete messages read so far are enough. */
  isEnough(messages: readonly StoredMessage[]): boolean;
}

/** The part of a session to read. */
export interface SessionQuery {
  /** Id of the memory whose summary is read. */
  memoryId: string;
  /** Returns how far back to read for the given summary, or undefined to read no messages. */
  reach: (summary: SummaryRecord | undefined) => SessionReach | undefined;
  signal?: AbortSignal | undefined;
}

export interface SessionSnapshot {
  session: SessionRecord | undefined;
  /** Undefined if there is no summary, or if it was erased. */
  summary: SummaryRecord | undefined;
  /** Number of times that messages of the session were erased. */
  erasures: number;
  /** Messages of whole complete turns, turn by turn, oldest first. */
  messages: StoredMessage[];
}

/** Number of messages that are read at once where it is not known how many are needed. */
export const PAGE_MESSAGES = 64;

/**
 * Reads everything that a request for a session is made from, in one transaction. Writes nothing. A session that was
 * never written to has neither row nor messages.
 */
export function readSession(
  engine: StorageEngine,
  key: SessionKey,
  { memoryId, reach, signal }: SessionQuery,
): Promise<SessionSnapshot> {
  const read = async (transaction: Transaction): Promise<SessionSnapshot> => {
    const state = await readSummary(transaction, key, memoryId);
    const back = reach(state.summary);
    return { ...state, messages: back ? await readBack(transaction, key, back) : [] };
  };
  return engine.read(['sessions', 'summaries', 'messages'], read, signal);
}

/** Reads a session, a summary of it, and how often messages of it were erased. */
export async function readSummary(
  transaction: Transaction,
  key: SessionKey,
  memoryId: string,
): Promise<Omit<SessionSnapshot, 'messages'>> {
  const [session, summary] = await Promise.all([
    transaction.objectStore('sessions').get(key),
    transaction.objectStore('summaries').get([...key, memoryId]),
  ]);
  return { session, summary, erasures: session?.erasures ?? 0 };
}

/** Returns the newest messages of a session between two sequence numbers, oldest first. */
export async function listNewest(
  transaction: Transaction,
  key: SessionKey,
  { last = Infinity, beforeSeq = Infinity, afterSeq = -1 }: ListOptions,
): Promise<MessageRecord[]> {
  const store = transaction.objectStore('messages');
  if (afterSeq + 1 >= beforeSeq) return [];
  const range = sessionRange(key, beforeSeq, afterSeq);
  if (last === Infinity) return store.getAll(range);
  if (last === 0) return [];
  // The newest rows are located by their keys, so that only the returned rows are read.
  const from = (await store.lastKey(range, Math.min(last - 1, MOST_ROWS))) ?? [...key, afterSeq + 1];
  return store.getAll(between(from, [...key, beforeSeq], { upperOpen: true }));
}

export async function loadTurn(
  transaction: Transaction,
  scope: string,
  turnId: string,
): Promise<MessageRecord[]> {
  const rows = await transaction.objectStore('messages').index('turnId').getAll([scope, turnId]);
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** Returns the key range of all messages of a session, or of those between two sequence numbers. */
export function sessionRange(
  key: SessionKey,
  beforeSeq: number = Infinity,
  afterSeq: number = -1,
): IDBKeyRange {
  return between([...key, afterSeq + 1], [...key, beforeSeq], { upperOpen: true });
}

/** Returns those messages of an entry of the change log that still exist. */
export function readWritten(
  transaction: Transaction,
  { scope, sessionId, fromSeq, toSeq }: Extract<Change, { kind: 'turn' }>,
): Promise<MessageRecord[]> {
  return transaction
    .objectStore('messages')
    .getAll(between([scope, sessionId, fromSeq], [scope, sessionId, toSeq]));
}

/**
 * Returns the newest complete turns of a session, turn by turn, oldest first. Reads backwards, page by page, until
 * there are enough turns; each turn is whole.
 */
async function readBack(
  transaction: Transaction,
  key: SessionKey,
  { afterSeq, isEnough }: SessionReach,
): Promise<StoredMessage[]> {
  let messages: StoredMessage[] = [];
  for (;;) {
    const beforeSeq = messages[0]?.seq ?? Infinity;
    const page = await listNewest(transaction, key, { afterSeq, beforeSeq, last: PAGE_MESSAGES });
    messages = [...page, ...messages];
    const complete = inTurnOrder(messages.filter((message) => message.state === 'complete'));
    const turnIds = [...new Set(complete.map((message) => message.turnId))];
    const isAll = page.length < PAGE_MESSAGES;
    if (isAll && afterSeq < 0) return complete;
    if (isAll || isEnough(complete)) return wholeTurns(transaction, key[0], complete, turnIds);
  }
}

/**
 * Reads turns again as a whole that may have been read in part: the oldest one and, if two tabs answered at the same
 * time, others whose question is missing.
 */
async function wholeTurns(
  transaction: Transaction,
  scope: string,
  messages: readonly StoredMessage[],
  turnIds: readonly string[],
): Promise<StoredMessage[]> {
  const read = new Map(turnIds.map((id) => [id, messages.filter((message) => message.turnId === id)]));
  const torn = turnIds.filter((id, position) => position === 0 || read.get(id)?.[0]?.role !== 'user');
  const whole = await Promise.all(torn.map((id) => loadTurn(transaction, scope, id)));
  for (const [position, id] of torn.entries()) read.set(id, whole[position] ?? []);
  return [...read.values()].flat();
}

/** Returns the messages with these ids that a scope still has, in the order of the ids. */
export async function ownMessages(
  transaction: Transaction,
  scope: string,
  ids: Iterable<string>,
): Promise<MessageRecord[]> {
  const rows = await getEach(transaction.objectStore('messages').index('id'), ids);
  return rows.filter((row) => row.scope === scope);
}

/** Does the same in a transaction of its own. */
export function readMessages(
  engine: StorageEngine,
  scope: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<MessageRecord[]> {
  return engine.read(['messages'], (transaction) => ownMessages(transaction, scope, ids), signal);
}
