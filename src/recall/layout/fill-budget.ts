import type { Steps } from '../../model/event-loop.ts';
import { tokensOf, type ContextFrame, type ContextParts } from './context-layout.ts';

/** The token count of a text can change by a few tokens when other text stands next to it. */
export const SLACK_TOKENS = 4;

export interface Filling<T> {
  /** Maximum number of tokens of the whole request. */
  readonly limit: number;
  add(parts: ContextParts, candidate: T): ContextParts;
  /** Returns the tokens of the added pieces, counted one by one. */
  costOf(parts: ContextParts): number;
  /** Returns a lower bound of the candidate's tokens without counting them. */
  leastCost?(candidate: T): number;
  /** Is called once for each candidate that fits. */
  isWelcome?(candidate: T): boolean;
}

/**
 * Adds candidates, the best first, as long as they fit; one that does not fit is skipped. A new layout counts the whole
 * fence again, so it is made only if the sum of the pieces is too close to the limit to decide.
 */
export function* fill<T>(
  frame: ContextFrame,
  parts: ContextParts,
  candidates: readonly T[],
  { limit, add, costOf, leastCost = () => 0, isWelcome = () => true }: Filling<T>,
): Steps<ContextParts> {
  let filled = parts;
  let estimate = tokensOf(frame, parts);
  let cost = costOf(parts);
  let doubt = 0;
  // The lines that open a fence, or a list in it, are not part of any piece.
  let isOpen = false;
  for (const candidate of candidates) {
    yield;
    const margin = doubt + SLACK_TOKENS;
    if (estimate + leastCost(candidate) - margin > limit) continue;
    const next = add(filled, candidate);
    const nextCost = costOf(next);
    const guess = estimate + nextCost - cost;
    if (guess - margin > limit) continue;
    const isSure = isOpen && guess + margin <= limit;
    const tokens = isSure ? guess : tokensOf(frame, next);
    if (tokens > limit || !isWelcome(candidate)) continue;
    filled = next;
    estimate = tokens;
    cost = nextCost;
    doubt = isSure ? margin : 0;
    isOpen = true;
  }
  return filled;
}
