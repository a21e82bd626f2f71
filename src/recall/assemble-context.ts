import { messageText, type StoredMessage } from '../model/message.ts';
import type { ContextNote, RecalledContext } from './context-item.ts';
import {
  layOut,
  SUMMARY_TITLE,
  type ContextFrame,
  type ContextParts,
  type CountedTurn,
  type FoundTurn,
  turnIdOf,
} from './context-layout.ts';
import type { GateScore } from './gate/score-question.ts';
import { memoizedTokenizer } from './memoized-tokenizer.ts';
import { isQuotable, quoteNotes } from './fence.ts';
import { inOrder, quoteBlocks } from './quote-blocks.ts';
import { recentWindow } from './recent-window.ts';
import { saidOnce, untold } from './said-once.ts';
import { duplicateKey } from './duplicate-key.ts';
import { SHARES } from './budget-shares.ts';

export interface AssembleInput extends ContextFrame {
  /** Facts that belong into every context. */
  pinned: readonly ContextNote[];
  /** What helps whatever is asked, the most useful first. */
  profile: readonly ContextNote[];
  /** Tokens of the profile, at most; a quarter of the budget is the most it gets. */
  profileTokens: number;
  /** Of what has left the window. */
  summary?: ContextNote;
  /** Newest turns of the session, oldest first. */
  turns: readonly CountedTurn[];
  /**
   * Whether nothing else stands for these turns: then all of them are sent that fit their share, and the window moves
   * when a summary covers some. Otherwise it moves by itself.
   */
  areUncovered: boolean;
  /** Of turns that are uncovered: what stands in for those that do not fit, best first. */
  gapNotes?: (left: readonly CountedTurn[]) => readonly ContextNote[];
  /** About what the input mentions. */
  facts: readonly ContextNote[];
  /** Found turns by what the user states in them, a note each: they cost less than whole. */
  stated: readonly ContextNote[];
  /** Those in the window are left out here. */
  found: readonly FoundTurn[];
  /** What facts and found turns may take together, where the question hardly asks for any. @default what is left */
  reach?: Reach;
  /** Why it hardly asks for any. */
  gate?: Pick<GateScore, 'score' | 'why'>;
  recentTurns: number;
  maxTokens: number;
}

/** Limits of what is sent for a question, beside the budget. */
export interface Reach {
  readonly maxTurns: number;
  readonly maxTokens: number;
}

/**
 * Lays out a request within a hard budget.
 *
 * The budget is given away in this order: system text and input, pinned facts, the profile, the summary, recent turns,
 * facts about the question, recalled turns; within a kind the best first, of recent turns the newest without a gap, of a
 * summary its beginning. So what is left out did not fit beside what comes before it in this order, or its kind's share
 * of the budget ({@link SHARES}) was used up. The newest turn alone may exceed its share. What a turn that is sent says in
 * its own words is not told again as a fact or a line of the profile.
 *
 * Pure: the same stored state gives the same bytes, in whatever order facts and found turns are given.
 */
export function assembleContext(input: AssembleInput): RecalledContext {
  const given = inPriority(input);
  const parts = chooseParts(given);
  return { ...layOut(given, parts ?? NOTHING), overBudget: parts === undefined };
}

/** The same input with what is considered in the order in which it is, and a tokenizer that counts each text once. */
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

/** What goes into the request, of what is {@link inPriority}; undefined where system text and input alone exceed the budget. */
export function chooseParts(given: AssembleInput): ContextParts | undefined {
  if (layOut(given, NOTHING).tokens > given.maxTokens) return undefined;
  let parts = withNotes(given, 'pinned', NOTHING);
  parts = withNotes(given, 'profile', parts);
  parts = withSummary(given, parts);
  parts = withWindow(given, parts);
  parts = withGap(given, parts);
  const limit = layOut(given, parts).tokens + (given.reach?.maxTokens ?? given.maxTokens);
  const general = given.facts.filter(({ isGeneral }) => isGeneral === true);
  const particular = given.facts.filter((note) => !general.includes(note));
  parts = withNotes({ ...given, facts: particular }, 'facts', parts, limit);
  parts = withNotes(
    given,
    'stated',
    parts,
    limit,
    Math.max(SHARES.stated, Math.min(MOST_STATED, FEW_TOKENS / given.maxTokens)),
  );
  parts = withRecalled(
    { ...given, found: given.found.filter(({ isRequest }) => isRequest !== true) },
    parts,
    limit,
  );
  // What that leaves, further sentences may take, then turns that hardly tell anything; these may say something again.
  parts = withNotes(given, 'stated', saidOnce(parts), limit, 1);
  parts = saidOnce(withRecalled(given, parts, limit));
  return saidOnce(withNotes({ ...given, facts: general }, 'facts', parts, limit));
}

export const NOTHING: ContextParts = {
  pinned: [],
  profile: [],
  gap: [],
  window: [],
  facts: [],
  stated: [],
  recalled: [],
};

/** Where there is room for few turns, sentences come before them: up to these tokens, and this part of the budget. */
const FEW_TOKENS = 200;
const MOST_STATED = 0.6;

/** A piece of text can cost a few tokens more or less beside others than alone. */
const SLACK_TOKENS = 4;

interface Filling<T> {
  /** Tokens of the whole request. */
  readonly limit: number;
  add(parts: ContextParts, candidate: T): ContextParts;
  /** Tokens of what was added, piece by piece. */
  costOf(parts: ContextParts): number;
  /** What a candidate costs at least, without counting it. */
  leastCost?(candidate: T): number;
  /** Asked once of what fits. */
  isWelcome?(candidate: T): boolean;
}

/**
 * Adds candidates, the best first, as long as they fit; one that does not makes room for the next. Laying out again
 * counts the whole fence again, so it is done where adding up what the pieces cost does not tell.
 */
function fill<T>(
  given: AssembleInput,
  parts: ContextParts,
  candidates: readonly T[],
  { limit, add, costOf, leastCost = () => 0, isWelcome = () => true }: Filling<T>,
): ContextParts {
  let filled = parts;
  let estimate = layOut(given, parts).tokens;
  let cost = costOf(parts);
  let doubt = 0;
  // What opens a fence, or a list in it, is in no piece.
  let isOpen = false;
  for (const candidate of candidates) {
    const margin = doubt + SLACK_TOKENS;
    if (estimate + leastCost(candidate) - margin > limit) continue;
    const next = add(filled, candidate);
    const nextCost = costOf(next);
    const guess = estimate + nextCost - cost;
    if (guess - margin > limit) continue;
    const isSure = isOpen && guess + margin <= limit;
    const tokens = isSure ? guess : layOut(given, next).tokens;
    if (tokens > limit || !isWelcome(candidate)) continue;
    filled = next;
    estimate = tokens;
    cost = nextCost;
    doubt = isSure ? margin : 0;
    isOpen = true;
  }
  return filled;
}

/** Adds notes of one kind, as long as they keep within their share and all within the budget and a limit. */
function withNotes(
  given: AssembleInput,
  kind: 'pinned' | 'profile' | 'facts' | 'stated',
  parts: ContextParts,
  limit = given.maxTokens,
  part: number = SHARES[kind],
): ContextParts {
  const { maxTokens, profileTokens, tokenizer } = given;
  const share = Math.min(maxTokens * part, kind === 'profile' ? profileTokens : Infinity);
  const isIn = new Set(parts[kind].map(({ turnId }) => turnId));
  const candidates =
    kind === 'stated'
      ? given.stated.filter(({ turnId }) => !isIn.has(turnId)).flatMap((note) => untold(note, parts) ?? [])
      : given[kind];
  return fill(given, parts, candidates, {
    limit: Math.min(maxTokens, limit, layOut(given, parts).tokens + share),
    add: (filled, note) => ({ ...filled, [kind]: [...filled[kind], note] }),
    costOf: (filled) =>
      filled[kind].reduce((sum, note) => sum + tokenizer.countText(quoteNotes('', [note.text])), 0),
  });
}

/** Adds the summary, cut after a sentence where it is longer than its share or the budget. */
function withSummary(given: AssembleInput, parts: ContextParts): ContextParts {
  const { summary, tokenizer, maxTokens } = given;
  if (!summary) return parts;
  const sentences = summary.text
    .split(/(?<=[.!?。！？]["'”’)]?)\s+|\n+/u)
    .filter((sentence) => sentence.trim() !== '');
  for (let kept = sentences.length; kept > 0; kept -= 1) {
    const text = kept === sentences.length ? summary.text : sentences.slice(0, kept).join(' ');
    if (tokenizer.countText(quoteNotes(SUMMARY_TITLE, [text])) > maxTokens * SHARES.summary) continue;
    const candidate = { ...parts, summary: { ...summary, text } };
    if (layOut(given, candidate).tokens <= maxTokens) return candidate;
  }
  return parts;
}

function withWindow(given: AssembleInput, parts: ContextParts): ContextParts {
  // The share does not depend on the question, lest the window move with each.
  const limits = { recentTurns: given.recentTurns, maxTokens: Math.floor(given.maxTokens * SHARES.recent) };
  let window = given.areUncovered
    ? newestWithin(given.turns, given.maxTokens * SHARES.uncovered)
    : recentWindow(given.turns, limits);
  // A newest turn beyond the share is still what the next question is about: better it than anything recalled.
  if (window.length === 0 && given.recentTurns > 0) window = given.turns.slice(-1);
  while (window.length > 0 && layOut(given, { ...parts, window }).tokens > given.maxTokens) {
    window = window.slice(1);
  }
  return { ...parts, window };
}

/** Adds what was stated in the turns that no summary covers and that do not fit. */
function withGap(given: AssembleInput, parts: ContextParts): ContextParts {
  const { areUncovered, gapNotes, turns, maxTokens, tokenizer } = given;
  if (!areUncovered || !gapNotes) return parts;
  const left = turns.filter((turn) => !parts.window.includes(turn));
  if (left.length === 0) return parts;
  return fill(given, parts, gapNotes(left), {
    limit: Math.min(maxTokens, layOut(given, parts).tokens + maxTokens * SHARES.summary),
    add: (filled, note) => ({ ...filled, gap: [...filled.gap, note] }),
    costOf: ({ gap }) => gap.reduce((sum, { text }) => sum + tokenizer.countText(quoteNotes('', [text])), 0),
  });
}

function newestWithin(turns: readonly CountedTurn[], maxTokens: number): readonly CountedTurn[] {
  let tokens = 0;
  const tooOld = turns.findLastIndex((turn) => (tokens += turn.tokens) > maxTokens);
  return turns.slice(tooOld + 1);
}

/** Adds whole turns of what was found. What says the same as something that is there already is left out. */
function withRecalled(given: AssembleInput, parts: ContextParts, limit: number): ContextParts {
  const { maxTokens, reach, tokenizer } = given;
  const sent = [...parts.window, ...parts.recalled];
  const isSent = new Set(sent.map(turnIdOf));
  const said = new Set(sent.map((turn) => duplicateKey(turn.messages)));
  let left = (reach?.maxTurns ?? Infinity) - parts.recalled.length;
  const candidates = given.found.filter((turn) => !isSent.has(turnIdOf(turn)));
  return fill(given, parts, candidates, {
    limit: Math.min(maxTokens, limit),
    add: (filled, found) => ({ ...filled, recalled: [...filled.recalled, found] }),
    costOf: ({ recalled }) =>
      quoteBlocks(recalled)
        .flatMap((block) => block.pieces)
        .reduce((sum, piece) => sum + tokenizer.countText(piece), 0),
    leastCost: ({ messages }) =>
      messages.reduce((sum, message) => sum + leastQuoted(message, tokenizer.id), 0),
    isWelcome: ({ messages }) => {
      const words = duplicateKey(messages);
      const isNew = words === '' || !said.has(words);
      said.add(words);
      if (!isNew || left === 0) return false;
      left -= 1;
      return true;
    },
  });
}

const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/g;

/** Quoted, a text costs more than it does as a message, but for a line break, which can cost three tokens. */
function leastQuoted(message: StoredMessage, tokenizerId: string): number {
  const known = message.tokens?.[tokenizerId];
  if (known === undefined) return 0;
  return known - 3 * (messageText(message).match(LINE_BREAKS)?.length ?? 0) - 2 * SLACK_TOKENS;
}

/** Of equals the older first. */
function byScore(a: FoundTurn, b: FoundTurn): number {
  return b.score - a.score || inOrder(a, b);
}

/** Of equals the newer first, and the same ones in whatever order they come. */
function byRelevance(a: ContextNote, b: ContextNote): number {
  return b.score - a.score || b.createdAt - a.createdAt || (idOf(a) < idOf(b) ? -1 : 1);
}

function idOf({ factId, sources: [messageId = ''] }: ContextNote): string {
  return factId ?? messageId;
}
