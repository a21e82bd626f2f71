import { deniedPredicate } from '../graph/predicate.ts';
import { isProposal, type NewTriple, type Triple, type TripleSource } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { newId } from '../model/id.ts';
import {
  entityTombstone,
  isEntityForgotten,
  namesForgotten,
  statementKey,
} from '../storage/entity-tombstone.ts';
import { summaryOf } from '../storage/facts-and-entities.ts';
import type { FactRow } from '../storage/schema.ts';
import type { CheckedExtraction, CheckedTriple } from './check-extraction.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { isRewriting } from './near-copies.ts';

/** The entities and facts proposed for a turn. */
export type Proposed = Pick<CheckedExtraction, 'mentions' | 'triples'>;

/** Context of the messages that were learned from. */
interface TurnContext {
  /** Time of each message by id, in milliseconds since 1970. */
  readonly saidAt: ReadonlyMap<string, number>;
  /** Tombstones of what was forgotten from these messages. */
  readonly forgotten: readonly string[];
  /** Id of the extractor. */
  readonly madeBy: string;
  /** Whether the extractor saw the existing notes and was asked to rewrite them. */
  readonly isModel: boolean;
  /** The index terms of these messages and those before. */
  readonly mentioned: ReadonlySet<string>;
  /** Whether the quoted words of a message are the user's plain talk: see `isPlainTalk`. */
  readonly isPlain: (messageId: string, quote: string | undefined) => boolean;
  /** Returns the other messages that the words come from. */
  readonly contextOf: (texts: readonly string[], citedId: string) => string[];
}

/**
 * Stores the proposals for a turn, except what was already learned or forgotten from its messages. Returns the number
 * of facts that wait for review because they would have ended a claim of the user.
 */
export function applyExtraction(
  draft: KnowledgeDraft,
  { mentions, triples }: Proposed,
  told: TurnContext,
): number {
  const { saidAt, forgotten, contextOf } = told;
  let overruled = 0;
  const isForgotten = (messageId: string, ...names: readonly string[]): boolean =>
    names.some((name) => isEntityForgotten(forgotten, messageId, draft.graph.nodeKey(name)));
  const isNamed = (messageId: string, ...texts: readonly string[]): boolean =>
    texts.some((text) => namesForgotten(text, messageId, forgotten));
  for (const { name, messageId, note: proposed = '', aliases = [] } of mentions) {
    if (isForgotten(messageId, name, ...aliases) || isNamed(messageId, name, ...aliases)) continue;
    const note = isNamed(messageId, proposed) ? '' : proposed;
    const earlier = draft.mentionsOf(name);
    if (earlier.some((mention) => mention.messageIds.includes(messageId) && mention.note === note)) continue;
    const messageIds = [messageId, ...contextOf([name, note, ...aliases], messageId)];
    draft.addMention(name, {
      messageIds,
      note,
      aliases: [...aliases],
      recordedAt: saidAt.get(messageId) ?? 0,
      ...(told.isModel && isRewriting(note, summaryOf({ mentions: earlier }), name)
        ? { rewrites: true }
        : {}),
    });
  }
  const known = draft.view();
  const learned = new Set(
    [...saidAt.keys()].flatMap((messageId) => {
      const isOwn = (source: TripleSource): boolean => source.messageId === messageId && !source.isContext;
      const facts = known.from(messageId).filter(({ sources }) => sources.some(isOwn));
      return facts.map((fact) => factKey(draft, fact, messageId));
    }),
  );
  for (const triple of triples) {
    const { messageId, subject, predicate, object, quote, ...rest } = triple;
    const key = factKey(draft, triple, messageId);
    if (learned.has(key) || isForgotten(messageId, subject, object)) continue;
    if (isNamed(messageId, subject, predicate, object)) continue;
    if (isEntityForgotten(forgotten, messageId, statementName(draft, triple))) continue;
    learned.add(key);
    const isQuoteKept = quote !== undefined && !isNamed(messageId, quote);
    const kept = { ...rest, messageId, subject, predicate, object, ...(isQuoteKept ? { quote } : {}) };
    if (!addFact(draft, kept, told)) overruled += 1;
  }
  return overruled;
}

/**
 * Adds a fact; as a proposal, which ends nothing and waits for review, if nobody has said it in these words or if it
 * would end one that it must not end: an assistant or a tool cannot end what the user has said, only plain talk of the
 * user ends what they have decided, and a fact whose object was never mentioned ends nothing. Returns whether it ended
 * what it contradicts.
 */
function addFact(draft: KnowledgeDraft, triple: CheckedTriple, told: TurnContext): boolean {
  const { subject, predicate, object, messageId, quote, statedBy, validTo } = triple;
  const { mentioned, contextOf } = told;
  const saidAt = told.saidAt.get(messageId) ?? 0;
  const end = validTo === undefined ? {} : { validTo };
  const isMentioned = analyze(object).some((term) => mentioned.has(term));
  // "We broke up" mentions no name: the object is that of the known fact that is over.
  const ended = (triple.supersedes ?? []).filter((other) => isSameStatement(draft, other, triple));
  const isEnd = validTo !== undefined && ended.length > 0;
  const mayEnd = statedBy === 'user' && (isMentioned || isEnd);
  const mayDecide = mayEnd && !told.isModel && told.isPlain(messageId, quote);
  // What the user has ended since was known then, also when the turn is learned from again.
  const when = { validAt: Math.max(saidAt, triple.validFrom ?? saidAt) };
  const rivals = mayDecide ? [] : draft.rows.view(when).rivals({ subject, predicate, object, ...end });
  const known = (triple.supersedes ?? []).filter((other) => isSaidBefore(draft, other, messageId, saidAt));
  const replaced = known.filter((other) => mayDecide || !isDecided(draft, other));
  const newFactId = newId();
  const fact = {
    id: newFactId,
    subject,
    predicate,
    object,
    // A fact with an end but no beginning: it held at least right before its end.
    validFrom: triple.validFrom ?? Math.min(saidAt, validTo === undefined ? saidAt : validTo - 1),
    ...end,
    // It holds from now on, also if the clock was put back since the message before.
    recordedAt: Math.max(saidAt, draft.graph.now()),
    sources: [
      quote === undefined ? { messageId } : { messageId, quote },
      ...contextOf([subject, object], messageId).map((id) => ({ messageId: id, isContext: true as const })),
    ],
    supersedes: mayEnd ? replaced : [],
    attributes: { statedBy, madeBy: told.madeBy },
  };
  if (isEnd && ended.some((other) => isDecided(draft, other) && !mayDecide)) {
    propose(draft, denialOf(fact, saidAt), told);
    return false;
  }
  if (triple.isForeign) {
    if (rivals.some(({ id }) => isDecided(draft, id))) propose(draft, { ...fact, supersedes: [] }, told);
    return true;
  }
  if (statedBy === 'model') {
    propose(draft, { ...fact, supersedes: replaced }, told);
    return true;
  }
  const added = draft.graph.addTriple(fact);
  if (statedBy === 'user') dropLaterWordsOfOthers(draft, added.id);
  if (rivals.length === 0 || added.id !== newFactId) return true; // the fact was repeated
  const now = draft.rows.view(when);
  const isKept = ({ id, attributes }: Triple): boolean =>
    isDecided(draft, id) || (!mayEnd && (!isMentioned || attributes['statedBy'] === 'user'));
  if (!rivals.some((rival) => !now.holds(rival.id) && isKept(rival))) return true;
  draft.graph.deleteTriple(added.id);
  propose(draft, { ...fact, supersedes: [] }, told);
  return false;
}

/**
 * Erases what others said later and would end a fact of the user. It was learned before, as after the clock was put
 * back; in the order in which both were said, it would have been left out.
 */
function dropLaterWordsOfOthers(draft: KnowledgeDraft, id: string): void {
  for (;;) {
    const by = draft.rows.facts.get(draft.view().triple(id)?.supersededBy ?? '');
    if (!by || isProposal(by) || by.attributes['statedBy'] === 'user' || isDecided(draft, by.id)) return;
    draft.graph.deleteTriple(by.id);
  }
}

/** Returns the question whether a fact that is said to be over does not hold any more. */
function denialOf({ validTo: _over, ...fact }: NewTriple, saidAt: number): NewTriple {
  return { ...fact, predicate: deniedPredicate(fact.predicate), validFrom: saidAt, supersedes: [] };
}

/** Stores a fact that waits for the user's word, which neither a model's reading is nor words that may be of a text. */
function propose(draft: KnowledgeDraft, fact: NewTriple, { isModel }: Pick<TurnContext, 'isModel'>): void {
  const { statedBy } = fact.attributes ?? {};
  const speaker = statedBy === 'user' ? (isModel ? 'model' : 'document') : statedBy;
  const attributes = { ...fact.attributes, statedBy: speaker ?? 'model', isProposal: true };
  draft.graph.addTriple({ ...fact, attributes });
}

/** Whether a fact was known before a message. Of turns that are read at once, a model is shown what the later ones say. */
function isSaidBefore({ rows }: KnowledgeDraft, id: string, messageId: string, saidAt: number): boolean {
  const fact = rows.facts.get(id);
  if (!fact) return false;
  const isElsewhere = fact.source === 'user' || fact.messageIds.some((other) => other !== messageId);
  return isElsewhere && (fact.validFrom <= saidAt || isPlanned(rows, fact, saidAt));
}

/** Whether a fact that begins after a time was said before it. */
export function isPlanned(rows: KnowledgeRows, { source, sources }: Triple, time: number): boolean {
  const ids = sources.flatMap(({ isContext, messageId }) => (isContext ? [] : messageId));
  const claims = ids.flatMap((id) => rows.endIndex.targetsOf({ ends: [`message:${id}`] }));
  return source !== 'user' && claims.some(({ saidAt }) => saidAt <= time);
}

/** Whether the user has entered or pinned a fact. */
function isDecided(draft: KnowledgeDraft, id: string): boolean {
  const fact = draft.rows.facts.get(id);
  return fact?.source === 'user' || fact?.isPinned === true;
}

function isSameStatement(draft: KnowledgeDraft, id: string, triple: Claim): boolean {
  const known = draft.rows.facts.get(id);
  return known !== undefined && statementName(draft, known) === statementName(draft, triple);
}

type Claim = Pick<FactRow, 'subject' | 'predicate' | 'object'>;

function factKey(draft: KnowledgeDraft, fact: Claim, messageId: string): string {
  return `${messageId} ${statementName(draft, fact)}`;
}

/** Returns a key for a claim in all its wordings, used in tombstones in place of an entity name. */
function statementName(draft: KnowledgeDraft, { subject, predicate, object }: Claim): string {
  return statementKey(draft.graph.nodeKey(subject), predicate, draft.graph.nodeKey(object));
}

/** Returns the tombstones that prevent a fact from being learned again from its messages and from further ones. */
export function factTombstones(
  draft: KnowledgeDraft,
  fact: FactRow,
  furtherIds: readonly string[],
): string[] {
  // Covers all names of both entities, because it can depend on other messages whether they are known to be the same.
  const { subjectKey, objectKey, predicate, messageIds } = fact;
  const wordings = draft.rows
    .namesOf(subjectKey)
    .flatMap((subject) =>
      draft.rows.namesOf(objectKey).map((object) => statementKey(subject, predicate, object)),
    );
  return [...messageIds, ...furtherIds].flatMap((id) =>
    wordings.map((wording) => entityTombstone(id, wording)),
  );
}
