import { groupedBy, type Erasure } from './erasure.ts';
import { startingWith } from './key-range.ts';
import type { Plan } from './plan.ts';
import type { EntityRow, FactRow } from './schema.ts';
import type { Transaction } from './storage-engine.ts';
import {
  entitiesOfFacts,
  entityWithoutMessages,
  factsWithoutAliases,
  factWithoutMessages,
  isBareEntity,
  lostAliases,
} from './remove-sources.ts';

/** Returns what remains of a row when a part of it is forgotten. */
export interface Leftover {
  readonly fact: (fact: FactRow) => FactRow | undefined;
  readonly entity: (entity: EntityRow) => EntityRow;
}

/**
 * Plans the erasure of facts and entities with their messages, in every scope, because a memory may learn under
 * another scope.
 */
export async function planKnowledgeErasure(transaction: Transaction, erasure: Erasure): Promise<Plan> {
  const { ids, scope, isWholeScope } = erasure;
  const triples = transaction.objectStore('triples').index('messageIds');
  const entities = transaction.objectStore('entities').index('messageIds');
  const [facts, named] = await Promise.all([
    Promise.all(Array.from(ids, (id) => triples.getAll(id))),
    Promise.all(Array.from(ids, (id) => entities.getAll(id))),
  ]);
  const isElsewhere = (row: { scope: string }): boolean => !isWholeScope || row.scope !== scope;
  const leftover: Leftover = {
    fact: (fact) => factWithoutMessages(fact, ids),
    entity: (entity) => entityWithoutMessages(entity, ids),
  };
  const plan = await planForgetting(
    transaction,
    facts.flat().filter(isElsewhere),
    named.flat().filter(isElsewhere),
    leftover,
  );
  const whole = isWholeScope && scope !== undefined ? await planWholeScope(transaction, scope) : {};
  return {
    deletes: [...(plan.deletes ?? []), ...(whole.deletes ?? [])],
    puts: [...(plan.puts ?? []), ...(whole.puts ?? [])],
    changes: [...(plan.changes ?? []), ...(whole.changes ?? [])],
    counts: {
      facts: (plan.counts?.facts ?? 0) + (whole.counts?.facts ?? 0),
      entities: (plan.counts?.entities ?? 0) + (whole.counts?.entities ?? 0),
    },
  };
}

/**
 * Plans the forgetting of parts of facts and entities, and its consequences: an entity with nothing left is removed,
 * and the facts under a name that an entity has lost move to the entity that the name now means.
 *
 * @param toldFacts facts that lose a part
 * @param toldEntities entities that lose a part
 */
export async function planForgetting(
  transaction: Transaction,
  toldFacts: readonly FactRow[],
  toldEntities: readonly EntityRow[],
  leftover: Leftover,
): Promise<Plan> {
  const found: FoundKnowledge[] = [];
  const byScope = groupedBy([...toldFacts, ...toldEntities], (row) => row.scope);
  for (const scope of byScope.keys()) {
    const facts = uniqueBy(
      toldFacts.filter((row) => row.scope === scope),
      (fact) => fact.id,
    );
    const entities = uniqueBy(
      toldEntities.filter((row) => row.scope === scope),
      (entity) => entity.key,
    );
    found.push(await readAround(transaction, scope, facts, entities, leftover));
  }
  const plans = found.map((each) => planInScope(each, leftover));
  return {
    deletes: plans.flatMap((plan) => plan.deletes ?? []),
    puts: plans.flatMap((plan) => plan.puts ?? []),
    changes: plans.flatMap((plan) => plan.changes ?? []),
    counts: {
      facts: plans.reduce((sum, plan) => sum + (plan.counts?.facts ?? 0), 0),
      entities: plans.reduce((sum, plan) => sum + (plan.counts?.entities ?? 0), 0),
    },
  };
}

/** Stored rows of one scope that affect what is forgotten in it. */
interface FoundKnowledge {
  readonly scope: string;
  /** Facts that lose a part. */
  readonly facts: readonly FactRow[];
  /** Entities that lose a part, or that are in a removed fact. */
  readonly entities: readonly EntityRow[];
  /** Facts of the entities that may lose their last fact, or a name, by key of the entity. */
  readonly factsAt: ReadonlyMap<string, readonly FactRow[]>;
  /** Keys of the entities that a lost name may mean. */
  readonly known: ReadonlySet<string>;
}

async function readAround(
  transaction: Transaction,
  scope: string,
  facts: readonly FactRow[],
  told: readonly EntityRow[],
  leftover: Leftover,
): Promise<FoundKnowledge> {
  const store = transaction.objectStore('entities');
  const triples = transaction.objectStore('triples');
  const gone = facts.filter((fact) => !leftover.fact(fact));
  const ends = new Set(gone.flatMap((fact) => [fact.subjectKey, fact.objectKey]));
  for (const { key } of told) ends.delete(key);
  const atEnds = await Promise.all(Array.from(ends, (key) => store.get([scope, key])));
  const entities = [...told, ...atEnds.filter((entity) => entity !== undefined)];
  const factsAt = new Map<string, readonly FactRow[]>();
  const known = new Set<string>();
  for (const entity of entities) {
    const left = leftover.entity(entity);
    const lost = lostAliases(entity, left);
    if (lost.size === 0 && !isBareEntity(left)) continue;
    const at = await Promise.all([
      triples.index('subject').getAll([scope, entity.key]),
      triples.index('object').getAll([scope, entity.key]),
    ]);
    factsAt.set(
      entity.key,
      uniqueBy(at.flat(), (fact) => fact.id),
    );
    for (const key of lost) if ((await store.count([scope, key])) > 0) known.add(key);
  }
  return { scope, facts, entities, factsAt, known };
}

function planInScope(found: FoundKnowledge, leftover: Leftover): Plan {
  const { scope, entities } = found;
  // The state after the change: without removed facts, and with what others lose or move.
  const facts = new Map([...found.factsAt.values()].flat().map((fact) => [fact.id, fact]));
  const changed = new Map<string, FactRow | undefined>();
  const change = (id: string, left: FactRow | undefined): void => {
    changed.set(id, left);
    if (left) facts.set(id, left);
    else facts.delete(id);
  };
  for (const fact of found.facts) change(fact.id, leftover.fact(fact));
  const goneFacts = found.facts.filter((fact) => !changed.get(fact.id)).length;
  const made = new Map<string, EntityRow>();
  const left = entities.map((entity) => leftover.entity(entity));
  const known = new Set([...found.known, ...left.map((entity) => entity.key)]);
  for (const [position, entity] of left.entries()) {
    const lost = lostAliases(entities[position] ?? entity, entity);
    const moved = factsWithoutAliases([...facts.values()], entity.key, lost);
    for (const fact of moved) change(fact.id, fact);
    // The entities at the other ends of these facts have rows, which stay.
    for (const end of entitiesOfFacts(moved))
      if (lost.has(end.key) && !known.has(end.key)) made.set(end.key, end);
  }
  const inFacts = new Set([...facts.values()].flatMap((fact) => [fact.subjectKey, fact.objectKey]));
  const bare = new Set(left.filter((entity) => isBareEntity(entity) && !inFacts.has(entity.key)));
  return {
    deletes: [
      { store: 'packedKnowledge', key: scope }, // it contains names
      ...[...changed].flatMap(([id, fact]) => (fact ? [] : [{ store: 'triples', key: id } as const])),
      ...Array.from(bare, ({ key }) => ({
        store: 'entities' as const,
        key: [scope, key] as [string, string],
      })),
    ],
    puts: [
      ...[...changed.values()].flatMap((row) => (row ? [{ store: 'triples', row } as const] : [])),
      ...[...left.filter((entity) => !bare.has(entity)), ...made.values()].map(
        (row) => ({ store: 'entities', row }) as const,
      ),
    ],
    changes: [
      {
        kind: 'knowledge',
        scope,
        facts: [...changed.keys()],
        entities: [...left, ...made.values()].map((entity) => entity.id),
        erases: true,
      },
    ],
    counts: { facts: goneFacts, entities: bare.size },
  };
}

/** Plans the removal of all knowledge of a scope, including what the user entered. */
async function planWholeScope(transaction: Transaction, scope: string): Promise<Plan> {
  const [facts, entities] = await Promise.all([
    transaction.objectStore('triples').index('scope').getAll(scope),
    transaction.objectStore('entities').getAll(startingWith(scope)),
  ]);
  if (facts.length + entities.length === 0) return {};
  return {
    deletes: [
      { store: 'packedKnowledge', key: scope },
      ...facts.map(({ id }) => ({ store: 'triples', key: id }) as const),
      { store: 'entities', key: startingWith(scope) },
    ],
    // Facts entered by hand have no message whose tombstone would keep a backup from restoring them.
    puts: facts.flatMap(({ id, source }) =>
      source === 'user' ? [{ store: 'tombstones', row: true, key: id } as const] : [],
    ),
    changes: [
      {
        kind: 'knowledge',
        scope,
        facts: facts.map(({ id }) => id),
        entities: entities.map(({ id }) => id),
        erases: true,
      },
    ],
    counts: { facts: facts.length, entities: entities.length },
  };
}

function uniqueBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
