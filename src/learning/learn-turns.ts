import { nameKey } from '../graph/entity-name.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import { viewOf } from '../graph/knowledge-graph.ts';
import { predicateForm } from '../graph/predicate.ts';
import type { Triple } from '../graph/triple.ts';
import { newId } from '../model/id.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';
import { aliasesOf, summaryOf } from '../storage/entity-text.ts';
import { entityTombstone, isEntityForgotten } from '../storage/entity-tombstone.ts';
import type { JobTicket } from '../storage/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import type { FactRow } from '../storage/schema.ts';
import { checkExtraction, type CheckedExtraction, type CheckedTriple } from './check-extraction.ts';
import type { ExtractionInput, Extractor, KnownFact } from './extractor.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { sharedSentences } from './near-copies.ts';
import { pause } from '../model/pause.ts';
import type { ScopeGraph } from './scope-graph.ts';
import { sourceMessages } from './source-text.ts';
import { take } from './take.ts';
import { wordOrigins, type WordOrigin } from './word-origins.ts';

/** Known entities and facts that a model is told of, at most. */
const MAX_KNOWN = 60;

export interface LearnTurnsInput {
  /** Whole turns of one session, oldest first. */
  readonly turns: readonly (readonly StoredMessage[])[];
  /** The turns before them. */
  readonly context: readonly (readonly StoredMessage[])[];
  /** Earlier texts that the replies may have been given to go by: what repeats them is not new. */
  readonly recalled: readonly string[];
  readonly graph: ScopeGraph;
  readonly store: KnowledgeStore;
  readonly extractor: Extractor;
  readonly ticket?: JobTicket;
  readonly signal?: AbortSignal;
}

export interface LearnReceipt {
  /** Nothing was written, because a message was forgotten meanwhile: to be done again without it. */
  readonly isOutdated: boolean;
  /** What the extractor proposed in vain, with why. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
}

/**
 * Learns entities and facts from turns, with one call of the extractor, and stores them in one transaction. What was
 * learnt from a message before, or forgotten as told by it, is not learnt from it again.
 */
export async function learnTurns(input: LearnTurnsInput): Promise<LearnReceipt> {
  const { graph, store, extractor, ticket, signal } = input;
  const rows = await graph.rows(signal);
  const extraction = await toExtractionInput(input, rows);
  if (extraction.messages.length === 0) {
    return { isOutdated: !(await graph.update(() => undefined, ticket)), rejected: [] };
  }
  // Read before the extractor goes to work: the rows may change meanwhile.
  const knownOrigins = originsOfKnown(rows, extraction);
  const proposed = await extractor.extract(extraction);
  // Each of these goes through the whole text: a long one takes some time.
  await pause();
  const checked = checkExtraction(proposed, extraction);
  await pause();
  signal?.throwIfAborted();
  const saidAt = new Map(extraction.messages.map((message) => [message.id, message.createdAt]));
  const mentioned = new Set(
    [...extraction.messages, ...extraction.context].flatMap((message) => analyze(message.text)),
  );
  const contextOf = wordOrigins([
    ...knownOrigins,
    ...[...extraction.context, ...extraction.messages].map(({ id, text }) => ({ messageIds: [id], text })),
  ]);
  await pause();
  let overruled = 0;
  const isStored = await graph.update(async (draft) => {
    // Read anew each time: whoever forgets an entity changes the graph, which has this begin again.
    const forgotten = await store.tombstones([...saidAt.keys()]);
    overruled = applyExtraction(draft, checked, { saidAt, forgotten, mentioned, contextOf });
  }, ticket);
  const rejected = [...checked.rejected, { reason: 'would end what the user said', count: overruled }];
  return { isOutdated: !isStored, rejected };
}

async function toExtractionInput(input: LearnTurnsInput, rows: KnowledgeRows): Promise<ExtractionInput> {
  const messages = input.turns.flatMap((turn) => {
    const keys = rows.entitiesIn(turn.map((message) => messageText(message)).join('\n'));
    return sourceMessages(turn, input.recalled, (answers) => repeatedFacts(rows, keys, answers));
  });
  const context = input.context.flatMap((turn) => sourceMessages(turn, []));
  const text = [...context, ...messages].map((message) => message.text).join('\n');
  const keys = rows.entitiesIn(text);
  return {
    messages,
    context,
    entities: keys.slice(0, MAX_KNOWN).flatMap((key) => {
      const row = rows.entity(key);
      return row ? [{ name: row.name, aliases: aliasesOf(row), summary: summaryOf(row) }] : [];
    }),
    facts: knownFacts(rows, keys),
    ...(input.signal ? { signal: input.signal } : {}),
  };
}

/** Of the facts that hold of these entities those that a text may repeat, as sentences. */
function repeatedFacts(rows: KnowledgeRows, keys: readonly string[], text: string): string[] {
  const view = viewOf(rows.graph);
  const nodes = new Set(keys);
  return sharedSentences(text, (terms) => rows.sharing(terms)).flatMap((id) => {
    const isMeant = view.endsOf(id).some((node) => nodes.has(node)) && view.holds(id);
    const fact = isMeant ? rows.fact(id) : undefined;
    return fact ? [sentenceOf(fact)] : [];
  });
}

/** What holds of these entities, in the order of adding; the newest of too many. */
function knownFacts(rows: KnowledgeRows, keys: readonly string[]): KnownFact[] {
  const view = viewOf(rows.graph);
  const known = new Map<string, KnownFact>();
  for (const key of keys) {
    if (known.size >= MAX_KNOWN) break;
    const facts = take(view.latest(key), MAX_KNOWN).toSorted((a, b) => seqOf(rows, a) - seqOf(rows, b));
    for (const { id, subject, predicate, object } of facts) known.set(id, { id, subject, predicate, object });
  }
  return [...known.values()].slice(0, MAX_KNOWN);
}

function seqOf(rows: KnowledgeRows, { id }: Triple): number {
  return rows.fact(id)?.seq ?? 0;
}

function originsOfKnown(rows: KnowledgeRows, { entities, facts }: ExtractionInput): WordOrigin[] {
  const known = entities.flatMap(({ name }) => {
    const row = rows.entity(rows.graph.nodeKey(name));
    return row ? [{ messageIds: row.messageIds, text: rows.wordsOf(row) }] : [];
  });
  const told = facts.flatMap((fact) => {
    const row = rows.fact(fact.id);
    return row ? [{ messageIds: row.messageIds, text: sentenceOf(fact) }] : [];
  });
  return [...known, ...told];
}

function applyExtraction(
  draft: KnowledgeDraft,
  { mentions, triples }: CheckedExtraction,
  told: Told,
): number {
  const { saidAt, forgotten, contextOf } = told;
  let overruled = 0;
  const isForgotten = (messageId: string, ...names: readonly string[]): boolean =>
    names.some((name) => isEntityForgotten(forgotten, messageId, draft.graph.nodeKey(name)));
  for (const { name, messageId, note = '', aliases = [] } of mentions) {
    if (isForgotten(messageId, name, ...aliases)) continue;
    const isKnown = draft
      .entity(name)
      ?.mentions.some((mention) => mention.messageIds.includes(messageId) && mention.note === note);
    if (isKnown) continue;
    const messageIds = [messageId, ...contextOf([name, note, ...aliases], messageId)];
    draft.addMention(name, {
      messageIds,
      note,
      aliases: [...aliases],
      recordedAt: saidAt.get(messageId) ?? 0,
    });
  }
  const learnt = new Set(
    [...saidAt.keys()].flatMap((messageId) =>
      viewOf(draft.graph)
        .from(messageId)
        .filter(({ sources }) =>
          sources.some((source) => source.messageId === messageId && !source.isContext),
        )
        .map((fact) => factKey(draft, fact, messageId)),
    ),
  );
  for (const triple of triples) {
    const { messageId, subject, object } = triple;
    const key = factKey(draft, triple, messageId);
    if (learnt.has(key) || isForgotten(messageId, subject, object)) continue;
    if (isEntityForgotten(forgotten, messageId, statementName(draft, triple))) continue;
    learnt.add(key);
    if (!addFact(draft, triple, told)) overruled += 1;
  }
  return overruled;
}

/**
 * Adds a fact, unless it would end what it must not: the word of an assistant or a tool does not end what the user has
 * said, and a fact whose object was never mentioned ends nothing. Returns whether it was added.
 */
function addFact(draft: KnowledgeDraft, triple: CheckedTriple, told: Told): boolean {
  const { subject, predicate, object, messageId, quote, statedBy, validTo } = triple;
  const { mentioned, contextOf } = told;
  const saidAt = told.saidAt.get(messageId) ?? 0;
  const end = validTo === undefined ? {} : { validTo };
  const isMentioned = analyze(object).some((term) => mentioned.has(term));
  const mayEnd = statedBy === 'user' && isMentioned;
  const rivals = mayEnd ? [] : viewOf(draft.graph).rivals({ subject, predicate, object, ...end });
  const newFactId = newId();
  const added = draft.graph.addTriple({
    id: newFactId,
    subject,
    predicate,
    object,
    // An end without a beginning, before it was said: it held at least right before its end.
    validFrom: triple.validFrom ?? Math.min(saidAt, validTo === undefined ? saidAt : validTo - 1),
    ...end,
    sources: [
      quote === undefined ? { messageId } : { messageId, quote },
      ...contextOf([subject, object], messageId).map((origin) => ({
        messageId: origin,
        isContext: true as const,
      })),
    ],
    supersedes: mayEnd ? (triple.supersedes ?? []).filter((other) => draft.hasFact(other)) : [],
    attributes: { statedBy },
  });
  if (rivals.length === 0 || added.id !== newFactId) return true; // said again
  const now = viewOf(draft.graph);
  const isUsersWord = (fact: Triple): boolean =>
    fact.source === 'user' || fact.attributes['statedBy'] === 'user';
  if (!rivals.some((fact) => !now.holds(fact.id) && (!isMentioned || isUsersWord(fact)))) return true;
  draft.graph.deleteTriple(added.id);
  return false;
}

/** What is known of the messages that were learnt from. */
interface Told {
  /** When, by message id. */
  readonly saidAt: ReadonlyMap<string, number>;
  /** Tombstones of what these messages told. */
  readonly forgotten: readonly string[];
  /** The words in them and in those before, as they are searched. */
  readonly mentioned: ReadonlySet<string>;
  /** The other messages that words are known from. */
  readonly contextOf: (texts: readonly string[], citedId: string) => string[];
}

type Statement = Pick<FactRow, 'subject' | 'predicate' | 'object'>;

function factKey(draft: KnowledgeDraft, fact: Statement, messageId: string): string {
  return `${messageId} ${statementName(draft, fact)}`;
}

/** Stands for a statement, in all its wordings, where the name of an entity could stand. */
function statementName(draft: KnowledgeDraft, { subject, predicate, object }: Statement): string {
  return statementOf(draft.graph.nodeKey(subject), predicate, draft.graph.nodeKey(object));
}

function statementOf(subjectKey: string, predicate: string, objectKey: string): string {
  const { key, isNegated } = predicateForm(predicate);
  return nameKey(JSON.stringify([subjectKey, isNegated, key, objectKey]));
}

/** The tombstones that keep a fact from being learnt again from the messages that it came from, and from further ones. */
export function factTombstones(
  draft: KnowledgeDraft,
  fact: FactRow,
  furtherIds: readonly string[],
): string[] {
  // In all names of both ends: whether they are known to be one may depend on other messages.
  const { subjectKey, objectKey, predicate, messageIds } = fact;
  const wordings = draft
    .namesOf(subjectKey)
    .flatMap((subject) => draft.namesOf(objectKey).map((object) => statementOf(subject, predicate, object)));
  return [...messageIds, ...furtherIds].flatMap((id) =>
    wordings.map((wording) => entityTombstone(id, wording)),
  );
}
