import { foreignParts, unclearParts } from '../../language/pasted-parts.ts';
import { fold } from '../../language/fold.ts';
import { peopleIn } from '../../language/people.ts';
import { readText } from '../../language/read-text.ts';
import { spansInOrder } from '../../language/text-spans.ts';
import { timesNamed } from '../../language/times.ts';
import { hasWord } from '../../language/words/life-words.ts';
import { regex } from '../../language/words/lists.ts';
import { yieldToEventLoop } from '../../model/event-loop.ts';
import { isNotice, messageText, timeSaid, type StoredMessage } from '../../model/message.ts';
import type { ContinuedTurns } from '../../sessions/read-turns.ts';
import type { KnowledgeStore } from '../../storage/knowledge-store.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import type { KnowledgeDraft } from '../knowledge-draft.ts';
import { isByRules } from '../rules/offline-extractor.ts';
import { isAboutSomebody } from './claim-worth.ts';
import { endClaims } from './end-claims.ts';
import { endsOf, mattersOf } from './end-keys.ts';
import { overlaps } from './fact-words.ts';
import { isClaimForgotten } from './forgotten-claims.ts';
import { markClaims, type MarkedClaim } from './mark-claims.ts';
import { CLAIM_WEIGHTS } from './claim-weights.ts';

/** Version of the reading. Claims of another version are read again. */
export const CLAIMS_VERSION = 14;

/** A claim without the scope that it is stored in. */
export type NewClaim = Omit<ClaimRow, 'scope'>;

/** Turns to read. */
export interface TurnsToRead extends ContinuedTurns {
  /** Name of the user: see `foreignParts`. */
  readonly userName?: string | undefined;
}

/** The claims in some turns, and the messages that they can be in. */
export type ReadClaims = readonly {
  readonly messageIds: readonly string[];
  readonly claims: readonly NewClaim[];
  /** Returns the other clauses that say something: what a model cites is worth keeping. */
  readonly others: () => readonly NewClaim[];
}[];

/** Words of a message that a model has read a fact from. */
export interface Citation {
  readonly messageId: string;
  readonly quote: string;
}

/** Earlier turns in which a short answer finds its question: of what came before them, nothing is in a claim. */
export const CONTEXT_TURNS = 1;

/** Reads the user's claims in some turns. Takes most of the time of learning them, and nobody waits for it. */
export async function readClaims({ turns, context, apart, userName }: TurnsToRead): Promise<ReadClaims> {
  const read = [];
  let before = context;
  for (const [at, turn] of turns.entries()) {
    if (at > 0) await yieldToEventLoop();
    if (apart?.has(turn[0]?.turnId ?? '')) before = [];
    const { claims, others } = readTurn(turn, before.slice(-CONTEXT_TURNS), userName);
    before = [turn];
    if (claims.length > 0 || turn.some(({ role }) => role === 'user'))
      read.push({ messageIds: turn.map(({ id }) => id), claims, others });
  }
  return read;
}

/**
 * Adds the claims of some turns, and ends the claims that they end. Forgotten ones are not added again.
 *
 * @param cited what a model cites; what it has cited before is known
 */
export async function keepClaims(
  draft: KnowledgeDraft,
  store: Pick<KnowledgeStore, 'tombstones'>,
  read: ReadClaims,
  cited: readonly Citation[] = [],
): Promise<void> {
  for (const { messageIds, claims, others } of read) {
    const citations = [...cited, ...messageIds.flatMap((id) => citationsIn(draft, id))];
    const kept = citations.length === 0 ? claims : withCited(claims, others, citations);
    await dropOthers(draft, messageIds, kept);
    if (kept.length === 0) continue;
    const forgotten = await store.tombstones(messageIds);
    await endClaims(
      draft,
      kept.filter((each) => !isClaimForgotten(each, forgotten)),
    );
  }
}

/** Drops the claims that these messages had before and do not have any more. What they had ended may have other ends. */
async function dropOthers(
  draft: KnowledgeDraft,
  messageIds: readonly string[],
  kept: readonly NewClaim[],
): Promise<void> {
  const ids = new Set(kept.map(({ id }) => id));
  const before = messageIds.flatMap((id) => draft.rows.claimLists.in(id));
  const gone = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  if (gone.length > 0) await endClaims(draft, draft.dropClaims(gone));
}

function citationsIn(draft: KnowledgeDraft, messageId: string): Citation[] {
  const facts = draft.view().from(messageId);
  return facts.flatMap(({ source, sources, attributes }) => {
    if (source === 'user' || isByRules({ id: String(attributes['madeBy']) })) return [];
    const own = sources.filter((each) => each.messageId === messageId && each.isContext !== true);
    return own.flatMap(({ quote }) => (quote === undefined ? [] : { messageId, quote }));
  });
}

/** Returns the claims, with the clauses that a model cites, except where a claim that is kept has the same words. */
function withCited(
  claims: readonly NewClaim[],
  others: () => readonly NewClaim[],
  citations: readonly Citation[],
): NewClaim[] {
  const isCited = (claim: NewClaim): boolean =>
    citations.some(({ messageId, quote }) => messageId === claim.messageId && overlaps(claim, { quote }));
  const own = claims.map((claim): NewClaim => {
    if (claim.origin !== 'user' || claim.isWeak !== true || !isCited(claim)) return claim;
    const { isWeak: _weak, ...kept } = claim;
    return kept;
  });
  return [...own, ...others().filter(isCited)].toSorted((a, b) => a.start - b.start);
}

/**
 * Returns the user's claims in a turn that are worth keeping.
 *
 * @param before the turns before it, oldest first
 * @param userName name of the user: see `foreignParts`
 */
export function claimsOfTurn(
  turn: readonly StoredMessage[],
  before: readonly (readonly StoredMessage[])[],
  userName?: string,
): NewClaim[] {
  return readTurn(turn, before, userName).claims.filter(({ isWeak }) => isWeak !== true);
}

/** Returns the user's claims in a turn, with those that are only worth keeping because they may end others. */
function readTurn(
  turn: readonly StoredMessage[],
  before: readonly (readonly StoredMessage[])[],
  userName: string | undefined,
): Pick<ReadClaims[number], 'claims' | 'others'> {
  const said = [...before.flat(), ...turn];
  const read = turn.map((message) => {
    if (message.role !== 'user') return { claims: [], others: () => [] };
    const earlier = said.slice(0, said.indexOf(message));
    const asked = earlier.findLast((other) => other.role === 'assistant' && !isNotice(other));
    const text = messageText(message);
    const pasted = foreignParts(message, text, userName);
    const unclear = pasted.length === 0 ? [] : unclearParts(message, text, userName);
    const marked = markClaims(text, { before: asked ? messageText(asked) : '', pasted, threshold: 0 });
    const previousId = earlier.findLast(({ role }) => role === 'user')?.id;
    const isJoke = JOKE.test(text);
    const { asksOfNobody } = readText(text);
    const all = marked.map((each) => {
      const ends = isJoke ? [] : endsOf(each, previousId);
      const isPartOfAsking = asksOfNobody && ends.length === 0 && isImpersonal(each, message.createdAt);
      return { each, ends, isWeak: isPartOfAsking || each.score < CLAIM_WEIGHTS.threshold };
    });
    const isKept = ({ ends, isWeak }: (typeof all)[number]): boolean => !isWeak || ends.length > 0;
    return {
      claims: [
        ...all
          .filter(isKept)
          .map(({ each, ends, isWeak }) => claimFrom(message, each, ends, isWeak ? { isWeak: true } : {})),
        ...withQuestions(claimsOfOthers(message, text, pasted), text, unclear),
      ],
      others: () =>
        all
          .filter((one) => !isKept(one) && !one.each.isAsked)
          .map(({ each }) => claimFrom(message, each, [])),
    };
  });
  return {
    claims: read.flatMap(({ claims }) => claims),
    others: () => read.flatMap(({ others }) => others()),
  };
}

/**
 * Whether a clause may as well be a part of an everyday request: "a bag holds five red marbles, how likely are two?". What
 * has a day, a person or a thing of somebody's life is a claim: "The plumber comes on Friday. What is there to prepare?".
 */
function isImpersonal(claim: MarkedClaim, saidAt: number): boolean {
  const people = peopleIn(claim.text);
  if (isAboutSomebody(claim) || people.isUser) return false;
  const folded = fold(claim.text);
  const isOfLife =
    OF_LIFE.some((kind) => hasWord(folded, kind)) ||
    people.subject !== undefined ||
    timesNamed(claim.text, saidAt).windows.length > 0;
  return !isOfLife || readText(claim.text).features.isTask > 0;
}

const OF_LIFE = ['date', 'kin', 'pet', 'others', 'work', 'home', 'vehicle', 'activity'] as const;

/** More clauses of what is not the user's word are not kept: search finds them. */
const MAX_OF_OTHERS = 20;

/** Returns what is said in the parts of a message that are not the user's own talk: unconfirmed, it ends nothing. */
function claimsOfOthers(
  { id: messageId, sessionId, seq, createdAt }: StoredMessage,
  text: string,
  parts: readonly string[],
): NewClaim[] {
  let from = 0;
  const found = parts.flatMap((part): NewClaim[] => {
    const at = text.indexOf(part, from);
    if (at < 0) return [];
    from = at + part.length;
    return markClaims(part, { pasted: [] }).map(({ text: clause, start, end, score, topic, kinds }) => ({
      id: `${messageId}/${at + start}`,
      text: clause,
      messageId,
      sessionId,
      seq,
      start: at + start,
      end: at + end,
      origin: 'document',
      kinds,
      topic,
      score,
      saidAt: createdAt,
      matters: [`message:${messageId}`],
      isWeak: true,
    }));
  });
  return found.slice(0, MAX_OF_OTHERS);
}

/** Number of clauses of a message that the user is asked about. */
const MAX_ASKED = 5;

/** Returns the claims of others, and marks those with the highest scores that may be the user's own talk. */
function withQuestions(claims: readonly NewClaim[], text: string, unclear: readonly string[]): NewClaim[] {
  const spans = spansInOrder(text, unclear);
  const asked = claims
    .filter(({ start, end }) => spans.some((span) => span.start <= start && end <= span.end))
    .filter((claim) => SAYS_I.test(claim.text))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_ASKED);
  return claims.map((claim) => (asked.includes(claim) ? { ...claim, isUnclear: true } : claim));
}

const SAYS_I = regex(
  String.raw`(?<![\p{L}\p{N}])(?:{self}|{my}|{iVerb})(?![\p{L}\p{N}])
    (?<![\p{L}\p{N}])j['’](?=\p{L})`,
  'iu',
);

const JOKE = /\b(?:joking|kidding|jk|just messing|sarcasm)\b|(?<!\S)\/s(?!\S)/iu;

/** @param ends what it may end */
function claimFrom(
  message: StoredMessage,
  marked: MarkedClaim,
  ends: readonly string[],
  weak: { readonly isWeak?: true } = {},
): NewClaim {
  const { id: messageId, sessionId, seq } = message;
  const { text, start, end, question, score, topic, kinds, isEnding } = marked;
  return {
    id: `${messageId}/${start}`,
    text: question === undefined ? text : `${question} ${text}`,
    messageId,
    sessionId,
    seq,
    start,
    end,
    origin: 'user',
    kinds,
    topic,
    score,
    saidAt: timeSaid(message),
    matters: [...mattersOf(marked), `message:${messageId}`],
    ...(ends.length > 0 ? { ends } : {}),
    ...(isEnding ? { isEnding } : {}),
    ...weak,
  };
}
