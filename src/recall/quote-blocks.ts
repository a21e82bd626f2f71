import type { StoredMessage } from '../model/message.ts';
import { quoteHead, quoteLines, type OutdatedPart } from './fence.ts';

/** A turn that is to be quoted. */
interface Quotable {
  readonly messages: readonly StoredMessage[];
  readonly outdated?: OutdatedPart;
}

/** A block of turns that are quoted under one head. */
export interface QuoteBlock<T> {
  readonly text: string;
  /** The head, then the lines of each turn. The text of a turn does not depend on its neighbors. */
  readonly pieces: readonly string[];
  /** Each turn with its part of the text; the head belongs to the first. */
  readonly quotes: readonly { readonly turn: T; readonly text: string }[];
}

/**
 * Quotes turns in chronological order, because a later one may correct an earlier one. Consecutive turns of a session
 * share one head: they read as a conversation, and a head costs as many tokens as a sentence. A turn that is partly
 * outdated gets a head of its own, which says so.
 */
export function quoteBlocks<T extends Quotable>(turns: readonly T[]): QuoteBlock<T>[] {
  return runsOf(turns.toSorted(inOrder)).map((run) => {
    const [first] = run[0]?.messages ?? [];
    const head = first ? `${quoteHead(first, run.length - 1, run[0]?.outdated)}\n` : '';
    const quotes = run.map((turn, index) => ({
      turn,
      text: (index === 0 ? head : '') + linesOf(turn.messages),
    }));
    const pieces = [head, ...run.map((turn) => linesOf(turn.messages))];
    return { text: quotes.map((quote) => quote.text).join('\n'), pieces, quotes };
  });
}

// While a budget is being filled, the same turns are quoted in one block after the other.
const linesByTurn = new WeakMap<readonly StoredMessage[], string>();

function linesOf(turn: readonly StoredMessage[]): string {
  const lines = linesByTurn.get(turn) ?? quoteLines(turn);
  linesByTurn.set(turn, lines);
  return lines;
}

function runsOf<T extends Quotable>(turns: readonly T[]): T[][] {
  const runs: T[][] = [];
  for (const turn of turns) {
    const run = runs.at(-1);
    if (run && isNext(run.at(-1), turn)) run.push(turn);
    else runs.push([turn]);
  }
  return runs;
}

function isNext(before: Quotable | undefined, after: Quotable): boolean {
  if (before?.outdated || after.outdated) return false;
  const [a] = before?.messages ?? [];
  const [b] = after.messages;
  return a !== undefined && b !== undefined && a.sessionId === b.sessionId && a.turn + 1 === b.turn;
}

/** Orders turns by the time at which they were said. */
export function inOrder(a: Quotable, b: Quotable): number {
  const [first] = a.messages;
  const [second] = b.messages;
  if (!first || !second) return 0;
  const bySession = first.sessionId < second.sessionId ? -1 : first.sessionId > second.sessionId ? 1 : 0;
  return first.createdAt - second.createdAt || bySession || first.turn - second.turn;
}
