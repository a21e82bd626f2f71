import { above, between, startingWith, upTo } from './key-range.ts';
import type { Transaction, WriteTransaction } from './storage-engine.ts';
import type { Change, MessageRecord } from './schema.ts';
import type { ChangeCursor, ChangeSet } from './transcript-store.ts';
import { readRows, readRowsOf } from './vector-blocks.ts';

/** Rows kept for tabs that have yet to read them; a tab further behind reads everything again. */
const KEPT_CHANGES = 4096;
const COMPACT_EVERY = 512;

/** Appends to the log and, now and then, drops what is old. */
export async function recordChange(transaction: WriteTransaction, change: Change): Promise<void> {
  const store = transaction.objectStore('changes');
  const revision = await store.add(change);
  if (revision % COMPACT_EVERY === 0) await store.delete(upTo(revision - KEPT_CHANGES));
}

/** What a scope's indexes have missed since a cursor, read in one transaction so that it is one state. */
export async function readChangeSet(
  transaction: Transaction,
  scope: string,
  embedder: string | undefined,
  since: ChangeCursor | undefined,
): Promise<ChangeSet> {
  const { cursor, missed } = await readMissed(transaction, since);
  if (!missed)
    return { cursor, reset: true, removed: [], ...(await readScope(transaction, scope, embedder)) };
  return { cursor, reset: false, ...(await replay(transaction, missed, scope, embedder)) };
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

async function readScope(
  transaction: Transaction,
  scope: string,
  embedder: string | undefined,
): Promise<Pick<ChangeSet, 'messages' | 'vectors'>> {
  const range = startingWith(scope);
  const [messages, vectors] = await Promise.all([
    transaction.objectStore('messages').index('created').getAll(range),
    embedder === undefined ? [] : readRows(transaction, embedder, scope),
  ]);
  return { messages, vectors };
}

async function replay(
  transaction: Transaction,
  changes: readonly Change[],
  scope: string,
  embedder: string | undefined,
): Promise<Pick<ChangeSet, 'messages' | 'removed' | 'vectors'>> {
  const messages = new Map<string, MessageRecord>();
  const removed = new Set<string>();
  const embedded = new Set<string>();
  const blocks = new Set<number>();
  for (const change of changes) {
    if (change.scope !== scope) continue;
    if (change.kind === 'turn') {
      const range = between([change.sessionId, change.fromSeq], [change.sessionId, change.toSeq]);
      // A message that was forgotten later is not found any more, and is listed as removed.
      for (const row of await transaction.objectStore('messages').getAll(range)) messages.set(row.id, row);
    } else if (change.kind === 'removed') {
      for (const id of change.ids) removed.add(id);
    } else if (change.kind === 'vectors' && change.embedder === embedder) {
      blocks.add(change.block);
      for (const id of change.ids) embedded.add(id);
    }
  }
  const rows = embedder === undefined ? [] : await readRowsOf(transaction, embedder, scope, blocks);
  const vectors = rows.filter((row) => embedded.has(row.id));
  return { messages: [...messages.values()], removed: [...removed], vectors };
}
