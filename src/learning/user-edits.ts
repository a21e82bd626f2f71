import type { FactGraph } from '../graph/fact-graph.ts';
import { nameMatcher } from '../graph/name-matcher.ts';
import type { AttributeMap, Triple } from '../graph/triple.ts';
import { isPersonal } from '../language/question-features.ts';
import { splitSentences } from '../language/sentences.ts';
import { checkName } from '../model/check-options.ts';
import { invalidInput, MnemoraError } from '../model/error.ts';
import { forgottenWords, isReadFrom, type ForgottenWords } from '../storage/forgetting/forgotten-words.ts';
import type { ClaimRow, FactRow } from '../storage/schema.ts';
import { factTombstones } from './apply-extraction.ts';
import { inThirdPerson, USER_NAME } from './first-person.ts';
import { isConfirmation, saysSame } from './claims/fact-words.ts';
import { Truth } from './claims/truth.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import type { RowsNaming } from './rows-naming.ts';
import { forgetClaims, claimsQuoted } from './claims/forgotten-claims.ts';

/** The fields of a fact that the user changes. Times are in milliseconds since 1970. */
export type FactChange = Partial<Pick<Triple, 'subject' | 'predicate' | 'object' | 'validFrom' | 'validTo'>>;

/** A fact that the user enters. Times are in milliseconds since 1970. */
export type EnteredFact = Pick<Triple, 'subject' | 'predicate' | 'object'> &
  Partial<Pick<Triple, 'validFrom' | 'validTo'>>;

/**
 * Replaces a fact with what the user says. The old one stays in the history as never true. Returns the id of the new
 * one.
 *
 * @throws MnemoraError `not-found`, `invalid-input`
 */
export function correctFact(draft: KnowledgeDraft, id: string, change: FactChange): string {
  const row = requireFact(draft, id);
  const { subject, predicate, object, validFrom, validTo, sources, attributes, supersedes } = row;
  // Correcting a fact again also replaces its earlier correction.
  const corrections = correctionsOf(draft, id);
  const earlier = corrections.map((fact) => fact.id);
  const end = validTo ?? (corrections.length > 0 ? corrections.at(-1)?.validTo : endTold(draft, row));
  const corrected = draft.graph.addTriple({
    subject,
    predicate,
    object,
    validFrom,
    ...(end === undefined ? {} : { validTo: Math.max(end, change.validFrom ?? validFrom) }),
    ...inOwnWords(change),
    sources,
    attributes: withoutProposal(attributes),
    // What the old fact had superseded stays superseded. Otherwise correcting a correction would restore the first
    // wording.
    supersedes: [...new Set([id, ...earlier, ...supersedes.filter((other) => draft.rows.facts.get(other))])],
    source: 'user',
  });
  if (row.isPinned) {
    draft.setPinned(id, false);
    draft.setPinned(corrected.id, true);
  }
  return corrected.id;
}

/**
 * Returns the facts by which the user has corrected this one, the last one last. A correction also supersedes what its fact
 * had superseded: it corrects that fact, and not those before.
 */
function correctionsOf(draft: KnowledgeDraft, id: string): FactRow[] {
  const successors = draft
    .view()
    .successors(id)
    .map((fact) => requireFact(draft, fact.id));
  const read = new Set(successors.flatMap((fact) => (fact.source === 'user' ? [] : fact.id)));
  return successors
    .filter(({ source, supersedes }) => source === 'user' && !supersedes.some((each) => read.has(each)))
    .toSorted((a, b) => a.seq - b.seq);
}

/** Returns when a fact ended by what was said; undefined if it holds, or was taken back. */
function endTold(draft: KnowledgeDraft, { id, validFrom }: FactRow): number | undefined {
  const end = new Truth(draft.rows, {}).endOfFact({ id });
  return !end || end.isRetracted || end.isRejected ? undefined : Math.max(end.at, validFrom);
}

/** What the user says is no proposal any more. */
function withoutProposal({ isProposal: _proposed, ...attributes }: AttributeMap): AttributeMap {
  return attributes;
}

/**
 * Ends a fact that the user says is over, or its last correction if the user has corrected it. What the user says stays when
 * facts are learned again. Returns the id of the fact that records it. Nothing changes if the user has ended it before.
 *
 * @throws MnemoraError `not-found`
 */
export function endFact(draft: KnowledgeDraft, id: string): string {
  const row = requireFact(draft, correctionsOf(draft, id).at(-1)?.id ?? id);
  const now = Math.max(draft.graph.now(), row.validFrom);
  if (row.validTo !== undefined && row.validTo <= now) return row.id;
  return correctFact(draft, row.id, { validTo: Math.min(now, endTold(draft, row) ?? now) });
}

/**
 * Adds a fact that the user enters. It replaces what it contradicts, also if the clock was put back since that was said.
 * Returns its id.
 *
 * @throws MnemoraError `invalid-input`
 */
export function addFact(draft: KnowledgeDraft, fact: EnteredFact): string {
  const entered = { ...fact, ...inOwnWords(fact), source: 'user' } as const;
  const begun = fact.validFrom === undefined ? draft.view().rivals(entered) : [];
  const now = Math.max(draft.graph.now(), ...begun.map(({ validFrom }) => validFrom + 1));
  return draft.graph.addTriple(begun.length > 0 ? { ...entered, validFrom: now, recordedAt: now } : entered)
    .id;
}

/**
 * Keeps a fact as one that the user does not accept: it never held, is not learned again from its messages, and their
 * words are marked.
 *
 * @throws MnemoraError `not-found`
 */
export function rejectFact(draft: KnowledgeDraft, id: string): void {
  const { validFrom, retraction } = requireFact(draft, id);
  if (!retraction) draft.graph.retractTriple(id, { validTo: validFrom });
  draft.setRejected(id);
}

/** @throws MnemoraError `not-found` */
export function pinFact(draft: KnowledgeDraft, id: string, isPinned: boolean): void {
  requireFact(draft, id);
  draft.setPinned(id, isPinned);
}

/** What was removed from the graph, and what is needed to forget it elsewhere. */
export interface ForgottenEntity {
  /** Number of erased facts. */
  readonly facts: number;
  /** Ids of the messages that mentioned it. */
  readonly sources: readonly string[];
  /** Ids of the messages from which its names must not be learned again. */
  readonly keptFrom: readonly string[];
  /** Whether the graph knew the entity. */
  readonly isKnown: boolean;
}

/**
 * Returns all names of an entity, and the parts of them that mean nobody else; of an unknown entity, the given name.
 */
export function namesOfEntity(rows: KnowledgeRows, name: string): string[] {
  const key = keyOf(rows.graph, name);
  return isKnown(rows, key) ? namesMeaning(rows, key) : [name];
}

/** Returns whether anything is known of an entity, given by one of its names. */
export function isEntityKnown(rows: KnowledgeRows, name: string): boolean {
  return isKnown(rows, keyOf(rows.graph, name));
}

function isKnown({ graph, entities }: KnowledgeRows, key: string): boolean {
  return entities.get(key) !== undefined || graph.entity(key) !== undefined;
}

/**
 * Removes an entity and its facts from the graph and adds tombstones of the facts, so that they are not learned again
 * from the same messages. Does nothing if the entity is unknown.
 *
 * @param waiting messages that have not been learned from yet but were sent before this call
 * @param naming the claims that can name it
 */
export function forgetEntity(
  draft: KnowledgeDraft,
  name: string,
  waiting: readonly string[],
  naming: readonly ClaimRow[] = draft.claims(),
): ForgottenEntity {
  const key = keyOf(draft.graph, name);
  const entity = draft.entity(key);
  if (!isKnown(draft.rows, key)) {
    return { facts: 0, sources: [], keptFrom: waiting, isKnown: false };
  }
  const atEntity = draft.factsAt(key);
  const facts = [...atEntity, ...correctedBy(draft, atEntity)];
  const sources = [...new Set([...facts.flatMap((fact) => fact.messageIds), ...(entity?.messageIds ?? [])])];
  const isUser = key === draft.graph.nodeKey(USER_NAME);
  // Claims about the user do not name them.
  const stated = isUser
    ? [
        ...draft.claims().filter(({ origin, text }) => origin === 'user' && isPersonal(text)),
        ...claimsQuoted(
          draft,
          facts.flatMap((fact) => fact.sources),
        ),
      ]
    : naming.filter(({ text }) => draft.rows.entitiesIn(text).includes(key));
  forgetClaims(draft, stated);
  draft.addTombstones([
    ...facts.map((fact) => fact.id), // facts that the user entered have no message but can be in backups
    ...facts.slice(atEntity.length).flatMap((fact) => factTombstones(draft, fact, waiting)),
  ]);
  for (const { id } of facts.slice(atEntity.length)) draft.graph.deleteTriple(id);
  draft.dropEntity(key);
  const keptFrom = [...sources, ...waiting, ...stated.map(({ messageId }) => messageId)];
  return { facts: facts.length, sources, keptFrom, isKnown: true };
}

/**
 * Adds tombstones for what was read from words, so that it is not learned again from the same messages.
 *
 * @param naming ids of the messages that contain the words
 * @param rows the rows that can contain the words, or that can be derived from them
 */
export function forgetWords(
  draft: KnowledgeDraft,
  text: string,
  words: ForgottenWords,
  naming: ReadonlySet<string>,
  rows: RowsNaming,
): void {
  const inText = nameMatcher([text]);
  const reading = {
    inTextOf: (messageId: string, quote: string) =>
      naming.has(messageId) && (inText(quote) || words.isDerived(quote)),
    isSaidIn: (messageId: string, said: string) => naming.has(messageId) && words.holds(said),
  };
  for (const fact of rows.facts) {
    const read = fact.sources.filter((source) => isReadFrom(source, fact.object, reading));
    if (read.length === 0) continue;
    const messageIds = read.map(({ messageId }) => messageId);
    draft.addTombstones(factTombstones(draft, { ...fact, messageIds }, []));
  }
  forgetClaims(
    draft,
    rows.claims.filter((stated) => reading.inTextOf(stated.messageId, stated.text)),
  );
}

/** Returns tests for what was derived from these words. */
export function wordsToForget(text: string): ForgottenWords {
  return forgottenWords(splitSentences(text));
}

/** Returns the names of an entity as written, and the first and last words of them that mean this entity alone. */
function namesMeaning(rows: KnowledgeRows, key: string): string[] {
  const entity = rows.graph.entity(key);
  const names = [entity?.name ?? key, ...(entity?.aliases ?? [])];
  const parts = names.flatMap((name) => {
    const words = name.trim().split(/\s+/u);
    return words.length > 1 ? [words[0] ?? '', words.at(-1) ?? ''] : [];
  });
  const meaning = parts.filter((part) => rows.entitiesIn(part).includes(key));
  return [...new Set([...names, ...meaning])];
}

/**
 * Erases a fact for good. What it corrected does not hold again, because the user has said that it never did.
 *
 * @param waiting messages that have not been learned from yet but were sent before this call
 * @throws MnemoraError `not-found`
 */
export function forgetFact(draft: KnowledgeDraft, id: string, waiting: readonly string[]): void {
  const fact = requireFact(draft, id);
  const erased = [fact];
  for (const wrong of correctedBy(draft, [fact])) {
    // What the user has confirmed or ended says what is to be forgotten.
    if (saysSame(wrong, fact)) erased.push(wrong);
    else rejectFact(draft, wrong.id);
  }
  for (const each of erased) {
    draft.addTombstones([each.id, ...factTombstones(draft, withoutOwnWords(draft, each), waiting)]);
    // A correction has the sources of what it corrects, and is not in their words.
    if (each.source !== 'user' || isConfirmation(each))
      forgetClaims(draft, claimsQuoted(draft, each.sources));
  }
  for (const each of erased) draft.graph.deleteTriple(each.id);
}

/**
 * Erases a claim for good, with the facts that only it supports.
 *
 * @param waiting messages that have not been learned from yet but were sent before this call
 * @throws MnemoraError `not-found`
 */
export function forgetClaim(draft: KnowledgeDraft, id: string, waiting: readonly string[]): void {
  const claim = draft.claim(id);
  if (!claim)
    throw new MnemoraError('not-found', `There is no claim with the id "${id}". Nothing was changed.`);
  const said = new Truth(draft.rows, {}).factsOf(claim);
  const erased = said.filter(({ sources }) =>
    sources.every(({ isContext, messageId }) => isContext === true || messageId === claim.messageId),
  );
  // "I quit my job" says again, as ended, what only this claim has named.
  const again = erased.flatMap((fact) => sameStatements(draft, fact, claim.messageId));
  const all = [...new Set([...erased, ...again])];
  for (const fact of all) {
    const tombstones = factTombstones(draft, withoutOwnWords(draft, fact, all), waiting);
    draft.addTombstones([fact.id, ...tombstones]);
  }
  for (const { id: factId } of all) draft.graph.deleteTriple(factId);
  // Others say it as well, and it must not go on holding by the forgotten words when they no longer do.
  for (const fact of said.filter((each) => !all.includes(each) && each.source !== 'user')) {
    draft.addTombstones(factTombstones(draft, { ...fact, messageIds: [claim.messageId] }, []));
    draft.dropSource(fact.id, claim.messageId);
  }
  forgetClaims(draft, [claim]);
}

/** Returns the facts of other messages that say the same and have their words from this one. */
function sameStatements(draft: KnowledgeDraft, fact: FactRow, messageId: string): FactRow[] {
  return draft
    .factsAt(fact.subjectKey)
    .filter(
      (other) =>
        other.source !== 'user' &&
        saysSame(fact, other) &&
        other.sources.some((source) => source.messageId === messageId && source.isContext === true),
    );
}

/**
 * Returns a fact without the messages that it only has words from and that say it themselves: "I quit the choir" is
 * forgotten, and "I sing in the choir" holds again.
 *
 * @param erased facts that are forgotten together with it
 */
function withoutOwnWords(draft: KnowledgeDraft, fact: FactRow, erased: readonly FactRow[] = [fact]): FactRow {
  const others = draft.factsAt(fact.subjectKey).filter((other) => saysSame(fact, other));
  const told = others.flatMap((other) => (erased.includes(other) ? [] : other.sources));
  const isTold = (id: string): boolean =>
    told.some(({ messageId, isContext }) => messageId === id && isContext !== true) &&
    fact.sources.every(({ messageId, isContext }) => messageId !== id || isContext === true);
  return { ...fact, messageIds: fact.messageIds.filter((id) => !isTold(id)) };
}

/**
 * Returns the facts that the given ones corrected. The user declared them wrong, so they must not hold again when the
 * correction is erased.
 */
function correctedBy(draft: KnowledgeDraft, facts: readonly FactRow[]): FactRow[] {
  const given = new Set(facts.map((fact) => fact.id));
  const named = facts.flatMap((fact) => (fact.source === 'user' ? fact.supersedes : []));
  return [...new Set(named)].flatMap((id) => {
    const row = given.has(id) ? undefined : draft.rows.facts.get(id);
    const said = row && draft.view().triple(id);
    // A fact that held for some time before it was superseded stays.
    return row && said?.validTo === said?.validFrom ? [row] : [];
  });
}

/** Returns the entity name for a name that the user typed: `I` and `me` become `user`. */
export function nameTyped(name: string): string {
  const said = inThirdPerson(name, 'user');
  return 'name' in said ? said.name : name;
}

function inOwnWords(change: FactChange): FactChange {
  const { subject, object } = change;
  for (const [field, name] of Object.entries({ subject, object }))
    if (typeof name === 'string' && !/[\p{L}\p{N}\p{S}]/u.test(name))
      throw invalidInput(
        `The ${field} of a fact must have a letter, a digit or a symbol. Nothing was changed.`,
      );
  return {
    ...change,
    ...(typeof subject === 'string' ? { subject: nameTyped(subject) } : {}),
    ...(typeof object === 'string' ? { object: nameTyped(object) } : {}),
  };
}

/** Returns the key of the entity that a name means: the user for `I`, Sam for `Sam's`. */
function keyOf(graph: FactGraph, name: string): string {
  const said = nameTyped(checkName('The name of an entity', name));
  return graph.nodeKey(graph.entity(said)?.name ?? said);
}

function requireFact(draft: KnowledgeDraft, id: string): FactRow {
  const row = draft.rows.facts.get(id);
  if (row) return row;
  throw new MnemoraError('not-found', `There is no fact with the id "${id}". Nothing was changed.`);
}
