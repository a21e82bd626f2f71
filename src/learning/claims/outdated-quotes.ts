import type { ClaimEnd } from './claim-ends.ts';
import { withoutDangling } from './claim-parts.ts';

/** Words of a message that are no longer true. */
export interface OutdatedQuote {
  readonly quote: string;
  /** Time since which they are no longer true, in milliseconds since 1970. */
  readonly since: number;
  /** Id of the message that ended them. Absent if the user corrected the fact. */
  readonly byMessageId?: string;
  /** True if the user does not accept what they say. */
  readonly isRejected?: true;
}

/** Words that are over, with how they ended and where their message has them. */
export interface OverWords {
  readonly end: ClaimEnd;
  readonly quote: string;
  readonly start: number;
}

export function outdatedQuote({ at, byMessageId, isRejected }: ClaimEnd, quote: string): OutdatedQuote {
  const by = byMessageId === undefined ? {} : { byMessageId };
  return { quote, since: at, ...by, ...(isRejected ? { isRejected } : {}) };
}

/**
 * Returns the quotes of one message without repeats and without one inside another, in their order. What was rejected is
 * not told as merely over: it is taken out of the other quotes, which keep the words around it.
 */
export function distinctQuotes(quotes: readonly OutdatedQuote[]): OutdatedQuote[] {
  const rejected = quotes.filter(({ isRejected }) => isRejected);
  const pieces = quotes.flatMap((quote) =>
    quote.isRejected || rejected.length === 0
      ? quote
      : around(quote.quote, rejected).map((words) => ({ ...quote, quote: words })),
  );
  return pieces.filter(({ quote }, at) => {
    const isToldBy = (other: OutdatedQuote, place: number): boolean =>
      other.quote === quote ? place < at : splitAt(other.quote, quote).length > 1;
    return !pieces.some(isToldBy);
  });
}

/** Returns what stands around some quotes in a text. */
function around(text: string, others: readonly OutdatedQuote[]): string[] {
  const pieces = others.reduce((left, { quote }) => left.flatMap((piece) => splitAt(piece, quote)), [text]);
  if (pieces.length === 1) return pieces;
  return pieces.map((piece) => withoutDangling(piece, text)).filter((piece) => piece !== '');
}

/** Splits a text wherever some words are in it, but not within a longer word. */
function splitAt(text: string, words: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const to = at + words.length;
    if (WORD_GOES_ON.test(text.slice(Math.max(0, at - 1), at + 1))) continue;
    if (WORD_GOES_ON.test(text.slice(to - 1, to + 1))) continue;
    pieces.push(text.slice(from, at));
    from = to;
  }
  return [...pieces, text.slice(from)];
}

/** Scripts without spaces have letters of another kind. */
const WORD_GOES_ON = /[\p{Lu}\p{Ll}\p{N}]{2}/u;
