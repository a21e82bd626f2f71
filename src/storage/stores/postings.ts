import { byScope } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { planWithoutDocuments } from '../postings-parts.ts';
import type { StoreDefinition } from '../store-definition.ts';

export const postings: StoreDefinition<'postings'> = {
  keyPath: ['scope', 'part'],
  indexes: { ids: { keyPath: 'segment.keywords.ids', multiEntry: true } },
  async erase(transaction, erasure) {
    const plans = await Promise.all(
      Array.from(byScope(erasure).keys(), (scope) =>
        erasure.isWholeScope && scope === erasure.scope
          ? { deletes: [{ store: 'postings', key: startingWith(scope) } as const] }
          : planWithoutDocuments(transaction, scope, erasure.ids),
      ),
    );
    return {
      deletes: plans.flatMap((plan) => plan.deletes ?? []),
      puts: plans.flatMap((plan) => ('puts' in plan ? (plan.puts ?? []) : [])),
    };
  },
};
