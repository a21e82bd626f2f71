import { recordChange } from './change-log.ts';
import type { Transaction } from './connection.ts';
import { dropTurnsFromJobs, enqueueJobs } from './job-rows.ts';
import { dropPacked } from './packed-knowledge.ts';
import type { EntityRow, FactRow, MessageRecord, StoreName } from './schema.ts';
import type { ForgetReceipt } from './transcript-store.ts';
import {
  coversAny,
  entitiesOfFacts,
  entityWithoutMessages,
  factsWithoutAliases,
  factWithoutMessages,
  isBareEntity,
  lostAliases,
} from './without-messages.ts';

/** What is derived from messages, and goes with them. */
export const DERIVED_STORES: readonly StoreName[] = ['summaries', 'entities', 'triples', 'jobs', 'meta'];

export type ErasedKnowledge = Pick<ForgetReceipt, 'facts' | 'entities' | 'summaries'>;

/**
 * Erases what was derived from messages alone: facts, mentions, every summary that covers one, and queued work. To be
 * called when the messages are deleted already, in their transaction.
 */
export async function eraseDerived(
  transaction: Transaction<'readwrite'>,
  rows: readonly MessageRecord[],
): Promise<ErasedKnowledge> {
  const erased: ErasedKnowledge = { facts: 0, entities: 0, summaries: 0 };
  const knowledge = await eraseKnowledge(transaction, new Set(rows.map((row) => row.id)));
  erased.facts += knowledge.facts;
  erased.entities += knowledge.entities;
  for (const sessionId of new Set(rows.map((row) => row.sessionId))) {
    const ofSession = rows.filter((row) => row.sessionId === sessionId);
    await dropJobs(transaction, sessionId, ofSession);
    erased.summaries += await eraseSummaries(transaction, sessionId, ofSession);
  }
  return erased;
}

/** Erases all that a scope knows, what the user entered included, and all work queued in it. */
export async function eraseScope(
  transaction: Transaction<'readwrite'>,
  scope: string,
): Promise<ErasedKnowledge> {
  const triples = transaction.objectStore('triples');
  const entities = transaction.objectStore('entities');
  const summaries = transaction.objectStore('summaries');
  const jobs = transaction.objectStore('jobs');
  const ofScope = IDBKeyRange.bound([scope], [scope, []]);
  const [facts, names, covered, queued] = await Promise.all([
    triples.index('scope').getAllKeys(scope),
    entities.getAll(ofScope),
    summaries.index('scope').getAllKeys(scope),
    jobs.index('scope').getAllKeys(scope),
  ]);
  await Promise.all([
    ...facts.map((id) => triples.delete(id)),
    entities.delete(ofScope),
    ...covered.map((key) => summaries.delete(key)),
    ...queued.map((id) => jobs.delete(id)),
  ]);
  if (facts.length + names.length > 0) {
    const ids = names.map((entity) => entity.id);
    await dropPacked(transaction, scope);
    await recordChange(transaction, { kind: 'knowledge', scope, facts: [...facts], entities: ids });
  }
  return { facts: facts.length, entities: names.length, summaries: covered.length };
}

/** In every scope: a memory may keep what it learns under another one than the session's. */
async function eraseKnowledge(
  transaction: Transaction<'readwrite'>,
  ids: ReadonlySet<string>,
): Promise<{ facts: number; entities: number }> {
  const triples = transaction.objectStore('triples').index('messageIds');
  const entities = transaction.objectStore('entities').index('messageIds');
  const [facts, named] = await Promise.all([
    Promise.all([...ids].map((id) => triples.getAll(id))),
    Promise.all([...ids].map((id) => entities.getAll(id))),
  ]);
  const erased = { facts: 0, entities: 0 };
  for (const scope of new Set([...facts, ...named].flat().map((row) => row.scope))) {
    const ofScope = <Row extends { scope: string }>(rows: Row[][]): Row[] =>
      rows.flat().filter((row) => row.scope === scope);
    const inScope = await eraseFromScope(transaction, scope, ids, ofScope(facts), ofScope(named));
    erased.facts += inScope.facts;
    erased.entities += inScope.entities;
  }
  return erased;
}

async function eraseFromScope(
  transaction: Transaction<'readwrite'>,
  scope: string,
  ids: ReadonlySet<string>,
  toldFacts: readonly FactRow[],
  toldEntities: readonly EntityRow[],
): Promise<{ facts: number; entities: number }> {
  const triples = transaction.objectStore('triples');
  const entities = transaction.objectStore('entities');
  const facts = new Map(toldFacts.map((fact) => [fact.id, fact]));
  const touched = new Map(toldEntities.map((entity) => [entity.key, entity]));
  const gone = [...facts.values()].filter((fact) => !factWithoutMessages(fact, ids));
  await Promise.all(
    [...facts.values()].map((fact) => {
      const left = factWithoutMessages(fact, ids);
      return left ? triples.put(left) : triples.delete(fact.id);
    }),
  );
  for (const key of new Set(gone.flatMap((fact) => [fact.subjectKey, fact.objectKey]))) {
    const entity = touched.has(key) ? undefined : await entities.get([scope, key]);
    if (entity) touched.set(key, entity);
  }
  const left = Array.from(touched.values(), (entity) => entityWithoutMessages(entity, ids));
  const moved = { facts: [] as string[], entities: [] as string[] };
  for (const entity of left) {
    const lost = lostAliases(touched.get(entity.key) ?? entity, entity);
    if (lost.size === 0) continue;
    const { facts: movedFacts, entities: made } = await moveFacts(transaction, entity, lost);
    moved.facts.push(...movedFacts);
    moved.entities.push(...made);
  }
  let erasedEntities = 0;
  for (const entity of left) {
    if (isBareEntity(entity) && (await factsAt(transaction, entity)).length === 0) {
      erasedEntities += 1;
      await entities.delete([scope, entity.key]);
    } else await entities.put(entity);
  }
  await dropPacked(transaction, scope);
  await recordChange(transaction, {
    kind: 'knowledge',
    scope,
    facts: [...new Set([...facts.keys(), ...moved.facts])],
    entities: [...left.map((entity) => entity.id), ...moved.entities],
  });
  return { facts: gone.length, entities: erasedEntities };
}

/** Moves the facts of an entity that has lost names. Returns the ids of those, and of the entities made for them. */
async function moveFacts(
  transaction: Transaction<'readwrite'>,
  entity: EntityRow,
  lost: ReadonlySet<string>,
): Promise<{ facts: string[]; entities: string[] }> {
  const triples = transaction.objectStore('triples');
  const entities = transaction.objectStore('entities');
  const moved = factsWithoutAliases(await factsAt(transaction, entity), entity.key, lost);
  await Promise.all(moved.map((fact) => triples.put(fact)));
  const made: string[] = [];
  for (const end of entitiesOfFacts(moved)) {
    if ((await entities.count([end.scope, end.key])) > 0) continue;
    await entities.put(end);
    made.push(end.id);
  }
  return { facts: moved.map((fact) => fact.id), entities: made };
}

async function factsAt(transaction: Transaction, { scope, key }: EntityRow): Promise<FactRow[]> {
  const triples = transaction.objectStore('triples');
  const atEnds = await Promise.all([
    triples.index('subject').getAll([scope, key]),
    triples.index('object').getAll([scope, key]),
  ]);
  return [...new Map(atEnds.flat().map((fact) => [fact.id, fact])).values()];
}

async function dropJobs(
  transaction: Transaction<'readwrite'>,
  sessionId: string,
  rows: readonly MessageRecord[],
): Promise<void> {
  const byTurn = transaction.objectStore('messages').index('turnId');
  const turnIds = [...new Set(rows.map((row) => row.turnId))];
  const left = await Promise.all(turnIds.map((turnId) => byTurn.count(turnId)));
  await dropTurnsFromJobs(
    transaction,
    sessionId,
    new Set(turnIds.filter((_turnId, position) => left[position] === 0)),
  );
}

async function eraseSummaries(
  transaction: Transaction<'readwrite'>,
  sessionId: string,
  rows: readonly MessageRecord[],
): Promise<number> {
  const summaries = transaction.objectStore('summaries');
  const ofSession = IDBKeyRange.bound([sessionId], [sessionId, []]);
  const seqs = rows.map((row) => row.seq);
  const covering = (await summaries.getAll(ofSession)).filter((summary) => coversAny(summary, seqs));
  const isEmpty = (await transaction.objectStore('messages').count(ofSession)) === 0;
  for (const { memoryId, queue, scope } of covering) {
    await summaries.delete([sessionId, memoryId]);
    if (queue === undefined || isEmpty) continue;
    await enqueueJobs(transaction, [{ queue }], { scope, sessionId, turnIds: [], now: Date.now() });
  }
  return covering.length;
}
