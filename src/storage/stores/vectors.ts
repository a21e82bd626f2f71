import type { BackupRows } from '../codec/backup-rows.ts';
import { RowFields } from '../codec/row-fields.ts';
import { vectorFromText } from '../codec/vector-text.ts';
import { byScope } from '../erasure.ts';
import type { StoreRules } from './rules.ts';
import { planWithoutRows } from '../vector-blocks.ts';

export const vectors: StoreRules<'vectors'> = {
  async erase(transaction, erasure) {
    const plans = await Promise.all(
      Array.from(byScope(erasure).keys(), (scope) => planWithoutRows(transaction, scope, erasure.ids)),
    );
    return {
      deletes: plans.flatMap((plan) => plan.deletes ?? []),
      puts: plans.flatMap((plan) => plan.puts ?? []),
      counts: { vectors: plans.reduce((sum, plan) => sum + (plan.counts?.vectors ?? 0), 0) },
    };
  },
  /** Written message by message, independent of their blocks: see `backup/vectors.ts`. */
  backup: { keyOf: ({ embedder, scope, id }) => [embedder, scope, id], read: checkVector },
};

function checkVector(row: unknown): BackupRows['vectors'] {
  const fields = new RowFields(row, ['embedder', 'scope', 'id', 'vector']);
  return {
    embedder: fields.id('embedder'),
    scope: fields.id('scope'),
    id: fields.id('id'),
    vector: vectorFromText(fields.text('vector')),
  };
}
