import { analyze as analyzeText, type Analyze } from '../../search/analyze.ts';
import { STOP_WORDS } from '../../search/stop-words.ts';
import { foldQuestion, takeOutFrame } from './take-out-frame.ts';

/**
 * The distinct words by which memory is asked whether it knows something of a question: those of its frame are left out.
 *
 * @param analyze how what is asked is cut into words
 */
export function questionTerms(question: string, analyze: Analyze = analyzeText): ReadonlySet<string> {
  const terms = analyze(takeOutFrame(foldQuestion(question)));
  return new Set(terms.filter((term) => !STOP_WORDS.has(term) && !UNSPACED_CHARACTER.test(term)));
}

/** A character of a script without spaces stands in too many words to tell anything. */
const UNSPACED_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
