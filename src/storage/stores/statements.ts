import { groupedBy } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { StoreDefinition } from '../store-definition.ts';

/** Made from messages, and made again where they are missing: a backup holds none. */
export const statements: StoreDefinition<'statements'> = {
  since: 5,
  keyPath: 'id',
  indexes: { scope: { keyPath: 'scope' }, messageId: { keyPath: 'messageId' } },
  /** A statement goes with its message. */
  async erase(transaction, erasure): Promise<Plan> {
    const store = transaction.objectStore('statements');
    const { ids, scope, isWholeScope } = erasure;
    const found = await Promise.all([
      isWholeScope && scope !== undefined ? store.index('scope').getAll(scope) : [],
      // In every scope: a memory may learn under another one.
      ...Array.from(ids, (id) => store.index('messageId').getAll(id)),
    ]);
    const selected = [...new Map(found.flat().map((row) => [row.id, row])).values()];
    return {
      deletes: [
        ...selected.map(({ id }) => ({ store: 'statements', key: id }) as const),
        ...Array.from(new Set(selected.map((row) => row.scope)), (each) => ({
          store: 'packedKnowledge' as const,
          key: each,
        })),
      ],
      changes: Array.from(
        groupedBy(selected, (row) => row.scope),
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
  },
  refersTo: ({ scope, messageId }) => ({ scope, messageIds: [messageId] }),
};
