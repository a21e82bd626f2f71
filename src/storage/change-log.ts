import { above, upTo } from './key-range.ts';
import type { Change } from './schema.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';

/** Position of a reader in the change log. */
export interface ChangeCursor {
  /** Random id made with the database. Another value means that the old database is gone. */
  generation: string;
  revision: number;
}

/** Returns the log entry for knowledge with these ids. `erases` makes knowledge packed before it void. */
export function knowledgeChange(
  scope: string,
  ids: { facts?: string[]; entities?: string[]; claims?: string[] },
  erases: boolean,
): Change {
  return { kind: 'knowledge', scope, facts: [], entities: [], ...ids, ...(erases ? { erases } : {}) };
}

/** Number of changes kept for tabs that have yet to read them. A tab further behind reads everything again. */
const KEPT_CHANGES = 4096;
const COMPACT_EVERY = 512;

const revisions = new WeakMap<WriteTransaction, number>();

/** Returns the revision of the newest change that a transaction has recorded, if any. */
export function revisionOf(transaction: WriteTransaction): number | undefined {
  return revisions.get(transaction);
}

/** Appends a change to the log, and drops old changes now and then. */
export async function recordChange(transaction: WriteTransaction, change: Change): Promise<void> {
  const store = transaction.objectStore('changes');
  const revision = await store.add(change);
  revisions.set(transaction, revision);
  if (revision % COMPACT_EVERY === 0) await store.delete(upTo(revision - KEPT_CHANGES));
}

/**
 * Returns the changes since a cursor; `missed` is undefined if some are gone, or the cursor belongs to another
 * database.
 */
export async function readMissed(
  transaction: Transaction,
  since: ChangeCursor | undefined,
): Promise<{ cursor: ChangeCursor; missed: Change[] | undefined }> {
  const changes = transaction.objectStore('changes');
  const [generation, newest] = await Promise.all([
    transaction.objectStore('meta').get('generation'),
    changes.lastKey(),
  ]);
  const made = generation?.key === 'generation' ? generation.value : '';
  const cursor = { generation: made, revision: newest ?? 0 };
  if (since?.generation !== cursor.generation) return { cursor, missed: undefined };
  const missed = await changes.getAll(above(since.revision));
  // Revisions have no gaps, so a shorter list means that changes were compacted away.
  return { cursor, missed: missed.length === cursor.revision - since.revision ? missed : undefined };
}

/** Reads what a copy has missed since a cursor, or all if the log does not reach back that far. */
export async function readSince<State extends object>(
  transaction: Transaction,
  since: ChangeCursor | undefined,
  read: { whole: () => Promise<State>; missed: (changes: readonly Change[]) => Promise<State> },
): Promise<State & { cursor: ChangeCursor; reset: boolean }> {
  const { cursor, missed } = await readMissed(transaction, since);
  return { ...(missed ? await read.missed(missed) : await read.whole()), cursor, reset: !missed };
}
