import { sentenceOf } from '../graph/triple.ts';
import { withoutMarks } from '../language/pasted-parts.ts';
import { isPlainTalk } from '../language/plain-talk.ts';
import { analyze } from '../language/terms.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import type { KnowledgeStore } from '../storage/knowledge-store.ts';
import { applyExtraction, type Proposed } from './apply-extraction.ts';
import { checkExtraction, type CheckedTriple } from './check-extraction.ts';
import { quoteFinder } from './cut-text.ts';
import type { Extraction, ExtractionInput, Extractor, ProposedTriple, SourceMessage } from './extractor.ts';
import type { Quoted } from './fact-support.ts';
import { USER_NAME } from './first-person.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';
import type { KnowledgeRows } from './knowledge-rows.ts';
import { isByRules } from './rules/offline-extractor.ts';
import type { ScopeGraph } from './scope-graph.ts';
import { toExtractionInput, type Recalled } from './shown-turns.ts';
import type { Citation, keepClaims, readClaims, TurnsToRead } from './claims/learn-claims.ts';
import { wordOrigins, type WordOrigin } from './word-origins.ts';

const NOTHING_RECALLED: Recalled = new Map();

export interface LearnTurnsInput extends TurnsToRead {
  /**
   * Returns earlier texts that the replies may be based on, by turn id. Repetitions of them are not learned. Called only if
   * the extractor is a model or reads something in a reply.
   *
   * @default nothing is searched for
   */
  readonly recalled?: () => Promise<Recalled>;
  readonly graph: ScopeGraph;
  readonly store: Pick<KnowledgeStore, 'tombstones'>;
  readonly extractor: Extractor;
  /** Learns the user's claims. Passed in because it is loaded on demand. @default no claims are learned */
  readonly claims?: { readonly readClaims: typeof readClaims; readonly keepClaims: typeof keepClaims };
  /** Number of turns learned from since notes were last consolidated, including these. Stored with the results. */
  readonly learnedTurns?: number;
  /** The job to end, or to remove these turns from, in the transactions that store the results. */
  readonly ticket?: JobTicket;
  readonly signal?: AbortSignal;
}

/** Turns with the earlier texts that their replies may be based on. */
type TurnsShown = Omit<LearnTurnsInput, 'recalled'> & { readonly recalled: Recalled };

export interface LearnReceipt {
  /** Whether a message was forgotten in the meantime, so that the turns must be learned again without it. */
  readonly isOutdated: boolean;
  /** Number of rejected proposals by reason. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
}

/**
 * Learns entities and facts from turns, with one call of the extractor. What was already learned or forgotten from a
 * message is not learned from it again.
 *
 * Each turn is checked against what is known from the turns before it, so that its results do not depend on the
 * batch.
 */
export async function learnTurns(input: LearnTurnsInput): Promise<LearnReceipt> {
  const { graph, extractor, store, claims, learnedTurns, ticket, signal } = input;
  const read = (await claims?.readClaims(input)) ?? [];
  const state = async (draft: KnowledgeDraft, cited?: readonly Citation[]): Promise<void> => {
    if (learnedTurns !== undefined) draft.learnedTurns = learnedTurns;
    await claims?.keepClaims(draft, store, read, cited);
  };
  const telling = new Set(read.flatMap((each) => each.claims.map(({ messageId }) => messageId)));
  const { rows, version, recalled, shown, shownOrigins, proposed } = await extractFrom(input, telling);
  if (shown.messages.length === 0) {
    return { isOutdated: !(await graph.update((draft) => state(draft), ticket)), rejected: [] };
  }
  // Each of these steps processes the whole text, which takes a while if it is long.
  await yieldToEventLoop();
  const support = extractor.isModel
    ? (await import('./fact-support.ts')).supportOf(shown, extractor.relations, (id) => quotesOf(rows, id))
    : undefined;
  const checked = checkExtraction(proposed, shown, support);
  await yieldToEventLoop();
  signal?.throwIfAborted();
  const byRules = extractor.isModel ? await import('./read-by-rules.ts') : undefined;
  let overruled = 0;
  // All turns in one transaction: after a crash in between, the extractor would be shown the rest as a different
  // batch.
  const isStored = await graph.update(async (draft) => {
    overruled = 0;
    const triples = byRules?.withoutReadByRules(checked.triples, draft.view()) ?? checked.triples;
    await state(draft, extractor.isModel ? citationsOf(triples) : []);
    for (const [at, turn] of input.turns.entries()) {
      const ids = new Set(turn.map((message) => message.id));
      const told = {
        mentions: checked.mentions.filter(({ messageId }) => ids.has(messageId)),
        triples: triples.filter(({ messageId }) => ids.has(messageId)),
      };
      const isLast = at === input.turns.length - 1;
      if (!isLast && told.mentions.length + told.triples.length === 0) continue;
      overruled += await learnTurn(
        draft,
        { ...input, recalled },
        at,
        { ...shown, origins: shownOrigins, telling, rows, version },
        told,
      );
    }
  }, ticket);
  return {
    isOutdated: !isStored,
    rejected: [...checked.rejected, { reason: 'would end a claim of the user', count: overruled }],
  };
}

/** What an extractor was shown, and what it has read there. */
interface Extracted {
  readonly rows: KnowledgeRows;
  /** Version of the rows when they were read. */
  readonly version: number;
  readonly recalled: Recalled;
  readonly shown: ExtractionInput;
  readonly shownOrigins: readonly WordOrigin[];
  readonly proposed: Extraction;
}

/**
 * Lets the extractor read the turns. Rules read a reply without what it repeats only if they read anything in it, because
 * to search for that takes most of the time, and little is read in replies.
 */
async function extractFrom(input: LearnTurnsInput, telling: ReadonlySet<string>): Promise<Extracted> {
  const { graph, extractor, recalled: search, signal } = input;
  const read = async (recalled: Recalled): Promise<Extracted> => {
    const rows = await graph.rows(signal);
    const { version } = rows;
    const shown = toExtractionInput({ ...input, recalled }, input.turns, rows, telling);
    // Read before the extractor runs: what it was shown may be forgotten in the meantime, and must not survive in its
    // results.
    const shownOrigins = originsOfKnown(rows, shown);
    const proposed =
      shown.messages.length === 0
        ? { mentions: [], triples: [], unreadable: 0 }
        : await withContradictions(await extractor.extract(shown), shown, rows, extractor);
    return { rows, version, recalled, shown, shownOrigins, proposed };
  };
  if (search && !isByRules(extractor)) return read(await search());
  const whole = await read(NOTHING_RECALLED);
  const replies = new Set(whole.shown.messages.flatMap(({ id, role }) => (role === 'assistant' ? id : [])));
  const { mentions, triples } = whole.proposed;
  const isRead = [...mentions, ...triples].some(({ messageId }) => replies.has(messageId));
  return search && isRead ? read(await search()) : whole;
}

function citationsOf(triples: readonly CheckedTriple[]): Citation[] {
  return triples.flatMap(({ messageId, quote }) => (quote === undefined ? [] : { messageId, quote }));
}

/** Longer texts from elsewhere are read no further for what they contradict. */
const MAX_FOREIGN_CHARACTERS = 4000;

/**
 * Adds what rules read about the user in words that are not theirs. It is only used where it contradicts what the user has
 * decided, as a question: see `isForeign`. Other extractors have read these words with the others, in their one call.
 */
async function withContradictions(
  proposed: Extraction,
  { messages, entities, facts, signal }: ExtractionInput,
  rows: KnowledgeRows,
  extractor: Extractor,
): Promise<Extraction> {
  if (!isByRules(extractor) || rows.enteredFacts.length + rows.pinnedFacts.length === 0) return proposed;
  const foreign = messages.flatMap(({ pasted = [], ...message }): SourceMessage[] => {
    const parts = message.role === 'tool' ? [message.text] : message.role === 'user' ? pasted : [];
    const text = parts.map(withoutMarks).join('\n\n').slice(0, MAX_FOREIGN_CHARACTERS);
    return text === '' ? [] : [{ ...message, role: 'user', text }];
  });
  if (foreign.length === 0) return proposed;
  const read = await extractor.extract({
    ...{ messages: foreign, context: [], entities, facts },
    ...(signal ? { signal } : {}),
  });
  const isOfUser = ({ subject, object }: ProposedTriple): boolean => [subject, object].includes(USER_NAME);
  return { ...proposed, triples: [...proposed.triples, ...read.triples.filter(isOfUser)] };
}

/** Returns the number of facts left out because they would have ended a claim of the user. */
async function learnTurn(
  draft: KnowledgeDraft,
  input: TurnsShown,
  at: number,
  shown: ExtractionInput & {
    readonly origins: readonly WordOrigin[];
    readonly telling: ReadonlySet<string>;
    readonly rows: KnowledgeRows;
    /** Version of the rows when they were read. */
    readonly version: number;
  },
  proposed: Proposed,
): Promise<number> {
  const { turns, store } = input;
  const readIds = new Set(turns.slice(0, at + 1).flatMap((each) => each.map((message) => message.id)));
  const read = [...shown.context, ...shown.messages.filter(({ id }) => readIds.has(id))];
  const later = shown.messages.filter(({ id }) => !readIds.has(id));
  // Uses the current state: another tab, or the turn before, may have changed what is known.
  const isCurrent = turns.length === 1 && draft.rows === shown.rows && draft.rows.version === shown.version;
  const now = isCurrent ? shown : toExtractionInput(input, [turns[at] ?? []], draft.rows, shown.telling);
  const saidAt = new Map(now.messages.map((message) => [message.id, message.createdAt]));
  const toOrigin = ({ id, text }: SourceMessage): WordOrigin => ({ messageIds: [id], text });
  const contextOf = wordOrigins([
    // A model can use words of a later turn for an earlier one; the fact then also depends on the later message.
    ...later.map(toOrigin),
    ...shown.origins,
    ...originsOfKnown(draft.rows, now),
    ...read.map(toOrigin),
  ]);
  const forgotten = await store.tombstones([...saidAt.keys()]);
  return applyExtraction(draft, withoutRepeats(proposed, shown, now), {
    saidAt,
    forgotten,
    madeBy: input.extractor.id,
    isModel: input.extractor.isModel === true,
    isPlain: (messageId, quote) => {
      const message = now.messages.find(({ id }) => id === messageId);
      if (message?.role !== 'user' || (message.pasted?.length ?? 0) > 0) return false;
      return isPlainTalk(message.text, quote, input.userName);
    },
    mentioned: new Set(read.flatMap((message) => analyze(message.text))),
    contextOf,
  });
}

/** Removes proposals for sentences of a reply that only repeat the turns learned since the extractor was shown them. */
function withoutRepeats(
  { mentions, triples }: Proposed,
  shown: ExtractionInput,
  now: ExtractionInput,
): Proposed {
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

/** Returns the words of the user from which a fact was read, each in its claim. */
function quotesOf(rows: KnowledgeRows, factId: string): Quoted[] {
  const sources = rows.facts.get(factId)?.sources ?? [];
  return sources.flatMap(({ quote, messageId, isContext }): Quoted[] => {
    if (quote === undefined || isContext) return [];
    const claims = rows.endIndex.targetsOf({ ends: [`message:${messageId}`] });
    const around = claims.filter(({ text }) => text.includes(quote));
    return around.length === 0
      ? [{ quote, claim: quote }]
      : around.map(({ text }) => ({ quote, claim: text }));
  });
}

function originsOfKnown(rows: KnowledgeRows, { entities, facts }: ExtractionInput): WordOrigin[] {
  const named = entities.flatMap(({ name }) => rows.entities.get(rows.graph.nodeKey(name)) ?? []);
  const told = facts.flatMap((fact) => {
    const row = rows.facts.get(fact.id);
    return row ? [{ messageIds: row.messageIds, text: sentenceOf(fact) }] : [];
  });
  return [...named.map((row) => ({ messageIds: row.messageIds, text: rows.wordsOf(row) })), ...told];
}
