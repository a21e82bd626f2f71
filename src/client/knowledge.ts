import { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { AttributeMap, Triple } from '../graph/triple.ts';
import type { TripleListQuery } from '../graph/graph-query.ts';
import { checkName, checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { inThirdPerson } from '../knowledge/first-person.ts';
import type { KnowledgeDraft } from '../knowledge/knowledge-draft.ts';
import type { KnowledgeRows } from '../knowledge/knowledge-rows.ts';
import { aliasesOf, summaryOf } from '../storage/entity-text.ts';
import { factTombstones } from '../knowledge/learn-turns.ts';
import { entityTombstone } from '../storage/entity-tombstone.ts';
import type { FactRow } from '../storage/schema.ts';
import type { ForgetReceipt } from '../storage/transcript-store.ts';
import type { Engine } from './engine.ts';
import { learningQueue } from './queues.ts';

/** A fact of the memory, as known at the time asked about. */
export interface MemoryFact extends Triple {
  /** The user wants it in every context. */
  readonly isPinned: boolean;
}

/** {@link TripleListQuery} with whom the facts are about. */
export interface FactsQuery extends TripleListQuery {
  /** An entity, by its name or an alias; `I` and `me` are the user. @default all */
  readonly about?: string;
}

/** A person, place or thing that the memory knows of. */
export interface MemoryEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly attributes: AttributeMap;
  /** What was said of it, sentence after sentence; may be empty. */
  readonly summary: string;
  /** Ids of the messages that told of it. */
  readonly sources: readonly string[];
}

/** What the user changes of a fact. Times are in milliseconds since 1970. */
export type FactChange = Partial<Pick<Triple, 'subject' | 'predicate' | 'object' | 'validFrom' | 'validTo'>>;

const FACTS_OPTIONS: readonly (keyof FactsQuery)[] = ['about', 'validAt', 'knownAt', 'includeHistory'];
const CHANGE_OPTIONS: readonly (keyof FactChange)[] = [
  'subject',
  'predicate',
  'object',
  'validFrom',
  'validTo',
];

/** @throws MnemoraError `invalid-option`, `invalid-input` */
export async function listFacts(engine: Engine, query: FactsQuery): Promise<MemoryFact[]> {
  checkOptionNames('facts', query, FACTS_OPTIONS);
  const { about, ...rest } = query;
  const rows = await engine.graph.rows();
  const meant = about === undefined ? {} : { about: inUsersPlace(checkName('The name of an entity', about)) };
  return rows.graph.triples({ ...rest, ...meant }).map((fact) => toFact(rows, fact));
}

export async function listEntities(engine: Engine): Promise<MemoryEntity[]> {
  const rows = await engine.graph.rows();
  const told = new Map(rows.entities().map((row) => [row.key, new Set(row.messageIds)]));
  for (const { subjectKey, objectKey, sources } of rows.facts()) {
    for (const { messageId, isContext } of sources) {
      if (isContext) continue;
      for (const key of [subjectKey, objectKey]) told.get(key)?.add(messageId);
    }
  }
  return rows.entities().map((row) => ({
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    summary: summaryOf(row),
    sources: [...(told.get(row.key) ?? [])],
  }));
}

/** A copy of the graph. */
export async function copyGraph(engine: Engine): Promise<KnowledgeGraph> {
  const rows = await engine.graph.rows();
  const { clock, singleValued } = engine.settings;
  return KnowledgeGraph.fromRecords(rows.graph.toRecords(), {
    clock,
    ...(singleValued ? { singleValued } : {}),
  });
}

/**
 * Puts what the user says in the place of a fact, which stays as history that never held.
 *
 * @throws MnemoraError `not-found`, `invalid-input`
 */
export async function correctFact(engine: Engine, id: string, change: FactChange): Promise<MemoryFact> {
  if (Object.keys(change ?? {}).length === 0) {
    throw new MnemoraError('invalid-input', `Say what to correct: ${CHANGE_OPTIONS.join(', ')}.`);
  }
  checkOptionNames('correct', change, CHANGE_OPTIONS);
  let correctedId = '';
  const isStored = await engine.graph.update((draft) => {
    const row = requireFact(draft, id);
    const { subject, predicate, object, validFrom, validTo, sources, attributes, supersedes } = row;
    // Who corrects what was corrected already means to replace that too.
    const earlier = draft.graph
      .view()
      .successors(id)
      .filter((fact) => fact.source === 'user')
      .map((fact) => fact.id);
    const corrected = draft.graph.addTriple({
      subject,
      predicate,
      object,
      validFrom,
      ...(validTo === undefined ? {} : { validTo }),
      ...inOwnWords(change),
      sources,
      attributes,
      // What it had replaced stays replaced: else correcting a correction would bring the first wording back.
      supersedes: [...new Set([id, ...earlier, ...supersedes.filter((other) => draft.fact(other))])],
      source: 'user',
    });
    if (row.isPinned) {
      draft.setPinned(id, false);
      draft.setPinned(corrected.id, true);
    }
    correctedId = corrected.id;
  });
  if (!isStored) throw withoutSource(id);
  engine.written();
  const rows = await engine.graph.rows();
  const corrected = rows.graph.view().triple(correctedId);
  if (corrected) return toFact(rows, corrected);
  throw new MnemoraError('not-found', `The fact "${id}" was forgotten while it was being corrected.`);
}

/** @throws MnemoraError `not-found` */
export async function pinFact(engine: Engine, id: string, isPinned: boolean): Promise<void> {
  const isStored = await engine.graph.update((draft) => {
    requireFact(draft, id);
    draft.setPinned(id, isPinned);
  });
  if (!isStored) throw withoutSource(id);
  engine.written();
}

/**
 * Erases an entity and the facts in which it takes part, and leaves tombstones, so that it is not learnt again from the
 * same messages. @throws MnemoraError `not-found`
 */
export async function forgetEntity(
  engine: Engine,
  name: string,
): Promise<{ receipt: ForgetReceipt; sources: string[] }> {
  let erased: { facts: FactRow[]; sources: string[] } = { facts: [], sources: [] };
  await engine.graph.update(async (draft) => {
    const waiting = await waitingMessages(engine);
    const key = keyOf(draft.graph, name);
    const entity = draft.entity(key);
    if (!entity && !draft.graph.graph.hasNode(key)) {
      throw new MnemoraError('not-found', `No entity is called "${name}". Nothing was forgotten.`);
    }
    const facts = draft.factsAt(key);
    const names = draft.namesOf(key);
    const sources = [
      ...new Set([...facts.flatMap((fact) => fact.messageIds), ...(entity?.messageIds ?? [])]),
    ];
    draft.addTombstones([
      // By each of its names: without the aliases, which go as well, none of them stands for the others.
      ...['', ...sources, ...waiting].flatMap((messageId) =>
        names.map((known) => entityTombstone(messageId, known)),
      ),
      ...facts.map((fact) => fact.id), // what was entered by hand is in backups, and came from no message
    ]);
    draft.dropEntity(key);
    erased = { facts, sources };
  });
  return { receipt: receiptOf({ facts: erased.facts.length, entities: 1 }), sources: erased.sources };
}

/** Erases a fact for good. @throws MnemoraError `not-found` */
export async function forgetFact(engine: Engine, id: string): Promise<ForgetReceipt> {
  await engine.graph.update(async (draft) => {
    const waiting = await waitingMessages(engine);
    draft.addTombstones([id, ...factTombstones(draft, requireFact(draft, id), waiting)]);
    draft.graph.deleteTriple(id);
  });
  return receiptOf({ facts: 1, entities: 0 });
}

/** Of turns that are still to be learnt from: they were said before it was forgotten. */
async function waitingMessages(engine: Engine): Promise<string[]> {
  const { jobs, transcript } = engine.stores;
  const queued = await jobs.list([learningQueue(engine.settings.scope)]);
  const turns = await transcript.loadTurns([...new Set(queued.flatMap((job) => job.turnIds))]);
  return turns.flat().map((message) => message.id);
}

function receiptOf(counts: Pick<ForgetReceipt, 'facts' | 'entities'>): ForgetReceipt {
  return { messages: 0, turns: 0, sessions: 0, documents: 0, vectors: 0, summaries: 0, ...counts };
}

function requireFact(draft: KnowledgeDraft, id: string): FactRow {
  const row = draft.fact(id);
  if (row) return row;
  throw new MnemoraError('not-found', `There is no fact with the id "${id}". Nothing was changed.`);
}

/** `I` and `me` are the user, as where facts are asked for. */
function inOwnWords(change: FactChange): FactChange {
  const { subject, object } = change;
  return {
    ...change,
    ...(typeof subject === 'string' ? { subject: inUsersPlace(subject) } : {}),
    ...(typeof object === 'string' ? { object: inUsersPlace(object) } : {}),
  };
}

function inUsersPlace(name: string): string {
  const said = inThirdPerson(name, 'user');
  return 'name' in said ? said.name : name;
}

function withoutSource(id: string): MnemoraError {
  return new MnemoraError(
    'not-found',
    `A message that the fact "${id}" came from is not there any more. Nothing was changed; rebuild() clears this up.`,
  );
}

/** The key of the entity that a name means: the user by `I`, Sam by `Sam's`. */
function keyOf(graph: KnowledgeGraph, name: string): string {
  const said = inUsersPlace(checkName('The name of an entity', name));
  return graph.nodeKey(graph.entity(said)?.name ?? said);
}

function toFact(rows: KnowledgeRows, fact: Triple): MemoryFact {
  return { ...fact, isPinned: rows.fact(fact.id)?.isPinned === true };
}
