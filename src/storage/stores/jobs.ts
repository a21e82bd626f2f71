import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { bySession, type Erasure } from '../erasure.ts';
import { withoutTurns } from '../jobs/job-plan.ts';
import type { Plan } from '../plan.ts';
import type { JobRecord, MessageRecord } from '../schema.ts';
import type { StoreRules } from './rules.ts';
import type { Transaction } from '../storage-engine.ts';

export const jobs: StoreRules<'jobs'> = {
  /**
   * Removes turns without remaining messages from the jobs of their session, and jobs without remaining turns. A
   * session that is erased loses all its jobs.
   */
  async erase(transaction, erasure) {
    const store = transaction.objectStore('jobs');
    const { sessionIds, scope, isWholeScope } = erasure;
    const ofScope = isWholeScope && scope !== undefined ? await store.index('scope').getAllKeys(scope) : [];
    const ofSessions = await Promise.all(Array.from(sessionIds, (id) => store.index('sessionId').getAll(id)));
    const withSessions = ofSessions.flat().filter((job) => scope === undefined || job.scope === scope);
    const dropped = [...new Set([...ofScope, ...withSessions.map((job) => job.id)])];
    const left: Plan[] = [];
    for (const [sessionId, erased] of bySession(erasure)) {
      const gone = await turnsGone(transaction, erased);
      const ofSession = await store.index('sessionId').getAll(sessionId);
      left.push(
        planWithoutTurns(
          ofSession.filter((job) => !dropped.includes(job.id)),
          gone,
        ),
      );
    }
    return {
      deletes: [
        ...dropped.map((key) => ({ store: 'jobs', key }) as const),
        ...left.flatMap((plan) => plan.deletes ?? []),
      ],
      puts: left.flatMap((plan) => plan.puts ?? []),
    };
  },
  /** Each record combines all jobs of a queue and session. */
  backup: {
    keyOf: ({ queue, sessionId, turnIds }) => [queue, sessionId, Math.min(turnIds.length, 1)],
    read: checkJob,
  },
};

async function turnsGone(
  transaction: Transaction,
  erased: Erasure['messages'],
): Promise<ReadonlySet<string>> {
  const byTurn = transaction.objectStore('messages').index('turnId');
  const seqs = new Set(erased.map((row) => row.seq));
  const turnIds = [...new Set(erased.map((row) => row.turnId))];
  const keys = await Promise.all(turnIds.map((turnId) => byTurn.getAllKeys(turnId)));
  return new Set(turnIds.filter((_turnId, at) => keys[at]?.every(([, seq]) => seqs.has(seq)) === true));
}

function planWithoutTurns(known: readonly JobRecord[], gone: ReadonlySet<MessageRecord['turnId']>): Plan {
  const rows = known.map((job) => ({ id: job.id, left: withoutTurns(job, gone) }));
  return {
    deletes: rows.flatMap(({ id, left }) => (left ? [] : [{ store: 'jobs', key: id }])),
    puts: rows.flatMap(({ left }) => (left ? [{ store: 'jobs', row: left }] : [])),
  };
}

function checkJob(row: unknown): BackupRows['jobs'] {
  const fields = new RowFields(row, ['queue', 'sessionId', 'turnIds', 'createdAt']);
  return {
    queue: fields.id('queue'),
    sessionId: fields.id('sessionId'),
    turnIds: fields.ids('turnIds'),
    createdAt: fields.time('createdAt'),
  };
}
