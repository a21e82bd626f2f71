import type { StoredMessage } from '../model/message.ts';
import { quoteHead, quoteLines, type OutdatedPart } from './fence.ts';

/** A turn that is to be quoted. */
interface Quotable {
  readonly messages: readonly StoredMessage[];
  readonly outdated?: OutdatedPart;
}

/** Turns quoted under one head. */
export interface QuoteBlock<T> {
  readonly text: string;
  /** Its head, and the lines of each turn: the same texts whatever stands beside a turn. */
  readonly pieces: readonly string[];
  /** Each with its part of the text; the head belongs to the first. */
  readonly quotes: readonly { readonly turn: T; readonly text: string }[];
}

/**
 * Quotes turns in the order in which they were said, because a later one may correct an earlier one. Neighbors of one
 * session stand under one head: they read as the conversation that they were, and a head costs as much as a sentence.
 * One that is outdated in part has a head of its own, which says so.
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

// Filling a budget tries the same turns in one block after the other.
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

/** By when they were said. */
export function inOrder(a: Quotable, b: Quotable): number {
  const [first] = a.messages;
  const [second] = b.messages;
  if (!first || !second) return 0;
  const bySession = first.sessionId < second.sessionId ? -1 : first.sessionId > second.sessionId ? 1 : 0;
  return first.createdAt - second.createdAt || bySession || first.turn - second.turn;
}
