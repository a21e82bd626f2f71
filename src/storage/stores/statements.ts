import { groupedBy } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { StatementRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import type { StoreRules } from './rules.ts';

/** Made from messages, and made again where they are missing: a backup holds none. */
export const statements: StoreRules<'statements'> = {
  /** A statement goes with its message; one that it had ended is told again. */
  async erase(transaction, erasure): Promise<Plan> {
    const store = transaction.objectStore('statements');
    const { ids, scope, isWholeScope } = erasure;
    const found = await Promise.all([
      isWholeScope && scope !== undefined ? store.index('scope').getAll(scope) : [],
      // In every scope: a memory may learn under another one.
      ...Array.from(ids, (id) => store.index('messageId').getAll(id)),
    ]);
    return planWithoutStatements(transaction, [
      ...new Map(found.flat().map((row) => [row.id, row])).values(),
    ]);
  },
  refersTo: ({ scope, messageId }) => ({ scope, messageIds: [messageId] }),
};

/** Removes statements, and tells again those that they had ended. */
export async function planWithoutStatements(
  transaction: Transaction,
  selected: readonly StatementRow[],
): Promise<Plan> {
  const store = transaction.objectStore('statements');
  const scopes = new Set(selected.map((row) => row.scope));
  const gone = new Set(selected.map((row) => row.id));
  const others = await Promise.all(Array.from(scopes, (each) => store.index('scope').getAll(each)));
  const freed = others.flat().filter(({ id, endedBy = '' }) => gone.has(endedBy) && !gone.has(id));
  return {
    deletes: [
      ...selected.map(({ id }) => ({ store: 'statements', key: id }) as const),
      ...Array.from(scopes, (each) => ({ store: 'packedKnowledge', key: each }) as const),
    ],
    puts: freed.map(({ endedBy: _endedBy, ...row }) => ({ store: 'statements', row })),
    changes: Array.from(
      groupedBy([...selected, ...freed], (row) => row.scope),
      ([each, rows]) => ({
        kind: 'knowledge' as const,
        scope: each,
        facts: [],
        entities: [],
        statements: rows.map(({ id }) => id),
        erases: true as const,
      }),
    ),
  };
}
