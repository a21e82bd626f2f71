/** A turn with the values that the window depends on. */
export interface WindowTurn {
  /** Position of the turn in its session, from 0. */
  readonly turn: number;
  readonly tokens: number;
}

export interface WindowLimits {
  /** Maximum number of turns in the window. */
  recentTurns: number;
  /** Maximum number of tokens of all turns in the window. */
  maxTokens: number;
}

/**
 * Returns the first turn position that the window may contain, by count alone. It is a multiple of half the window, so
 * that the window moves in steps: between steps its beginning, the prefix that an endpoint caches, does not change.
 */
export function windowStart(newestTurn: number, recentTurns: number): number {
  const step = stepOf(recentTurns);
  return Math.max(0, Math.ceil((newestTurn + 1 - recentTurns) / step) * step);
}

/**
 * Goes back by further steps if turns in between are missing because they failed or were forgotten, so that the window is
 * full while there are turns to fill it.
 */
function firstStart(turns: readonly WindowTurn[], newestTurn: number, recentTurns: number): number {
  const step = stepOf(recentTurns);
  const least = Math.min(turns.length, recentTurns - step + 1);
  let start = windowStart(newestTurn, recentTurns);
  while (turns.filter((turn) => turn.turn >= start).length < least) start -= step;
  return start;
}

/**
 * Returns the newest turns that fit, oldest first. The window moves by whole steps until its turns fit, and by single
 * turns if not even the last step fits. Never splits a turn; empty if the newest turn alone does not fit.
 */
export function recentWindow<T extends WindowTurn>(turns: readonly T[], limits: WindowLimits): readonly T[] {
  const newest = turns.at(-1);
  if (!newest || limits.recentTurns <= 0) return [];
  const step = stepOf(limits.recentTurns);
  const first = firstStart(turns, newest.turn, limits.recentTurns);
  for (let start = first; start <= newest.turn; start += step) {
    const window = turns.filter((turn) => turn.turn >= start);
    if (sumTokens(window) <= limits.maxTokens) return window;
  }
  const single = turns.findIndex((_turn, index) => sumTokens(turns.slice(index)) <= limits.maxTokens);
  return single === -1 ? [] : turns.slice(single);
}

function stepOf(recentTurns: number): number {
  return Math.max(1, Math.floor(recentTurns / 2));
}

function sumTokens(turns: readonly WindowTurn[]): number {
  return turns.reduce((sum, turn) => sum + turn.tokens, 0);
}
