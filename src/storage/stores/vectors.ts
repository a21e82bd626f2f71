import { byScope } from '../erasure.ts';
import type { StoreDefinition } from '../store-definition.ts';
import { planWithoutRows } from '../vector-blocks.ts';

export const vectors: StoreDefinition<'vectors'> = {
  keyPath: ['embedder', 'scope', 'block'],
  indexes: { ids: { keyPath: 'ids', multiEntry: true } },
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
};
