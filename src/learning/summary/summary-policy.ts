import type { StoredMessage } from '../../model/message.ts';
import type { ChatMessageHistory } from '../../sessions/chat-message-history.ts';
import { CountedTokens } from '../../sessions/counted-tokens.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { TurnBudget } from '../../sessions/turn-budget.ts';

/**
 * Chooses what to summarize of the turns that no summary covers yet, oldest first: steps, one after the other, which
 * together are a beginning of these turns.
 */
export type SummaryPolicy = (
  turns: readonly StoredMessage[][],
) => Promise<readonly (readonly StoredMessage[][])[]>;

/** Tokens of a message. */
export type MessageCost = (message: StoredMessage) => number;

/** Covers every turn as soon as it is there. */
export const coverAll: SummaryPolicy = async (turns) => [turns];

/** Returns the oldest turns that must be covered for the newest to be within a number of tokens. */
function turnsOverBudget(
  turns: readonly StoredMessage[][],
  maxTokens: number,
  costOf: MessageCost,
): readonly StoredMessage[][] {
  const budget = new TurnBudget<StoredMessage>(maxTokens, costOf);
  return turns.slice(0, turns.findLastIndex((turn) => !budget.offer(turn)) + 1);
}

/** Covers the oldest turns as soon as the newest exceed a number of tokens; the counts are kept with the messages. */
export function coverOverBudget(
  maxTokens: number,
  tokenizer: () => Promise<Tokenizer>,
  history: Pick<ChatMessageHistory, 'recordTokens'>,
): SummaryPolicy {
  return async (turns) => {
    if (turns.length === 0 || maxTokens === 0) return [turns];
    const counted = new CountedTokens(await tokenizer());
    const over = turnsOverBudget(turns, maxTokens, (message) => counted.of(message));
    await counted.record(history);
    return [over];
  };
}

/** Covers the turns beyond what the window of a request holds, in the steps of {@link summarySteps}. */
export function stepsBeyondWindow(
  turns: readonly StoredMessage[][],
  limits: SummaryLimits,
  costOf: MessageCost,
): StoredMessage[][][] {
  const counted = turns.flatMap((turn) => {
    // System messages of old turns are not sent again.
    const said = turn.filter((message) => message.role !== 'system');
    return said.length === 0
      ? []
      : [{ turn, tokens: said.reduce((sum, message) => sum + costOf(message), 0) }];
  });
  return summarySteps(counted, limits).map((step) => step.map(({ turn }) => turn));
}

/** A turn with what a summary needs to know of it. */
export interface SummaryTurn {
  readonly tokens: number;
}

export interface SummaryLimits {
  /** As many of the newest turns stay raw, at most. */
  readonly recentTurns: number;
  /** Tokens of all raw turns together, at most. */
  readonly maxTokens: number;
}

/**
 * Cuts turns that no summary covers yet into the steps in which they are to be covered; what stays raw is in none. As
 * soon as there are more than the limits allow, the oldest are covered until half of that is left.
 *
 * Each turn is looked at in order, as if it had just been said: the steps are the same whether they are made turn by
 * turn or all at once, so that a summary that is made again comes out the same.
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
    // The newest turn stays raw, however large: the next question is about it.
    if (raw.length === 1) continue;
    steps.push(raw.slice(0, covered));
    raw = raw.slice(covered);
  }
  return steps;
}

function fits(turns: readonly SummaryTurn[], { recentTurns, maxTokens }: SummaryLimits): boolean {
  return turns.length <= recentTurns && turns.reduce((sum, turn) => sum + turn.tokens, 0) <= maxTokens;
}
