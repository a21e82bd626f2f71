import type { StoredMessage } from '../../model/message.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { CountedTokens, TurnBudget } from '../../sessions/turn-budget.ts';

/** Share of the budget of a request that the newest turns may take; older ones are summarized. */
export const RECENT_SHARE = 0.5;
/** Share of the budget of a request that the summary may take. */
export const SUMMARY_SHARE = 0.15;

/**
 * Selects the turns to summarize among those that no summary covers yet, given oldest first. Returns steps, to be
 * done one after the other, which together are a beginning of these turns.
 */
export type SummaryPolicy = (
  turns: readonly StoredMessage[][],
) => Promise<readonly (readonly StoredMessage[][])[]>;

/** Covers every turn immediately. */
export const coverAll: SummaryPolicy = async (turns) => [turns];

/**
 * Covers the oldest turns as soon as the newest exceed a number of tokens. The token counts are stored with the
 * messages.
 */
export function coverOverBudget(
  maxTokens: number,
  tokenizer: () => Promise<Tokenizer>,
  history: Pick<ChatMessageHistory, 'recordTokens'>,
): SummaryPolicy {
  return async (turns) => {
    if (turns.length === 0 || maxTokens === 0) return [turns];
    const counted = new CountedTokens(await tokenizer());
    const budget = new TurnBudget<StoredMessage>(maxTokens, (message) => counted.of(message));
    let over = turns.length;
    for (const turn of turns.toReversed()) {
      await counted.countAhead(turn);
      if (!budget.offer(turn)) break;
      over -= 1;
    }
    await counted.record(history);
    return [turns.slice(0, over)];
  };
}

/** Returns the turns that no longer fit the window of a request, in the steps of {@link summarySteps}. */
export function stepsBeyondWindow(
  turns: readonly StoredMessage[][],
  limits: SummaryLimits,
  costOf: (message: StoredMessage) => number,
): StoredMessage[][][] {
  const counted = turns.flatMap((turn) => {
    // System messages of old turns are not sent again.
    const costs = turn.filter(({ role }) => role !== 'system').map(costOf);
    return costs.length === 0 ? [] : [{ turn, tokens: costs.reduce((sum, cost) => sum + cost, 0) }];
  });
  return summarySteps(counted, limits).map((step) => step.map(({ turn }) => turn));
}

/** A turn with its number of tokens. */
export interface SummaryTurn {
  readonly tokens: number;
}

export interface SummaryLimits {
  /** Maximum number of the newest turns that are kept verbatim. */
  readonly recentTurns: number;
  /** Maximum number of tokens of all verbatim turns together. */
  readonly maxTokens: number;
}

/**
 * Splits the turns that no summary covers yet into the steps in which to cover them; turns that stay verbatim are in
 * no step. When the limits are exceeded, the oldest turns are covered until half of the limits is used.
 *
 * Turns are processed in order, as if each had just been added. The steps are therefore the same whether they are
 * computed turn by turn or all at once, and a summary that is made again has the same steps.
 */
export function summarySteps<T extends SummaryTurn>(turns: readonly T[], limits: SummaryLimits): T[][] {
  const steps: T[][] = [];
  let raw: T[] = [];
  for (const turn of turns) {
    raw.push(turn);
    if (fits(raw, limits)) continue;
    const half = { recentTurns: Math.ceil(limits.recentTurns / 2), maxTokens: limits.maxTokens / 2 };
    let covered = 1;
    while (covered < raw.length - 1 && !fits(raw.slice(covered), half)) covered += 1;
    // The newest turn stays verbatim whatever its size, because the next question is about it.
    if (raw.length === 1) continue;
    steps.push(raw.slice(0, covered));
    raw = raw.slice(covered);
  }
  return steps;
}

function fits(turns: readonly SummaryTurn[], { recentTurns, maxTokens }: SummaryLimits): boolean {
  return turns.length <= recentTurns && turns.reduce((sum, turn) => sum + turn.tokens, 0) <= maxTokens;
}
