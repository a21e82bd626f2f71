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
import { countingOnce } from './counting-once.ts';
import { isQuotable, quoteNotes } from './fence.ts';
import { inOrder, quoteBlocks } from './quote-blocks.ts';
import { recentWindow } from './recent-window.ts';
import { sameWords } from './same-words.ts';

export interface AssembleInput extends ContextFrame {
  /** Facts that belong into every context. */
  pinned: readonly ContextNote[];
  /** Of what has left the window. */
  summary?: ContextNote;
  /** Newest turns of the session, oldest first. */
  turns: readonly CountedTurn[];
  /**
   * Whether nothing else stands for these turns: then all of them are sent that fit their share, and the window moves
   * when a summary covers some. Otherwise it moves by itself.
   */
  areUncovered: boolean;
  /** About what the input mentions. */
  facts: readonly ContextNote[];
  /** Those in the window are left out here. */
  found: readonly FoundTurn[];
  recentTurns: number;
  maxTokens: number;
}

/** Shares of the budget, at most; what one leaves, the next may take, and what is recalled gets the rest. */
export const SHARES = { pinned: 0.1, summary: 0.15, recent: 0.5, uncovered: 0.7, facts: 0.2 } as const;

/**
 * Lays out a request within a hard budget.
 *
 * The budget is given away in this order: system text and input, pinned facts, the summary, recent turns, facts about
 * the question, recalled turns; within a kind the best first, of recent turns the newest without a gap, of a summary
 * its beginning. So what is left out did not fit beside what comes before it in this order, or its kind's share of the
 * budget ({@link SHARES}) was used up. The newest turn alone may exceed its share.
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
    tokenizer: countingOnce(input.tokenizer, input.turns),
    pinned: input.pinned.toSorted(byRelevance),
    facts: input.facts.toSorted(byRelevance),
    found: quotable.filter((each) => each.messages.length > 0).toSorted(byScore),
  };
}

/** What goes into the request, of what is {@link inPriority}; undefined where system text and input alone exceed the budget. */
export function chooseParts(given: AssembleInput): ContextParts | undefined {
  if (layOut(given, NOTHING).tokens > given.maxTokens) return undefined;
  let parts = withNotes(given, 'pinned', NOTHING);
  parts = withSummary(given, parts);
  parts = withWindow(given, parts);
  parts = withNotes(given, 'facts', parts);
  return withRecalled(given, parts);
}

export const NOTHING: ContextParts = { pinned: [], window: [], facts: [], recalled: [] };

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

/** Adds notes of one kind, as long as they keep within their share and all within the budget. */
function withNotes(given: AssembleInput, kind: 'pinned' | 'facts', parts: ContextParts): ContextParts {
  const { maxTokens, tokenizer } = given;
  return fill(given, parts, given[kind], {
    limit: Math.min(maxTokens, layOut(given, parts).tokens + maxTokens * SHARES[kind]),
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

function newestWithin(turns: readonly CountedTurn[], maxTokens: number): readonly CountedTurn[] {
  let tokens = 0;
  const tooOld = turns.findLastIndex((turn) => (tokens += turn.tokens) > maxTokens);
  return turns.slice(tooOld + 1);
}

/** Adds whole turns of what was found. What says the same as something that is there already is left out. */
function withRecalled(given: AssembleInput, parts: ContextParts): ContextParts {
  const { maxTokens, tokenizer } = given;
  const inWindow = new Set(parts.window.map(turnIdOf));
  const said = new Set(parts.window.map((turn) => sameWords(turn.messages)));
  const candidates = given.found.filter((turn) => !inWindow.has(turnIdOf(turn)));
  return fill(given, parts, candidates, {
    limit: maxTokens,
    add: (filled, found) => ({ ...filled, recalled: [...filled.recalled, found] }),
    costOf: ({ recalled }) =>
      quoteBlocks(recalled)
        .flatMap((block) => block.pieces)
        .reduce((sum, piece) => sum + tokenizer.countText(piece), 0),
    leastCost: ({ messages }) =>
      messages.reduce((sum, message) => sum + leastQuoted(message, tokenizer.id), 0),
    isWelcome: ({ messages }) => {
      const words = sameWords(messages);
      const isNew = words === '' || !said.has(words);
      said.add(words);
      return isNew;
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

/** Of equals the newer first. */
function byRelevance(a: ContextNote, b: ContextNote): number {
  return b.score - a.score || b.createdAt - a.createdAt || ((a.factId ?? '') < (b.factId ?? '') ? -1 : 1);
}
