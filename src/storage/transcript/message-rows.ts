import { between } from '../key-range.ts';
import type { Transaction } from '../storage-engine.ts';
import type { MessageRecord } from '../schema.ts';
import type { ListOptions } from './transcript-store.ts';

/** Largest step of an IndexedDB cursor: 32 bits. */
const MOST_STEPS = 2 ** 32 - 1;

/** Returns the newest messages of a session between two sequence numbers, oldest first. */
export async function listNewest(
  transaction: Transaction,
  sessionId: string,
  { last, beforeSeq, afterSeq }: Required<Omit<ListOptions, 'signal'>>,
): Promise<MessageRecord[]> {
  const store = transaction.objectStore('messages');
  if (afterSeq + 1 >= beforeSeq) return [];
  const range = sessionRange(sessionId, beforeSeq, afterSeq);
  if (last === Infinity) return store.getAll(range);
  if (last === 0) return [];
  // The newest rows are located by their keys, so that only the returned rows are read.
  let cursor = await store.openKeyCursor(range, 'prev');
  if (cursor && last > 1) cursor = (await cursor.advance(Math.min(last - 1, MOST_STEPS))) ?? null;
  const from = cursor ? cursor.key : [sessionId, afterSeq + 1];
  return store.getAll(between(from, [sessionId, beforeSeq], { upperOpen: true }));
}

export async function loadTurn(transaction: Transaction, turnId: string): Promise<MessageRecord[]> {
  return (await transaction.objectStore('messages').index('turnId').getAll(turnId)).toSorted(bySeq);
}

/** Returns the key range of all messages of a session, or of those between two sequence numbers. */
export function sessionRange(
  sessionId: string,
  beforeSeq: number = Infinity,
  afterSeq: number = -1,
): IDBKeyRange {
  return between([sessionId, afterSeq + 1], [sessionId, beforeSeq], { upperOpen: true });
}

export function bySeq(a: MessageRecord, b: MessageRecord): number {
  return a.seq - b.seq;
}
