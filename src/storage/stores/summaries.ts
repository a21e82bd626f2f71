import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { bySession } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import type { SummaryRecord } from '../schema.ts';
import type { StoreRules } from './rules.ts';
import type { Transaction } from '../storage-engine.ts';
import { coversAny } from '../remove-sources.ts';

export const summaries: StoreRules<'summaries'> = {
  /** A summary is erased with any message that it covers, and made again if other messages remain. */
  async erase(transaction, erasure) {
    const { scope, isWholeScope } = erasure;
    const ofScope =
      isWholeScope && scope !== undefined
        ? await transaction.objectStore('summaries').index('scope').getAll(scope)
        : [];
    const isOfScope = (row: SummaryRecord): boolean => isWholeScope && row.scope === scope;
    const covering: SummaryRecord[] = [];
    const again: SummaryRecord[] = [];
    for (const [sessionId, erased] of bySession(erasure)) {
      const ofSession = await transaction.objectStore('summaries').getAll(startingWith(sessionId));
      const seqs = erased.map((row) => row.seq);
      const gone = ofSession.filter((summary) => !isOfScope(summary) && coversAny(summary, seqs));
      covering.push(...gone);
      if (gone.length > 0 && (await hasOthers(transaction, sessionId, seqs))) again.push(...gone);
    }
    return planWithoutSummaries([...ofScope, ...covering], again);
  },
  backup: {
    keyOf: ({ sessionId, memoryId }) => [sessionId, memoryId],
    read: checkSummary,
    write({ scope: _scope, ...summary }, contents) {
      const session = contents.session(summary.sessionId);
      return session && summary.coversSeq < session.nextSeq ? summary : undefined;
    },
  },
};

/** Plans the removal of summaries, and jobs to make some of them again. */
export function planWithoutSummaries(
  selected: readonly SummaryRecord[],
  again: readonly SummaryRecord[] = selected,
): Plan {
  return {
    deletes: selected.map(({ sessionId, memoryId }) => ({
      store: 'summaries',
      key: [sessionId, memoryId],
    })),
    jobs: again.flatMap(({ queue, scope, sessionId }) =>
      queue === undefined
        ? []
        : [{ job: { queue }, source: { scope, sessionId, turnIds: [], now: Date.now() } }],
    ),
    counts: { summaries: selected.length },
  };
}

/** Returns whether a session has other messages than these. */
async function hasOthers(
  transaction: Transaction,
  sessionId: string,
  seqs: readonly number[],
): Promise<boolean> {
  const keys = await transaction.objectStore('messages').getAllKeys(startingWith(sessionId));
  const erased = new Set(seqs);
  return keys.some(([, seq]) => !erased.has(seq));
}

function checkSummary(row: unknown): BackupRows['summaries'] {
  const names = ['sessionId', 'memoryId', 'text', 'coversSeq', 'updatedAt', 'tokens', 'queue'];
  const fields = new RowFields(row, names);
  return {
    sessionId: fields.id('sessionId'),
    memoryId: fields.id('memoryId'),
    text: fields.text('text'),
    coversSeq: fields.count('coversSeq'),
    updatedAt: fields.time('updatedAt'),
    ...fields.optional('tokens', (name) => fields.counts(name)),
    ...fields.optional('queue', (name) => fields.id(name)),
  };
}
