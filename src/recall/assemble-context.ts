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
import { fence, isQuotable, quoteNotes } from './fence.ts';
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

/** A text can cost a few tokens less inside the fence than alone. */
const SLACK_TOKENS = 4;

/** Adds notes of one kind, best first, as long as they keep within their share and all within the budget. */
function withNotes(given: AssembleInput, kind: 'pinned' | 'facts', parts: ContextParts): ContextParts {
  const before = layOut(given, parts).tokens;
  const limit = Math.min(given.maxTokens, before + given.maxTokens * SHARES[kind]);
  let filled = parts;
  let used = before;
  for (const note of given[kind]) {
    // A cheap estimate first: laying out anew counts all that is quoted again.
    if (used + given.tokenizer.countText(quoteNotes('', [note.text])) > limit + SLACK_TOKENS) continue;
    const candidate = { ...filled, [kind]: [...filled[kind], note] };
    const { tokens } = layOut(given, candidate);
    if (tokens > limit) continue;
    filled = candidate;
    used = tokens;
  }
  return filled;
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

/**
 * Adds the best of what was found, whole turns, as long as they fit; one that does not fit makes room for the next.
 * What says the same as something that is there already is left out.
 */
function withRecalled(given: AssembleInput, parts: ContextParts): ContextParts {
  const { maxTokens, tokenizer, mark } = given;
  const inWindow = new Set(parts.window.map(turnIdOf));
  const said = new Set(parts.window.map((turn) => sameWords(turn.messages)));
  const costOf = (recalled: readonly FoundTurn[]): number =>
    quoteBlocks(recalled).reduce((sum, block) => sum + tokenizer.countText(block.text), 0);
  const opening = parts.facts.length > 0 ? 0 : tokenizer.countText(fence(mark, ['']));
  let filled = parts;
  // Laying out anew counts the whole fence again. So it is done where adding up what the blocks cost does not tell:
  // each block may cost a few tokens more or less inside than alone.
  let counted = { tokens: layOut(given, parts).tokens + opening, cost: 0 };
  let doubt = SLACK_TOKENS;
  for (const found of given.found) {
    if (inWindow.has(turnIdOf(found))) continue;
    const words = sameWords(found.messages);
    if (words !== '' && said.has(words)) continue;
    const candidate = { ...filled, recalled: [...filled.recalled, found] };
    const cost = costOf(candidate.recalled);
    const estimate = counted.tokens + cost - counted.cost;
    const margin = doubt + SLACK_TOKENS;
    if (estimate - margin > maxTokens) continue;
    if (estimate + margin > maxTokens) {
      const { tokens } = layOut(given, candidate);
      if (tokens > maxTokens) continue;
      counted = { tokens, cost };
      doubt = 0;
    } else {
      doubt = margin;
    }
    filled = candidate;
    said.add(words);
  }
  return filled;
}

/** Of equals the older first. */
function byScore(a: FoundTurn, b: FoundTurn): number {
  return b.score - a.score || inOrder(a, b);
}

/** Of equals the newer first. */
function byRelevance(a: ContextNote, b: ContextNote): number {
  return b.score - a.score || b.createdAt - a.createdAt || ((a.factId ?? '') < (b.factId ?? '') ? -1 : 1);
}
