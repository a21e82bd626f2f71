import { analyze as analyzeText, type Analyze } from '../../search/analyze.ts';
import { STOP_WORDS } from '../../search/stop-words.ts';
import { foldQuestion, takeOutFrame } from './take-out-frame.ts';

/**
 * Returns the distinct terms of a question that are looked up in memory, without those of its frame.
 *
 * @param analyze cuts the question into terms
 */
export function questionTerms(question: string, analyze: Analyze = analyzeText): ReadonlySet<string> {
  const terms = analyze(takeOutFrame(foldQuestion(question)));
  return new Set(terms.filter((term) => !STOP_WORDS.has(term) && !UNSPACED_CHARACTER.test(term)));
}

/** A single character of a script without spaces occurs in too many words to be evidence. */
const UNSPACED_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
