import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KnowledgeWrite } from '../../../src/storage/knowledge-store.ts';
import { GatheredWrite, type RowsToStore } from '../../../src/storage/rebuilt/gathered-write.ts';
import type { ClaimRow, EntityRow, FactRow } from '../../../src/storage/schema.ts';

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
const versioned = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(99)), {
  selector: ([id]) => id,
  maxLength: 3,
});
const write = fc
  .record({
    ...{ facts: versioned, entities: versioned, claims: versioned },
    ...{ removedFacts: ids, removedEntities: ids, removedClaims: ids },
  })
  .map((given): KnowledgeWrite => ({
    facts: given.facts.map(([id, seq]) => ({ id, seq }) as FactRow),
    entities: given.entities.map(([key, n]) => ({ key, id: `id of ${key}`, name: String(n) }) as EntityRow),
    claims: given.claims.map(([id, seq]) => ({ id, seq }) as ClaimRow),
    removedFacts: given.removedFacts,
    removedEntities: given.removedEntities.map((key) => ({ key, id: `id of ${key}` })),
    removedClaims: given.removedClaims,
  }));

/** What is stored after a write: removals come first, as in a transaction. */
function apply(
  stored: ReadonlyMap<string, unknown>,
  each: Omit<RowsToStore, 'newSources'>,
): Map<string, unknown> {
  const next = new Map(stored);
  for (const id of each.removedFacts) next.delete(`fact ${id}`);
  for (const { key } of each.removedEntities) next.delete(`entity ${key}`);
  for (const id of each.removedClaims) next.delete(`claim ${id}`);
  for (const row of each.facts) next.set(`fact ${row.id}`, row);
  for (const row of each.entities) next.set(`entity ${row.key}`, row);
  for (const row of each.claims) next.set(`claim ${row.id}`, row);
  return next;
}

const sorted = (stored: ReadonlyMap<string, unknown>): unknown[] =>
  [...stored].toSorted(([a], [b]) => (a < b ? -1 : 1));

it('LRN-29: writes that are stored as one leave what they leave one after another, and write each row once', () => {
  fc.assert(
    fc.property(write, fc.array(write, { maxLength: 6 }), (before, writes) => {
      const stored = apply(new Map(), before);
      const gathered = new GatheredWrite();
      for (const [at, each] of writes.entries()) gathered.add(each, [`m${at % 2}`], [`t${at}`]);
      const one = gathered.rows();
      expect(sorted(apply(stored, one))).toEqual(sorted(writes.reduce(apply, stored)));
      const rows = [
        ...[...one.facts.map(({ id }) => id), ...one.removedFacts].map((id) => `fact ${id}`),
        ...[...one.entities, ...one.removedEntities].map(({ key }) => `entity ${key}`),
        ...[...one.claims.map(({ id }) => id), ...one.removedClaims].map((id) => `claim ${id}`),
      ];
      expect(rows).toHaveLength(new Set(rows).size);
      expect(one.newSources).toEqual(['m0', 'm1'].slice(0, writes.length));
      expect(gathered.turnIds).toEqual(writes.map((_, at) => `t${at}`));
    }),
  );
});
