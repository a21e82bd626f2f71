import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { bySession, type Erasure } from '../erasure.ts';
import { withoutTurns } from '../jobs/job-plan.ts';
import { getAllOf } from '../rows.ts';
import type { JobRecord } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

export const jobs: StoreRules<'jobs'> = {
  /**
   * Removes turns without remaining messages from the jobs of their session, and jobs without remaining turns. A
   * session that is erased loses all its jobs.
   */
  async erase(transaction, erasure) {
    const { sessionIds, scope, wholeScopes } = erasure;
    const store = transaction.objectStore('jobs');
    const ofScope = await getAllOf(store.index('scope'), wholeScopes);
    const ofSessions = await getAllOf(store.index('sessionId'), sessionIds);
    const erased = [...ofScope, ...ofSessions.filter((job) => scope === undefined || job.scope === scope)];
    const dropped = new Set(erased.map((job) => job.id));
    const puts: JobRecord[] = [];
    for (const [sessionId, messages] of bySession(erasure)) {
      const gone = await turnsGone(transaction, messages);
      for (const job of await store.index('sessionId').getAll(sessionId)) {
        const left = dropped.has(job.id) ? undefined : withoutTurns(job, gone);
        if (left) puts.push(left);
        else dropped.add(job.id);
      }
    }
    return [{ deletes: { jobs: [...dropped] }, puts: { jobs: puts } }];
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

function checkJob(row: unknown): BackupRows['jobs'] {
  const fields = new RowFields(row, ['queue', 'sessionId', 'turnIds', 'createdAt']);
  return {
    queue: fields.id('queue'),
    sessionId: fields.id('sessionId'),
    turnIds: fields.ids('turnIds'),
    createdAt: fields.time('createdAt'),
  };
}
