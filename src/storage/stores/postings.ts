import { byScope } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { planWithoutDocuments } from '../postings-parts.ts';
import type { StoreDefinition } from '../store-definition.ts';

export const postings: StoreDefinition<'postings'> = {
  keyPath: ['scope', 'part'],
  indexes: { ids: { keyPath: 'segment.keywords.ids', multiEntry: true } },
  async erase(transaction, erasure) {
    const isWhole = (scope: string): boolean => erasure.isWholeScope && scope === erasure.scope;
    const scopes = [...byScope(erasure).keys()];
    const plans = await Promise.all(
      scopes
        .filter((scope) => !isWhole(scope))
        .map((scope) => planWithoutDocuments(transaction, scope, erasure.ids)),
    );
    return {
      deletes: [
        ...scopes.filter(isWhole).map((scope) => ({ store: 'postings', key: startingWith(scope) }) as const),
        ...plans.flatMap((plan) => plan.deletes ?? []),
      ],
      puts: plans.flatMap((plan) => plan.puts ?? []),
    };
  },
};
