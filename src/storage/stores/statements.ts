import { groupedBy } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { StatementRow } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import type { StoreRules } from './rules.ts';

/** Statements are derived from messages, and rebuilt if missing, so a backup has none. */
export const statements: StoreRules<'statements'> = {
  /** A statement is erased with its message. A statement that it had ended counts again. */
  async erase(transaction, erasure): Promise<Plan> {
    const store = transaction.objectStore('statements');
    const { ids, scope, isWholeScope } = erasure;
    const found = await Promise.all([
      isWholeScope && scope !== undefined ? store.index('scope').getAll(scope) : [],
      // In every scope, because a memory may learn under another one.
      ...Array.from(ids, (id) => store.index('messageId').getAll(id)),
    ]);
    return planWithoutStatements(transaction, [
      ...new Map(found.flat().map((row) => [row.id, row])).values(),
    ]);
  },
  refersTo: ({ scope, messageId }) => ({ scope, messageIds: [messageId] }),
};

/** Plans the removal of statements. Statements that they had ended count again. */
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
