import { splitSentences } from '../../language/sentences.ts';
import type { Steps } from '../../model/event-loop.ts';
import type { GateScore } from '../gate/score-question.ts';
import { duplicateKey } from '../index/indexed-text.ts';
import { SHARES } from './budget-shares.ts';
import type { ContextNote, RecalledContext } from './context-item.ts';
import {
  layOut,
  tokensOf,
  SUMMARY_TITLE,
  turnIdOf,
  type ContextFrame,
  type ContextParts,
  type CountedTurn,
  type FoundTurn,
} from './context-layout.ts';
import { isQuotable, quoteNotes, type Passages } from './fence.ts';
import { fill } from './fill-budget.ts';
import { memoizedTokenizer } from './memoized-tokenizer.ts';
import { costOfDays, costOfNotes, leastQuoted, leastSent } from './piece-tokens.ts';
import { inOrder } from './quote-days.ts';
import { recentWindow } from './recent-window.ts';
import { saidOnce, untold } from './without-repeats.ts';

export interface AssembleInput extends ContextFrame {
  /** Facts that belong in every context. */
  pinned: readonly ContextNote[];
  /** Lines that help with any question, the most useful first. */
  profile: readonly ContextNote[];
  /** Maximum number of tokens of the profile, which never gets more than a quarter of the budget. */
  profileTokens: number;
  /** Summary of the turns that no longer fit the window. */
  summary?: ContextNote;
  /** Newest turns of the session, oldest first. */
  turns: readonly CountedTurn[];
  /**
   * Whether no summary covers these turns. If so, all that fit their share are sent, and the window moves when a summary
   * covers some of them; otherwise the window moves by itself.
   */
  areUncovered: boolean;
  /** Returns notes that replace those uncovered turns that do not fit, best first. */
  gapNotes?: (left: readonly CountedTurn[]) => readonly ContextNote[];
  /** Facts about what the input mentions. */
  facts: readonly ContextNote[];
  /** What the user states in each turn found, one note per turn: cheaper than the whole turn. */
  stated: readonly ContextNote[];
  /** Turns found by search, without those in the window. */
  found: readonly FoundTurn[];
  /** Limit of facts and found turns together, for questions that hardly need memory. @default the rest of the budget */
  reach?: Reach;
  /** The gate's score of the question and the reasons for it. */
  gate?: Pick<GateScore, 'score' | 'why'>;
  recentTurns: number;
  maxTokens: number;
}

/** Limits of what is recalled for a question, in addition to the budget. */
export interface Reach {
  readonly maxTurns: number;
  readonly maxTokens: number;
}

/**
 * Returns a request that fits a hard token budget.
 *
 * The budget is spent in this order: system text and input, pinned facts, the profile, the summary, recent turns, pinned
 * facts beyond their share, the best turn with a long answer or document, facts about the question, the best turns without
 * claims (with a `reach`, of both only those with the words of the question), claims, other recalled turns. Within a kind
 * the best come first; recent turns are the newest without a gap, and of a long summary the beginning is kept. So anything
 * left out did not fit beside what comes before it in this order, or its kind's share of the budget ({@link SHARES}) was
 * used up. Only the newest turn may exceed its share. Facts and profile lines that repeat a turn that is sent are left out.
 *
 * Pure: the same stored state gives the same bytes, whatever the order of facts and found turns.
 */
export function* assembleContext(input: AssembleInput): Steps<RecalledContext> {
  const given = inPriority(input);
  const parts = yield* chooseParts(given);
  yield;
  return { ...layOut(given, parts ?? NOTHING), overBudget: parts === undefined };
}

/** Returns the input sorted by priority, with a tokenizer that counts each text once. */
export function inPriority(input: AssembleInput): AssembleInput {
  const quotable = input.found.map((each) => ({ ...each, messages: each.messages.filter(isQuotable) }));
  return {
    ...input,
    tokenizer: memoizedTokenizer(input.tokenizer, input.turns),
    pinned: input.pinned.toSorted(byRelevance),
    profile: input.profile.toSorted(byRelevance),
    facts: input.facts.toSorted(byRelevance),
    stated: input.stated.toSorted(byRelevance),
    found: quotable.filter((each) => each.messages.length > 0).toSorted(byScore),
  };
}

/**
 * Returns the parts of the request, chosen from an input that is {@link inPriority}; undefined if system text and input
 * alone exceed the budget.
 */
export function* chooseParts(given: AssembleInput): Steps<ContextParts | undefined> {
  const { maxTokens, facts, found, reach } = given;
  if (tokensOf(given, NOTHING) > maxTokens) return undefined;
  // Pinned facts come before the profile, and use the profile's share if their own does not suffice.
  const lastingTokens = maxTokens * (SHARES.pinned + SHARES.profile);
  let parts = yield* withNotes(given, NOTHING, 'pinned', given.pinned, lastingTokens);
  const left = lastingTokens - (tokensOf(given, parts) - tokensOf(given, NOTHING));
  const profileTokens = Math.min(left, maxTokens * SHARES.profile, given.profileTokens);
  parts = yield* withNotes(given, parts, 'profile', given.profile, profileTokens);
  parts = yield* withWindow(given, yield* withSummary(given, parts));
  const others = given.pinned.filter((note) => !parts.pinned.includes(note));
  parts = yield* withNotes(given, parts, 'alsoPinned', others, maxTokens);
  // Where pins have used the share of the profile, it gets what they left of the budget.
  const lines = given.profile.filter((note) => !parts.profile.includes(note));
  const tokens = Math.min(maxTokens * SHARES.profile, given.profileTokens);
  if (given.pinned.length > 0)
    parts = yield* withNotes(given, parts, 'profile', lines, tokens - profileTokens);
  // Duplicates of the window are removed before the limit is set; otherwise recalled text could take their place beyond
  // the limit.
  parts = saidOnce(yield* withNotes(given, parts, 'gap', gapNotes(given, parts), maxTokens * SHARES.summary));
  const limit = tokensOf(given, parts) + (reach?.maxTokens ?? maxTokens);
  const factTokens = maxTokens * SHARES.facts;
  const statedTokens = maxTokens * Math.max(SHARES.stated, Math.min(MOST_STATED, FEW_TOKENS / maxTokens));
  // One turn at most: it costs much, and what was said of the question elsewhere needs room, too.
  const isSure = reach === undefined;
  const longBest = found.find(({ hasAskedPassage, isBestLong }) => hasAskedPassage ?? (isSure && isBestLong));
  const asked = found.find(({ saysAsked }) => saysAsked);
  parts = yield* withRecalled(
    given,
    parts,
    [longBest, asked].filter((turn) => turn !== undefined),
    limit,
  );
  const particular = facts.filter((note) => note.isGeneral !== true);
  parts = yield* withNotes(given, parts, 'facts', particular, factTokens, limit);
  const telling = found.filter(({ request }) => request === undefined);
  const stating = new Set(given.stated.map(({ turnId }) => turnId));
  const first = telling
    .slice(0, firstTurns(maxTokens))
    .filter((turn) => turn.isNotFound !== true && !stating.has(turnIdOf(turn)))
    // Where memory may not help at all, a turn without most words of the question is mostly an everyday request.
    .filter(
      ({ hasAskedWords, hasAskedPassage }) => isSure || hasAskedWords === true || hasAskedPassage === true,
    );
  parts = saidOnce(yield* withRecalled(given, parts, first, limit));
  parts = yield* withNotes(given, parts, 'stated', untoldNotes(given, parts), statedTokens, limit);
  parts = saidOnce(yield* withRecalled(given, parts, telling, limit));
  // The rest of the budget is used for more sentences, then for requests about the question; these may repeat something.
  const more = untoldNotes(given, parts).flatMap(byClaims);
  parts = yield* withNotes(given, parts, 'stated', more, maxTokens, limit);
  parts = saidOnce(yield* withRecalled(given, parts, found.filter(isTold), limit));
  const general = facts.filter((note) => note.isGeneral === true);
  return saidOnce(yield* withNotes(given, parts, 'facts', general, factTokens, limit));
}

/** Everyday requests fill no budget. */
export function isTold({ request }: FoundTurn): boolean {
  return request !== 'other';
}

export const NOTHING: ContextParts = {
  pinned: [],
  alsoPinned: [],
  profile: [],
  gap: [],
  window: [],
  facts: [],
  stated: [],
  recalled: [],
};

/** Returns the number of best turns that are told before what the user states elsewhere: small limits have room for few. */
function firstTurns(maxTokens: number): number {
  return Math.max(0, Math.min(MOST_FIRST_TURNS, Math.floor(maxTokens / 100) - 2));
}

const MOST_FIRST_TURNS = 5;
/** With room for few turns only, sentences come before turns: up to this many tokens and this part of the budget. */
const FEW_TOKENS = 280;
const MOST_STATED = 0.8;

/** Adds notes of one kind, up to `mostTokens` of them and within the limit of the request. */
function* withNotes(
  given: AssembleInput,
  parts: ContextParts,
  kind: 'pinned' | 'alsoPinned' | 'profile' | 'gap' | 'facts' | 'stated',
  notes: readonly ContextNote[],
  mostTokens: number,
  limit = Infinity,
): Steps<ContextParts> {
  const { maxTokens, tokenizer } = given;
  if (notes.length === 0) return parts;
  const told = new Set<string | undefined>();
  return yield* fill(given, parts, notes, {
    limit: Math.min(maxTokens, limit, tokensOf(given, parts) + mostTokens),
    isWelcome: ({ sources: [messageId] }) => {
      const isWelcome = kind !== 'stated' || !told.has(messageId);
      told.add(messageId);
      return isWelcome;
    },
    add: (filled, note) => ({ ...filled, [kind]: [...filled[kind], note] }),
    costOf: (filled) => {
      if (kind === 'gap') return costOfDays([], filled.gap, tokenizer);
      if (kind === 'stated') return costOfDays(filled.recalled, filled.stated, tokenizer);
      return costOfNotes(filled[kind], tokenizer);
    },
  });
}

/** Returns what the user states in turns that the context does not contain yet. */
function untoldNotes({ stated }: AssembleInput, parts: ContextParts): ContextNote[] {
  const told = new Set(parts.stated.map(({ turnId }) => turnId));
  return untold(
    stated.filter((note) => !told.has(note.turnId)),
    parts,
  );
}

/** Returns a note, then each of its claims alone, for where the note has no room. */
function byClaims(note: ContextNote): ContextNote[] {
  const { claims = [] } = note;
  return [
    note,
    ...(claims.length < 2 ? [] : claims.map((each) => ({ ...note, text: each.text, claims: [each] }))),
  ];
}

/** Returns the claims of those turns that no summary covers and that do not fit. */
function gapNotes(given: AssembleInput, { window }: ContextParts): readonly ContextNote[] {
  const left = given.areUncovered ? given.turns.filter((turn) => !window.includes(turn)) : [];
  return left.length === 0 ? [] : (given.gapNotes?.(left) ?? []);
}

/** Adds the summary, cut after a sentence if it exceeds its share or the budget. */
function* withSummary(given: AssembleInput, parts: ContextParts): Steps<ContextParts> {
  const { summary, tokenizer, maxTokens } = given;
  if (!summary) return parts;
  const sentences = splitSentences(summary.text).filter((sentence) => sentence.trim() !== '');
  for (let kept = sentences.length; kept > 0; kept -= 1) {
    yield;
    const text =
      kept === sentences.length
        ? summary.text
        : sentences
            .slice(0, kept)
            .map((each) => each.trim())
            .join(' ');
    if (tokenizer.countText(quoteNotes(SUMMARY_TITLE, [text])) > maxTokens * SHARES.summary) continue;
    const candidate = { ...parts, summary: { ...summary, text } };
    if (tokensOf(given, candidate) <= maxTokens) return candidate;
  }
  return parts;
}

function* withWindow(given: AssembleInput, parts: ContextParts): Steps<ContextParts> {
  // The share does not depend on the question; otherwise the window would move with each question.
  const limits = { recentTurns: given.recentTurns, maxTokens: Math.floor(given.maxTokens * SHARES.recent) };
  let window = given.areUncovered
    ? newestWithin(given.turns, given.maxTokens * SHARES.uncovered)
    : recentWindow(given.turns, limits);
  // Even beyond its share, the newest turn is what the next question is about, and more useful than recalled text.
  if (window.length === 0 && given.recentTurns > 0) window = given.turns.slice(-1);
  while (
    window.length > 0 &&
    (leastSent(window, given.tokenizer.id) > given.maxTokens ||
      tokensOf(given, { ...parts, window }) > given.maxTokens)
  ) {
    yield;
    window = window.slice(1);
  }
  return { ...parts, window };
}

function newestWithin(turns: readonly CountedTurn[], maxTokens: number): readonly CountedTurn[] {
  let tokens = 0;
  const tooOld = turns.findLastIndex((turn) => (tokens += turn.tokens) > maxTokens);
  return turns.slice(tooOld + 1);
}

/** Adds whole turns found by search, without duplicates of what is already in the request. */
function* withRecalled(
  given: AssembleInput,
  parts: ContextParts,
  found: readonly FoundTurn[],
  limit: number,
): Steps<ContextParts> {
  const { maxTokens, reach, tokenizer } = given;
  const sent = [...parts.window, ...parts.recalled];
  const isSent = new Set(sent.map(turnIdOf));
  // A system message in a turn is never quoted.
  const said = new Set(sent.map(({ messages }) => duplicateKey(messages.filter(isQuotable))));
  let left = (reach?.maxTurns ?? Infinity) - parts.recalled.length;
  const candidates = found.filter((turn) => !isSent.has(turnIdOf(turn))).flatMap(inSizes);
  return yield* fill(given, parts, candidates, {
    limit: Math.min(maxTokens, limit),
    add: (filled, turn) => {
      const added = { ...filled, recalled: [...filled.recalled, turn] };
      return filled.stated.some(({ turnId }) => turnId === turnIdOf(turn)) ? saidOnce(added) : added;
    },
    costOf: ({ recalled, stated }) => costOfDays(recalled, stated, tokenizer),
    leastCost: ({ messages, passages }) =>
      messages.reduce(
        (sum, message) => sum + (passages?.has(message.id) ? 0 : leastQuoted(message, tokenizer.id)),
        0,
      ),
    isWelcome: (turn) => {
      const words = duplicateKey(turn.messages);
      if ((words !== '' && said.has(words)) || isSent.has(turnIdOf(turn)) || left === 0) return false;
      said.add(words);
      isSent.add(turnIdOf(turn));
      left -= 1;
      return true;
    },
  });
}

/**
 * Returns a turn as it is quoted best, then as it is quoted where that has no room: at last without its answer, unless the
 * answer may be what the question is about.
 */
function inSizes(turn: FoundTurn): FoundTurn[] {
  const { bestPassages, messages, request, hasAskedPassage, isBestLong } = turn;
  const smaller = (passages: Passages): FoundTurn => ({ ...turn, passages, messages: [...messages] });
  const answers = messages.filter(({ role }) => role !== 'user').map(({ id }) => [id, []] as const);
  const isAnswerNeeded = request !== undefined || hasAskedPassage === true || isBestLong === true;
  const canDoWithout = !isAnswerNeeded && answers.length > 0 && answers.length < messages.length;
  return [
    turn,
    ...(bestPassages ? [smaller(bestPassages)] : []),
    ...(canDoWithout ? [smaller(new Map([...(bestPassages ?? []), ...answers]))] : []),
  ];
}

/** Orders by score, then the older first. */
function byScore(a: FoundTurn, b: FoundTurn): number {
  return b.score - a.score || inOrder(a, b);
}

/** Orders by score, then the newer first; the result does not depend on the input order. */
function byRelevance(a: ContextNote, b: ContextNote): number {
  return b.score - a.score || b.createdAt - a.createdAt || (idOf(a) < idOf(b) ? -1 : 1);
}

function idOf({ factId, sources: [messageId = ''] }: ContextNote): string {
  return factId ?? messageId;
}
