import { byScope } from '../erasure.ts';
import { startingWith } from '../key-range.ts';
import { planWithoutDocuments } from '../index-segments.ts';
import type { StoreRules } from './rules.ts';

export const postings: StoreRules<'postings'> = {
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
