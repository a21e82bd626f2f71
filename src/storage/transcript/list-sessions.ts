import { between, startingWith } from '../key-range.ts';
import { MOST_ROWS } from '../rows.ts';
import type { SessionRecord } from '../schema.ts';
import type { StorageEngine, Transaction } from '../storage-engine.ts';

/** The sessions to list. */
export interface SessionPage {
  /** @default all */
  readonly limit?: number | undefined;
  /** Lists only sessions after this one. @default all */
  readonly after?: Pick<SessionRecord, 'id' | 'updatedAt'> | undefined;
}

/**
 * Lists the sessions of a scope that have messages, newest first, and those of one time by id. Reads no other rows, apart
 * from those of sessions whose messages were all forgotten.
 */
export function listSessions(
  engine: StorageEngine,
  scope: string,
  { limit = Infinity, after }: SessionPage = {},
  signal?: AbortSignal,
): Promise<SessionRecord[]> {
  const read = async (transaction: Transaction): Promise<SessionRecord[]> => {
    const listed: SessionRecord[] = [];
    let last = after;
    while (listed.length < limit) {
      const count = Math.min(limit - listed.length, MOST_ROWS);
      const rows = await readNewest(transaction, scope, count, last);
      listed.push(...rows.filter(({ messageCount }) => messageCount > 0));
      if (rows.length < count) break;
      last = rows.at(-1);
    }
    return listed;
  };
  return engine.read(['sessions'], read, signal);
}

/** Reads the newest sessions, or the newest of those after one, and no other rows. */
async function readNewest(
  transaction: Transaction,
  scope: string,
  count: number,
  after: SessionPage['after'],
): Promise<SessionRecord[]> {
  const index = transaction.objectStore('sessions').index('updated');
  const rest =
    after && between([scope, after.updatedAt, after.id], [scope, after.updatedAt, []], { lowerOpen: true });
  const tied = rest ? await index.getAll(rest, count) : [];
  const missing = count - tied.length;
  if (missing === 0) return tied;
  const older = after ? between([scope], [scope, after.updatedAt]) : startingWith(scope);
  // The oldest row is located by its key, so that no other is read. Of those of its time, the first by id are returned.
  const oldest = missing < MOST_ROWS ? await index.lastKey(older, missing - 1) : undefined;
  if (!oldest) return [...tied, ...newestFirst(await index.getAll(older))];
  const [, time] = oldest;
  const newer = await index.getAll(between([scope, time, []], older.upper));
  const same = await index.getAll(between([scope, time], [scope, time, []]), missing - newer.length);
  return [...tied, ...newestFirst(newer), ...same];
}

function newestFirst(rows: readonly SessionRecord[]): SessionRecord[] {
  return rows.toSorted((a, b) => b.updatedAt - a.updatedAt);
}
