import { sentenceOf } from '../graph/fact-sentence.ts';
import { viewOf } from '../graph/fact-graph.ts';
import type { Triple } from '../graph/triple.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import { analyze } from '../search/analyze.ts';
import { aliasesOf, summaryOf } from '../storage/entity-text.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import { applyExtraction, type Proposed } from './apply-extraction.ts';
import { checkExtraction } from './check-extraction.ts';
import type { ExtractionInput, Extractor, KnownFact, SourceMessage } from './extractor.ts';
import { quoteFinder } from './find-quote.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { sharedSentences } from './near-copies.ts';
import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';
import type { ScopeGraph } from './scope-graph.ts';
import { sourceMessages } from './source-text.ts';
import type { learnStatements } from './statements/learn-statements.ts';
import { take } from './take.ts';
import { wordOrigins, type WordOrigin } from './word-origins.ts';

/** Known entities and facts that a model is told of, at most. */
const MAX_KNOWN = 60;

export interface LearnTurnsInput {
  /** Whole turns of one session, oldest first. */
  readonly turns: readonly (readonly StoredMessage[])[];
  /** The turns before them. */
  readonly context: readonly (readonly StoredMessage[])[];
  /** Earlier texts that the replies may have been given to go by: what repeats them is not new. Of all, or by turn id. */
  readonly recalled: readonly string[] | ReadonlyMap<string, readonly string[]>;
  readonly graph: ScopeGraph;
  readonly store: KnowledgeStore;
  readonly extractor: Extractor;
  /** Marks what the user states; nothing is marked without it. Given, because it is loaded when something is learned. */
  readonly learnStatements?: typeof learnStatements;
  /** How many turns were learned from since the notes were consolidated, with these: stored with what they give. */
  readonly learnedTurns?: number;
  /** The job that this is done for: ended, or rid of these turns, in the transactions that store what they give. */
  readonly ticket?: JobTicket;
  /** See `foreignParts`. */
  readonly userName?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface LearnReceipt {
  /** A message was forgotten meanwhile: to be done again without it, from the first turn that is not done. */
  readonly isOutdated: boolean;
  /** How many of the turns, from the first on, are done with. */
  readonly doneTurns: number;
  /** What the extractor proposed in vain, with why. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
}

/**
 * Learns entities and facts from turns, with one call of the extractor. What was learned from a message before, or
 * forgotten as told by it, is not learned from it again.
 *
 * Each turn is stored by a transaction of its own, against what is known from the turns before it: what it gives does
 * not depend on how many turns a call took in.
 */
export async function learnTurns(input: LearnTurnsInput): Promise<LearnReceipt> {
  const { graph, turns, context, extractor, store, learnStatements, learnedTurns, ticket, signal } = input;
  const state = async (draft: KnowledgeDraft): Promise<void> => {
    if (learnedTurns !== undefined) draft.setLearnedTurns(learnedTurns);
    await learnStatements?.(draft, store, turns, context, input.userName);
  };
  const rows = await graph.rows(signal);
  const shown = toExtractionInput(input, turns, rows);
  // Read before the extractor goes to work: what it was told may be forgotten meanwhile, and nothing of it is to stay.
  const shownOrigins = originsOfKnown(rows, shown);
  if (shown.messages.length === 0) {
    const isStored = await graph.update((draft) => state(draft), ticket);
    return { isOutdated: !isStored, doneTurns: isStored ? turns.length : 0, rejected: [] };
  }
  const proposed = await extractor.extract(shown);
  // Each of these goes through the whole text: a long one takes some time.
  await yieldToEventLoop();
  const support = extractor.isModel ? (await import('./fact-support.ts')).supportOf(shown) : undefined;
  const checked = checkExtraction(proposed, shown, support);
  await yieldToEventLoop();
  signal?.throwIfAborted();
  let overruled = 0;
  // All turns together, or none: killed in between, what is left would be shown to the extractor as another batch.
  const isStored = await graph.update(async (draft) => {
    overruled = 0;
    await state(draft);
    for (const [at, turn] of turns.entries()) {
      const ids = new Set(turn.map((message) => message.id));
      const told = {
        mentions: checked.mentions.filter(({ messageId }) => ids.has(messageId)),
        triples: checked.triples.filter(({ messageId }) => ids.has(messageId)),
      };
      const isLast = at === turns.length - 1;
      if (!isLast && told.mentions.length + told.triples.length === 0) continue;
      overruled += await learnTurn(draft, input, at, { ...shown, origins: shownOrigins }, told);
    }
  }, ticket);
  return {
    isOutdated: !isStored,
    doneTurns: isStored ? turns.length : 0,
    rejected: [...checked.rejected, { reason: 'would end what the user said', count: overruled }],
  };
}

/** Returns how much would have ended what the user said. */
async function learnTurn(
  draft: KnowledgeDraft,
  input: LearnTurnsInput,
  at: number,
  shown: ExtractionInput & { readonly origins: readonly WordOrigin[] },
  proposed: Proposed,
): Promise<number> {
  const { turns, store } = input;
  const readIds = new Set(turns.slice(0, at + 1).flatMap((each) => each.map((message) => message.id)));
  const read = [...shown.context, ...shown.messages.filter(({ id }) => readIds.has(id))];
  const later = shown.messages.filter(({ id }) => !readIds.has(id));
  // As of now: another tab, or the turn before, may have changed what is known.
  const now = toExtractionInput(input, [turns[at] ?? []], draft.rows);
  const saidAt = new Map(now.messages.map((message) => [message.id, message.createdAt]));
  const toOrigin = ({ id, text }: SourceMessage): WordOrigin => ({ messageIds: [id], text });
  const contextOf = wordOrigins([
    // A model may put words of a later turn into an earlier one: they go with the message that has them.
    ...later.map(toOrigin),
    ...shown.origins,
    ...originsOfKnown(draft.rows, now),
    ...read.map(toOrigin),
  ]);
  const forgotten = await store.tombstones([...saidAt.keys()]);
  return applyExtraction(draft, stillTold(proposed, shown, now), {
    saidAt,
    forgotten,
    madeBy: input.extractor.id,
    isModel: input.extractor.isModel === true,
    mentioned: new Set(read.flatMap((message) => analyze(message.text))),
    contextOf,
  });
}

/** Without what a reply only repeats of the turns that were learned from since the extractor was shown it. */
function stillTold({ mentions, triples }: Proposed, shown: ExtractionInput, now: ExtractionInput): Proposed {
  const texts = new Map(now.messages.map(({ id, text }) => [id, text]));
  const isSame = new Set(shown.messages.flatMap(({ id, text }) => (texts.get(id) === text ? [id] : [])));
  return {
    mentions: mentions.filter(({ messageId }) => texts.has(messageId)),
    triples: triples.filter(({ messageId, quote }) => {
      const text = texts.get(messageId);
      if (isSame.has(messageId) || text === undefined || quote === undefined) return text !== undefined;
      return quoteFinder(text)(quote) !== undefined;
    }),
  };
}

/** Awaits nothing: the rows go on changing. */
function toExtractionInput(
  { recalled, context: before, userName, signal }: LearnTurnsInput,
  turns: LearnTurnsInput['turns'],
  rows: KnowledgeRows,
): ExtractionInput {
  const messages = turns.flatMap((turn) => {
    const keys = rows.entitiesIn(turn.map((message) => messageText(message)).join('\n'));
    const known = recalled instanceof Map ? (recalled.get(turn[0]?.turnId ?? '') ?? []) : recalled;
    return sourceMessages(turn, known, (answers) => repeatedFacts(rows, keys, answers), userName);
  });
  const context = before.flatMap((turn) => sourceMessages(turn, [], undefined, userName));
  const text = [...context, ...messages].map((message) => message.text).join('\n');
  // "We" is the user and somebody else: what is known of the user may be over by "we broke up".
  const isOfUser = messages.some(
    (message) => message.role === 'user' && /\b(?:we|our|us)\b/iu.test(message.text),
  );
  const keys = [...new Set([...rows.entitiesIn(text), ...(isOfUser ? [USER_NAME] : [])])];
  return {
    messages,
    context,
    entities: keys.slice(0, MAX_KNOWN).flatMap((key) => {
      const row = rows.entity(key);
      return row ? [{ name: row.name, aliases: aliasesOf(row), summary: summaryOf(row) }] : [];
    }),
    facts: knownFacts(rows, keys),
    ...(signal ? { signal } : {}),
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
