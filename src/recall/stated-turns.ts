import { foreignParts } from '../language/pasted-parts.ts';
import { peopleIn } from '../language/people.ts';
import { readText, type ReadText } from '../language/read-text.ts';
import { hasRequestForm } from '../language/acts/request-forms.ts';
import { sentencesIn, type Sentence } from '../language/sentences.ts';
import { speaksOfNobody } from '../language/speaks-of-nobody.ts';
import { analyze } from '../language/terms.ts';
import { spansInOrder } from '../language/text-spans.ts';
import { worth } from '../learning/claims/claim-worth.ts';
import type { OutdatedQuote } from '../learning/claims/outdated-quotes.ts';
import { messageText, type StoredMessage } from '../model/message.ts';
import type { FusedHit } from '../search/fuse.ts';
import type { ClaimRow } from '../storage/schema.ts';
import type { IndexedMessage } from './index/scope-index.ts';
import type { ContextNote } from './layout/context-item.ts';
import type { CountedTurn, FoundTurn } from './layout/context-layout.ts';
import { isOfMatter, SAME_MATTER } from './asked-matters.ts';
import { statedText } from './layout/without-repeats.ts';
import {
  holds,
  isAllOver,
  NOT_FOUND,
  OTHER_MESSAGES,
  type ClaimsByMessage,
  type OutdatedByMessage,
} from './told-claims.ts';

/** Maximum number of found messages whose claims are used. */
const STATED_MESSAGES = 40;
/** Number of best messages that are quoted whole if they are short, because a sentence needs its context. */
const WHOLE_MESSAGES = 2;
const SHORT_MESSAGE_CHARACTERS = 300;
/** Weight of the log-odds of a message's best claim in the message's score. */
const WORTH_WEIGHT = 0.2;
const NO_MATTERS: ReadonlySet<string> = new Set();
/** Added to the log-odds of what search has not found, if it is about a matter of the question. */
const MATTER_BEFORE_WORTH = 5;
/** Fewest words of a question by which a request is told as its answer. */
const FEWEST_ASKED = 2;
/**
 * Distance of an outdated turn from its successor. Scores are from 0 to about 3, so no other score falls between them.
 */
const BEHIND = 1e-9;

/** Returns what the user states in the messages that search found best and what still holds, turn by turn. */
export function statedIn(
  hits: readonly FusedHit[],
  claims: ClaimsByMessage,
  found: readonly FoundTurn[],
  outdated: OutdatedByMessage,
  askedTerms: ReadonlySet<string>,
  userName?: string,
  matters: ReadonlySet<string> = NO_MATTERS,
): ContextNote[] {
  const hitById = new Map(hits.slice(0, STATED_MESSAGES).map((hit) => [hit.id, hit]));
  return found.flatMap(({ messages }, rank) => {
    const notes = messages.flatMap((message) => {
      const hit = hitById.get(message.id);
      if (!hit) return [];
      const stated = claims.statedIn(message.id);
      const rows = stated.filter(holds);
      // A claim is told without its parts that are over; the message has them.
      const isWhole = rank < WHOLE_MESSAGES && rows.length === stated.length && !outdated.has(message.id);
      const mayTell = isWhole && (rows.length > 0 || !tellsNothing(messageText(message)));
      const whole = mayTell ? wholeMessage(message, userName) : undefined;
      if (rows.length === 0 && whole === undefined) return [];
      const score = hit.score + (rows.length === 0 ? 0 : worthFor(rows, matters));
      if (whole !== undefined) return [{ ...noteOf(message, rows, score), text: whole, why: hit.parts }];
      const asked = askedSentences(message, stated, askedTerms, userName);
      const said = [...rows, ...asked].toSorted((a, b) => a.start - b.start);
      return [{ ...noteOf(message, said, score), why: hit.parts }];
    });
    return notes.slice(0, 1);
  });
}

/** Returns what is added to the score of a message for its claims. */
function worthFor(rows: readonly ClaimRow[], matters: ReadonlySet<string>): number {
  return WORTH_WEIGHT * worth(rows) + (isOfMatter(rows, matters) ? SAME_MATTER : 0);
}

function wholeMessage(message: StoredMessage, userName: string | undefined): string | undefined {
  const text = messageText(message).trim();
  if (message.role !== 'user' || text.length > SHORT_MESSAGE_CHARACTERS) return undefined;
  if (asksOnly(text) || foreignParts(message, text, userName).length > 0) return undefined;
  return text.replaceAll(/\s+/gu, ' ');
}

/** A sentence of a message that is told like a claim. */
type Said = Pick<ClaimRow, 'id' | 'text' | 'start' | 'end'>;

/**
 * Returns the user's own sentences with words of the question that no claim of theirs overlaps: "my husband Patrick …". What
 * they say later in it of somebody is told as well, because it does not name them: "Omar made the shelves. He lives next door."
 */
function askedSentences(
  message: StoredMessage,
  claims: readonly Said[],
  askedTerms: ReadonlySet<string>,
  userName: string | undefined,
): Said[] {
  const text = messageText(message);
  if (message.role !== 'user') return [];
  const parts = foreignParts(message, text, userName);
  const foreign = spansInOrder(text, parts);
  if (foreign.length < parts.length) return [];
  const notOwn = [...foreign, ...claims];
  let isNamed = false;
  return sentencesIn(text).flatMap(({ start, end, isAsked }) => {
    const said = text.slice(start, end).trim();
    const hasAsked = analyze(said).some((term) => askedTerms.has(term));
    const isTold = hasAsked || (isNamed && peopleIn(said).isReferred);
    isNamed ||= hasAsked;
    if (!isTold || isAsked || notOwn.some((span) => span.start < end && start < span.end)) return [];
    return [{ id: `${message.id}:${start}`, text: said.replaceAll(/\s+/gu, ' '), start, end }];
  });
}

function noteOf(
  { id, turnId, sessionId, createdAt }: Pick<StoredMessage, 'id' | 'turnId' | 'sessionId' | 'createdAt'>,
  claims: readonly Said[],
  score: number,
): ContextNote {
  const text = statedText(claims);
  return { text, sources: [id], claims, turnId, sessionId, createdAt, score, why: {} };
}

/** Returns what was stated in some turns and still holds, newest first. */
export function statedAmong(claims: ClaimsByMessage, turns: readonly CountedTurn[]): ContextNote[] {
  return turns
    .flatMap(({ messages }) => messages.flatMap(({ id }) => claims.statedIn(id)))
    .filter(holds)
    .toSorted((a, b) => b.saidAt - a.saidAt || (a.id < b.id ? -1 : 1))
    .map((row) => ({
      text: row.text,
      sources: [row.messageId],
      claims: [row],
      createdAt: row.saidAt,
      score: row.score,
      why: {},
    }));
}

/**
 * Adds the worth of the claims in a turn to its score. Turns without claims are marked if the user only asks in them or
 * speaks of nobody, or says all words of the question and more: "The parents' meeting is on 8 October, what do they ask
 * there?".
 *
 * @param isSure whether memory surely helps, so that the first turn is told even if it has other words than the question
 */
export function withWorth(
  turns: readonly FoundTurn[],
  claims: ClaimsByMessage,
  askedTerms: ReadonlySet<string>,
  isSure: boolean,
  matters: ReadonlySet<string> = NO_MATTERS,
): FoundTurn[] {
  const asked = [...askedTerms];
  const saysAsked = (message: StoredMessage): boolean => {
    if (asked.length < FEWEST_ASKED) return false;
    const terms = new Set(analyze(messageText(message)));
    return terms.size > asked.length && asked.every((term) => terms.has(term));
  };
  return turns.map((turn, rank) => {
    const rows = turn.messages.flatMap(({ id }) => claims.statedIn(id));
    if (rows.length > 0) return { ...turn, score: turn.score + worthFor(rows, matters) };
    const own = turn.messages.filter(({ role }) => role === 'user');
    if (own.some(saysAsked)) return { ...turn, saysAsked: true };
    const onlyAsks = own.length > 0 && own.map(messageText).every(tellsNothing);
    if (!onlyAsks || turn.hasAskedPassage) return turn;
    const isOfEntity = (turn.why['graph'] ?? 0) > 0;
    const isAsked = turn.hasAskedWords === true || isOfEntity || (isSure && rank === 0);
    if (!isAsked) return { ...turn, request: 'other' };
    return own.some((message) => tellsBesideAsking(readText(messageText(message))))
      ? turn
      : { ...turn, request: 'asked' };
  });
}

/** Whether a text of the user states nothing. */
export function asksOnly(text: string): boolean {
  const { features, isRequest, opensAsking } = readText(text);
  if (features.isGeneral + features.isTechnical > 0 || isRequest) return true;
  return features.isPersonal === 0 && (opensAsking || hasRequestForm(text));
}

/** Whether a text without claims is no more than an everyday request. */
function tellsNothing(text: string): boolean {
  return asksOnly(text) || speaksOfNobody(text);
}

/** Whether a text has a sentence about the speaker beside what it asks: "We made pizza! Have you made anything lately?". */
function tellsBesideAsking({ features, text }: ReadText): boolean {
  return features.isTask === 0 && sentencesIn(text).some((each) => isOwnStatement(text, each));
}

function isOwnStatement(text: string, { start, end, isAsked }: Sentence): boolean {
  if (isAsked) return false;
  const { features, isRequest } = readText(text.slice(start, end));
  const { isPersonal, isGeneral, isTechnical } = features;
  return isPersonal === 1 && !isRequest && isGeneral + isTechnical === 0;
}

/**
 * Returns what the user states in messages that were not found, those most worth keeping first.
 *
 * @param told notes of such messages, which are told anyway
 */
export function statedElsewhere(
  claims: ClaimsByMessage,
  found: readonly FoundTurn[],
  placeOf: (messageId: string) => IndexedMessage | undefined,
  told: readonly ContextNote[] = [],
  matters: ReadonlySet<string> = NO_MATTERS,
): ContextNote[] {
  const ids = new Set([
    ...found.flatMap(({ messages }) => messages.map(({ id }) => id)),
    ...told.flatMap(({ sources }) => sources),
  ]);
  const notes: ContextNote[] = [];
  for (const { messageId, rows, worth: score } of claims.ranked) {
    const place = ids.has(messageId) ? undefined : placeOf(messageId);
    const ofMatter = isOfMatter(rows, matters) ? MATTER_BEFORE_WORTH : 0;
    if (place) notes.push(noteOf(place, rows, NOT_FOUND + score + ofMatter));
    if (notes.length === OTHER_MESSAGES) break;
  }
  return notes;
}

/**
 * Marks what is no longer true in turns. A turn in which nothing holds any more is ranked right behind the best turn that
 * ended something of it; otherwise, those that did are ranked right behind the turn, so that they stand beside it.
 */
export function withOutdated(
  turns: readonly FoundTurn[],
  outdated: OutdatedByMessage,
  claims: ClaimsByMessage,
): FoundTurn[] {
  const scores = new Map(
    turns.flatMap(({ messages, score }) => messages.map(({ id }) => [id, score] as const)),
  );
  const raised = new Map<string, number>();
  const marked = turns.map((turn): FoundTurn => {
    const parts = outdatedIn(turn, outdated);
    if (parts.length === 0) return turn;
    const successors = successorsOf(parts, outdated, claims).filter((id) => scores.has(id));
    if (turn.messages.some(({ id }) => claims.statedIn(id).some(holds))) {
      for (const id of successors) raised.set(id, Math.max(raised.get(id) ?? -Infinity, turn.score - BEHIND));
      return { ...turn, outdated: parts };
    }
    const best = Math.max(...successors.map((id) => scores.get(id) ?? -Infinity));
    const score = successors.length === 0 ? turn.score : Math.min(turn.score, best - BEHIND);
    return { ...turn, outdated: parts, score };
  });
  return marked.map((turn) => {
    const score = Math.max(turn.score, ...turn.messages.map(({ id }) => raised.get(id) ?? turn.score));
    return score === turn.score ? turn : { ...turn, score };
  });
}

/** Returns what still holds of the messages that ended something in turns found and that search has not found. */
export function statedBySuccessors(
  found: readonly FoundTurn[],
  outdated: OutdatedByMessage,
  claims: ClaimsByMessage,
  placeOf: (messageId: string) => IndexedMessage | undefined,
): ContextNote[] {
  const told = new Set(found.flatMap(({ messages }) => messages.map(({ id }) => id)));
  return found.flatMap((turn) =>
    successorsOf(outdatedIn(turn, outdated), outdated, claims).flatMap((id) => {
      const rows = claims.statedIn(id).filter(holds);
      const place = told.has(id) || rows.length === 0 ? undefined : placeOf(id);
      told.add(id);
      return place ? noteOf(place, rows, turn.score - BEHIND) : [];
    }),
  );
}

function outdatedIn({ messages }: FoundTurn, outdated: OutdatedByMessage): OutdatedQuote[] {
  return messages.flatMap(({ id }) => outdated.get(id) ?? []);
}

/** Returns the ids of the messages that ended some words; if nothing in one of them holds either, those that ended it. */
function successorsOf(
  parts: readonly OutdatedQuote[],
  outdated: OutdatedByMessage,
  claims: ClaimsByMessage,
): string[] {
  const found = new Set(parts.flatMap(({ byMessageId }) => byMessageId ?? []));
  const over = new Set<string>();
  for (const id of found) {
    if (!isAllOver(claims.statedIn(id))) continue;
    over.add(id);
    for (const { byMessageId } of outdated.get(id) ?? [])
      if (byMessageId !== undefined) found.add(byMessageId);
  }
  return [...found].filter((id) => !over.has(id));
}
