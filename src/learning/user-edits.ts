import { viewOf, type FactGraph } from '../graph/fact-graph.ts';
import { nameKeysOf } from '../graph/standing-name.ts';
import type { Triple } from '../graph/triple.ts';
import { checkName } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { entityTombstones } from '../storage/entity-tombstone.ts';
import type { FactRow } from '../storage/schema.ts';
import { inThirdPerson } from './first-person.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import { factTombstones } from './apply-extraction.ts';
import { forgetStatements, statementsQuoted } from './statements/forgotten-statements.ts';

/** What the user changes of a fact. Times are in milliseconds since 1970. */
export type FactChange = Partial<Pick<Triple, 'subject' | 'predicate' | 'object' | 'validFrom' | 'validTo'>>;

/**
 * Puts what the user says in the place of a fact, which stays as history that never held. Returns the id of the new one.
 *
 * @throws MnemoraError `not-found`, `invalid-input`
 */
export function correctFact(draft: KnowledgeDraft, id: string, change: FactChange): string {
  const row = requireFact(draft, id);
  const { subject, predicate, object, validFrom, validTo, sources, attributes, supersedes } = row;
  // Who corrects what was corrected already means to replace that too.
  const earlier = viewOf(draft.graph)
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
  forgetStatements(draft, statementsQuoted(draft, sources));
  if (row.isPinned) {
    draft.setPinned(id, false);
    draft.setPinned(corrected.id, true);
  }
  return corrected.id;
}

/** @throws MnemoraError `not-found` */
export function pinFact(draft: KnowledgeDraft, id: string, isPinned: boolean): void {
  requireFact(draft, id);
  draft.setPinned(id, isPinned);
}

/** An entity that is taken out of the graph, and what else is to be known to forget it. */
export interface ForgottenEntity {
  /** How many facts it took part in. */
  readonly facts: number;
  /** The messages that told of it. */
  readonly sources: readonly string[];
  /** All that it is called: its names, and parts of them that mean nobody else. */
  readonly names: readonly string[];
}

/**
 * Takes an entity out of the graph, with the facts in which it takes part, and leaves tombstones, so that it is not
 * learned again from the same messages.
 *
 * @param waiting messages that are still to be learned from: they were said before it was forgotten
 * @throws MnemoraError `not-found`
 */
export function forgetEntity(
  draft: KnowledgeDraft,
  name: string,
  waiting: readonly string[],
): ForgottenEntity {
  const key = keyOf(draft.graph, name);
  const entity = draft.entity(key);
  if (!entity && !draft.hasNode(key)) {
    throw new MnemoraError('not-found', `No entity is called "${name}". Nothing was forgotten.`);
  }
  const atEntity = draft.factsAt(key);
  const facts = [...atEntity, ...correctedBy(draft, atEntity)];
  const names = namesMeaning(draft, key);
  const sources = [...new Set([...facts.flatMap((fact) => fact.messageIds), ...(entity?.messageIds ?? [])])];
  const stated = draft.statements().filter(({ text }) => draft.rows.entitiesIn(text).includes(key));
  forgetStatements(draft, stated);
  const messageIds = new Set(['', ...sources, ...waiting, ...stated.map(({ messageId }) => messageId)]);
  draft.addTombstones([
    // By each of its names: without the aliases, which go as well, none of them stands for the others.
    ...[...messageIds].flatMap((messageId) => entityTombstones(messageId, names.flatMap(nameKeysOf))),
    ...facts.map((fact) => fact.id), // what was entered by hand is in backups, and came from no message
    ...facts.slice(atEntity.length).flatMap((fact) => factTombstones(draft, fact, waiting)),
  ]);
  for (const { id } of facts.slice(atEntity.length)) draft.graph.deleteTriple(id);
  draft.dropEntity(key);
  return { facts: facts.length, sources, names };
}

/** The names of an entity as they are written, and those first and last words of them that stand for it alone. */
function namesMeaning(draft: KnowledgeDraft, key: string): string[] {
  const entity = draft.graph.entity(key);
  const names = [entity?.name ?? key, ...(entity?.aliases ?? [])];
  const parts = names.flatMap((name) => {
    const words = name.trim().split(/\s+/u);
    return words.length > 1 ? [words[0] ?? '', words.at(-1) ?? ''] : [];
  });
  const meaning = parts.filter((part) => draft.rows.entitiesIn(part).includes(key));
  return [...new Set([...names, ...meaning])];
}

/**
 * Erases a fact for good.
 *
 * @param waiting messages that are still to be learned from: they were said before it was forgotten
 * @throws MnemoraError `not-found`
 */
export function forgetFact(draft: KnowledgeDraft, id: string, waiting: readonly string[]): void {
  const fact = requireFact(draft, id);
  for (const each of [fact, ...correctedBy(draft, [fact])]) {
    draft.addTombstones([each.id, ...factTombstones(draft, each, waiting)]);
    forgetStatements(draft, statementsQuoted(draft, each.sources));
    draft.graph.deleteTriple(each.id);
  }
}

/**
 * What the user has put these facts in the place of: it was declared wrong, and must not be believed again when the
 * correction goes.
 */
function correctedBy(draft: KnowledgeDraft, facts: readonly FactRow[]): FactRow[] {
  const given = new Set(facts.map((fact) => fact.id));
  const named = facts.flatMap((fact) => (fact.source === 'user' ? fact.supersedes : []));
  return [...new Set(named)].flatMap((id) => {
    const row = given.has(id) ? undefined : draft.fact(id);
    const said = row && viewOf(draft.graph).triple(id);
    // One that held for a time before the corrected one stays.
    return row && said?.validTo === said?.validFrom ? [row] : [];
  });
}

/**
 * Erases what was learned from messages. A fact that the user has corrected stays as what the correction is about, so
 * that it is not learned again beside it.
 */
export function dropLearnt(draft: KnowledgeDraft): void {
  const facts = draft.facts();
  const corrected = new Set(facts.flatMap((fact) => (fact.source === 'user' ? fact.supersedes : [])));
  for (const fact of facts) {
    const isKept = fact.source === 'user' || fact.isPinned || corrected.has(fact.id);
    if (!isKept) draft.graph.deleteTriple(fact.id);
  }
  draft.dropStatements(draft.statements().map(({ id }) => id));
  draft.setLearnedTurns(0);
  for (const entity of draft.entities()) {
    const own = entity.mentions.filter((mention) => mention.messageIds.length === 0);
    if (own.length < entity.mentions.length) draft.setMentions(entity.name, own);
  }
}

/** A name that a person has typed: `I` and `me` are the user. */
export function nameTyped(name: string): string {
  const said = inThirdPerson(name, 'user');
  return 'name' in said ? said.name : name;
}

function inOwnWords(change: FactChange): FactChange {
  const { subject, object } = change;
  return {
    ...change,
    ...(typeof subject === 'string' ? { subject: nameTyped(subject) } : {}),
    ...(typeof object === 'string' ? { object: nameTyped(object) } : {}),
  };
}

/** The key of the entity that a name means: the user by `I`, Sam by `Sam's`. */
function keyOf(graph: FactGraph, name: string): string {
  const said = nameTyped(checkName('The name of an entity', name));
  return graph.nodeKey(graph.entity(said)?.name ?? said);
}

function requireFact(draft: KnowledgeDraft, id: string): FactRow {
  const row = draft.fact(id);
  if (row) return row;
  throw new MnemoraError('not-found', `There is no fact with the id "${id}". Nothing was changed.`);
}
