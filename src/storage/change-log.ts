import { above, upTo } from './key-range.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import type { Change } from './schema.ts';

/** How far a reader of changes has come. */
export interface ChangeCursor {
  /** Made with the database: another one means that the old database is gone. */
  generation: string;
  revision: number;
}

/** Rows kept for tabs that have yet to read them; a tab further behind reads everything again. */
const KEPT_CHANGES = 4096;
const COMPACT_EVERY = 512;

/** Appends to the log and, now and then, drops what is old. */
export async function recordChange(transaction: WriteTransaction, change: Change): Promise<void> {
  const store = transaction.objectStore('changes');
  const revision = await store.add(change);
  if (revision % COMPACT_EVERY === 0) await store.delete(upTo(revision - KEPT_CHANGES));
}

/** The changes since a cursor; undefined where they are no longer all there, or the cursor is of another database. */
export async function readMissed(
  transaction: Transaction,
  since: ChangeCursor | undefined,
): Promise<{ cursor: ChangeCursor; missed: Change[] | undefined }> {
  const changes = transaction.objectStore('changes');
  const [generation, newest] = await Promise.all([
    transaction.objectStore('meta').get('generation'),
    changes.openKeyCursor(null, 'prev'),
  ]);
  const made = generation?.key === 'generation' ? generation.value : '';
  const cursor = { generation: made, revision: newest?.key ?? 0 };
  if (since?.generation !== cursor.generation) return { cursor, missed: undefined };
  const missed = await changes.getAll(above(since.revision));
  // Revisions have no gaps, so a shorter list means that rows were compacted away.
  return { cursor, missed: missed.length === cursor.revision - since.revision ? missed : undefined };
}
