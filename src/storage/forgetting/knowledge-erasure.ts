import { knowledgeChange } from '../change-log.ts';
import { nameKey } from '../../graph/entity-name.ts';
import { newId } from '../../model/id.ts';
import type { Erasure } from '../erasure.ts';
import { entityWithoutMessages, factWithoutMessages, isBareEntity } from '../facts-and-entities.ts';
import { startingWith } from '../key-range.ts';
import type { Plan } from '../plan.ts';
import { getAllOf, getEach, uniqueBy } from '../rows.ts';
import type { EntityRow, FactRow } from '../schema.ts';
import type { ReadableStore, Transaction } from '../storage-engine.ts';

/** Returns what remains of a row when a part of it is forgotten. */
export interface Leftover {
  readonly fact: (fact: FactRow) => FactRow | undefined;
  readonly entity: (entity: EntityRow) => EntityRow;
}

/**
 * Plans the erasure of facts and entities with their messages, in every scope, because a memory may learn under
 * another scope.
 */
export async function planKnowledgeErasure(
  transaction: Transaction,
  { ids, wholeScopes }: Erasure,
): Promise<Plan[]> {
  const isElsewhere = ({ scope }: { scope: string }): boolean => !wholeScopes.has(scope);
  const facts = await getAllOf(transaction.objectStore('triples').index('messageIds'), ids);
  const entities = await getAllOf(transaction.objectStore('entities').index('messageIds'), ids);
  const plans = await planForgetting(transaction, facts.filter(isElsewhere), entities.filter(isElsewhere), {
    fact: (fact) => factWithoutMessages(fact, ids),
    entity: (entity) => entityWithoutMessages(entity, ids),
  });
  for (const scope of wholeScopes) plans.push(await planWholeScope(transaction, scope));
  return plans;
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
): Promise<Plan[]> {
  const scopes = new Set([...toldFacts, ...toldEntities].map((row) => row.scope));
  return Promise.all(
    Array.from(scopes, (scope) => {
      const isHere = (row: { scope: string }): boolean => row.scope === scope;
      const facts = uniqueBy(toldFacts.filter(isHere), ({ id }) => id);
      const entities = uniqueBy(toldEntities.filter(isHere), ({ key }) => key);
      return planInScope(transaction, scope, facts, entities, leftover);
    }),
  );
}

async function planInScope(
  transaction: Transaction,
  scope: string,
  toldFacts: readonly FactRow[],
  toldEntities: readonly EntityRow[],
  leftover: Leftover,
): Promise<Plan> {
  const store = transaction.objectStore('entities');
  const triples = transaction.objectStore('triples');
  const changed = new Map(toldFacts.map((fact) => [fact.id, leftover.fact(fact)]));
  const gone = toldFacts.filter(({ id }) => !changed.get(id));
  const ends = new Set(gone.flatMap((fact) => [fact.subjectKey, fact.objectKey]));
  for (const { key } of toldEntities) ends.delete(key);
  const atEnds = await getEach(
    store,
    Array.from(ends, (key): [string, string] => [scope, key]),
  );
  const entities = [...toldEntities, ...atEnds].map((entity) => {
    const left = leftover.entity(entity);
    return { left, lost: lostAliases(entity, left) };
  });
  // Facts of the entities that lose a name; then as they are after the change.
  const facts = new Map<string, FactRow>();
  const known = new Set(entities.map(({ left }) => left.key));
  const inFacts = new Set<string>();
  const goneIds = new Set(gone.map(idOf));
  for (const { left, lost } of entities) {
    if (lost.size === 0) {
      if (isBareEntity(left) && (await isInOtherFacts(triples, [scope, left.key], goneIds)))
        inFacts.add(left.key);
      continue;
    }
    for (const end of ['subject', 'object'] as const)
      for (const fact of await triples.index(end).getAll([scope, left.key])) facts.set(fact.id, fact);
    for (const key of lost) if ((await store.count([scope, key])) > 0) known.add(key);
  }
  for (const [id, fact] of changed) {
    if (fact) facts.set(id, fact);
    else facts.delete(id);
  }
  const made = new Map<string, EntityRow>();
  for (const { left, lost } of entities) {
    const moved = factsWithoutAliases([...facts.values()], left.key, lost);
    for (const fact of moved) {
      changed.set(fact.id, fact);
      facts.set(fact.id, fact);
    }
    // The entities at the other ends of these facts have rows, which stay.
    for (const end of entitiesOfFacts(moved))
      if (lost.has(end.key) && !known.has(end.key)) made.set(end.key, end);
  }
  for (const { subjectKey, objectKey } of facts.values())
    for (const key of [subjectKey, objectKey]) inFacts.add(key);
  const left = entities.map((entity) => entity.left);
  const bare = new Set(left.filter((entity) => isBareEntity(entity) && !inFacts.has(entity.key)));
  return {
    deletes: {
      packedKnowledge: [scope], // it contains names
      triples: gone.map(idOf),
      entities: Array.from(bare, ({ key }) => [scope, key]),
    },
    puts: {
      triples: [...changed.values()].filter((fact) => fact !== undefined),
      entities: [...left.filter((entity) => !bare.has(entity)), ...made.values()],
    },
    changes: [
      knowledgeChange(
        scope,
        { facts: [...changed.keys()], entities: [...left, ...made.values()].map(idOf) },
        true,
      ),
    ],
    counts: { facts: gone.length, entities: bare.size },
  };
}

/** Whether an entity is in other facts than these. Reads no more keys than there are of these. */
async function isInOtherFacts(
  triples: ReadableStore<'triples'>,
  entity: [string, string],
  factIds: ReadonlySet<string>,
): Promise<boolean> {
  for (const end of ['subject', 'object'] as const) {
    const ids = await triples.index(end).getAllKeys(entity, factIds.size + 1);
    if (ids.some((id) => !factIds.has(id))) return true;
  }
  return false;
}

/** Plans the removal of all knowledge of a scope, including what the user entered. */
async function planWholeScope(transaction: Transaction, scope: string): Promise<Plan> {
  const [facts, entities] = await Promise.all([
    transaction.objectStore('triples').index('scope').getAll(scope),
    transaction.objectStore('entities').getAll(startingWith(scope)),
  ]);
  if (facts.length + entities.length === 0) return {};
  return {
    deletes: {
      packedKnowledge: [scope],
      triples: facts.map(idOf),
      entities: [startingWith(scope)],
    },
    // Facts entered by hand have no message whose tombstone would keep a backup from restoring them.
    tombstones: facts.filter(({ source }) => source === 'user').map(({ id }) => id),
    changes: [knowledgeChange(scope, { facts: facts.map(idOf), entities: entities.map(idOf) }, true)],
    counts: { facts: facts.length, entities: entities.length },
  };
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** Returns the names that an entity was called by in erased messages only. */
function lostAliases(before: EntityRow, left: EntityRow): ReadonlySet<string> {
  const aliasKeys = ({ mentions }: EntityRow): string[] =>
    mentions.flatMap((mention) => mention.aliases.map(nameKey));
  const kept = new Set([left.key, ...aliasKeys(left)]);
  return new Set(aliasKeys(before).filter((key) => !kept.has(key)));
}

/** Returns the facts under a name that the entity has lost, changed to the entity that the name now means. */
function factsWithoutAliases(
  facts: readonly FactRow[],
  entityKey: string,
  lost: ReadonlySet<string>,
): FactRow[] {
  const keyFor = (key: string, said: string): string =>
    key === entityKey && lost.has(nameKey(said)) ? nameKey(said) : key;
  return facts.flatMap((fact) => {
    const subjectKey = keyFor(fact.subjectKey, fact.subject);
    const objectKey = keyFor(fact.objectKey, fact.object);
    const isMoved = subjectKey !== fact.subjectKey || objectKey !== fact.objectKey;
    return isMoved ? [{ ...fact, subjectKey, objectKey }] : [];
  });
}

/** Returns rows for the entities of facts that nothing else is known about. */
function entitiesOfFacts(facts: readonly FactRow[]): EntityRow[] {
  const ends = facts.flatMap(({ scope, subject, subjectKey, object, objectKey }) => [
    { scope, key: subjectKey, name: subject },
    { scope, key: objectKey, name: object },
  ]);
  const bare = { attributes: {}, isStandalone: false, mentions: [], messageIds: [] };
  return [...new Map(ends.map((end) => [end.key, { ...bare, ...end, id: newId() }])).values()];
}
