import { between } from './key-range.ts';
import { MOST_ROWS, uniqueBy } from './rows.ts';
import type { EntityRow, FactRow } from './schema.ts';
import type { StorageEngine, Transaction } from './storage-engine.ts';

/** Some entities of a scope, and all facts about each of them, also those that no longer hold. */
export interface EntityPage {
  readonly entities: readonly EntityRow[];
  readonly facts: readonly FactRow[];
}

/** Reads entities in the order of their keys, without reading the others. @param afterKey @default from the first */
export function readEntities(
  engine: StorageEngine,
  scope: string,
  { limit, afterKey = '' }: { readonly limit: number; readonly afterKey?: string | undefined },
  signal?: AbortSignal,
): Promise<EntityPage> {
  const read = async (transaction: Transaction): Promise<EntityPage> => {
    if (limit === 0) return { entities: [], facts: [] };
    const range = between([scope, afterKey], [scope, []], { lowerOpen: true });
    const entities = await transaction.objectStore('entities').getAll(range, Math.min(limit, MOST_ROWS));
    const triples = transaction.objectStore('triples');
    const facts: FactRow[] = [];
    for (const { key } of entities)
      for (const end of ['subject', 'object'] as const)
        facts.push(...(await triples.index(end).getAll([scope, key])));
    return { entities, facts: uniqueBy(facts, ({ id }) => id).toSorted((a, b) => a.seq - b.seq) };
  };
  return engine.read(['entities', 'triples'], read, signal);
}
