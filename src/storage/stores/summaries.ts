import type { BackupRows, StoreRules } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { bySession } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getAllOf } from '../rows.ts';
import type { SummaryRecord } from '../schema.ts';

export const summaries: StoreRules<'summaries'> = {
  /** A summary is erased with any message that it covers, and made again if other messages remain. */
  async erase(transaction, erasure) {
    const store = transaction.objectStore('summaries');
    const erased = await getAllOf(store.index('scope'), erasure.wholeScopes);
    const again: SummaryRecord[] = [];
    for (const [sessionId, messages] of bySession(erasure)) {
      const seqs = new Set(messages.map((row) => row.seq));
      const covering = (await store.getAll(startingWith(sessionId))).filter(
        ({ scope, coversSeq }) =>
          !erasure.wholeScopes.has(scope) && messages.some(({ seq }) => seq <= coversSeq),
      );
      erased.push(...covering);
      if (covering.length === 0) continue;
      const keys = await transaction.objectStore('messages').getAllKeys(startingWith(sessionId));
      if (keys.some(([, seq]) => !seqs.has(seq))) again.push(...covering);
    }
    return [planWithoutSummaries(erased, again)];
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
    deletes: { summaries: selected.map(({ sessionId, memoryId }) => [sessionId, memoryId]) },
    jobs: again.flatMap(({ queue, scope, sessionId }) =>
      queue === undefined
        ? []
        : [{ job: { queue }, source: { scope, sessionId, turnIds: [], now: Date.now() } }],
    ),
    counts: { summaries: selected.length },
  };
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
