import { nameMatcher } from '../../graph/name-matcher.ts';
import type { TripleSource } from '../../graph/triple.ts';

/** Tests for data derived from forgotten words, in a message that contains them. */
export interface ForgottenWords {
  /** The sentences of the words, without the marks at their ends. */
  readonly parts: readonly string[];
  /** Whether a text of several words contains a sentence of the words, or is contained in them. */
  isDerived(text: string): boolean;
  /** Whether the words contain a text. */
  holds(text: string): boolean;
}

/** Nothing is derived from a single name: rows that contain it are found by the name alone. */
export const NO_WORDS: ForgottenWords = { parts: [], isDerived: () => false, holds: () => false };

const END_MARKS = /^[\s\p{P}]+|[\s\p{P}]+$/gu;

/** @param sentences the sentences of the words to forget */
export function forgottenWords(sentences: readonly string[]): ForgottenWords {
  const bare = sentences.map((sentence) => sentence.replaceAll(END_MARKS, '')).filter(isSeveralWords);
  if (bare.length === 0) return NO_WORDS;
  const isPart = nameMatcher(bare);
  const whole = sentences.join(' ');
  const holds = (text: string): boolean => {
    const wanted = text.replaceAll(END_MARKS, '');
    return wanted !== '' && nameMatcher([wanted])(whole);
  };
  return {
    parts: bare,
    isDerived: (text) => isPart(text) || (isSeveralWords(text) && holds(text)),
    holds,
  };
}

/**
 * Whether a fact was read from forgotten words: they contain its object, and the quote of its source contains one of
 * them.
 */
export function isReadFrom(
  { messageId, quote, isContext }: TripleSource,
  object: string,
  { inTextOf, isSaidIn }: WordsInRow,
): boolean {
  if (isContext === true || quote === undefined || !isSaidIn) return false;
  return isSaidIn(messageId, object) && inTextOf(messageId, quote);
}

interface WordsInRow {
  inTextOf(messageId: string, text: string): boolean;
  isSaidIn?(messageId: string, text: string): boolean;
}

function isSeveralWords(text: string): boolean {
  return /\S\s+\S/u.test(text.trim());
}
