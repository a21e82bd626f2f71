import { otherLanguagesIn } from '../language/other-languages.ts';
import { hasWord, type WordClass } from '../language/words/life-words.ts';
import type { ClaimRow } from '../storage/schema.ts';

/** Added to the score of what the user states, if it is about a matter of the question. */
export const SAME_MATTER = 0.5;

/** Kinds of claims by the subjects of words. */
const KINDS: readonly (readonly [WordClass, readonly string[]])[] = [
  ['work', ['work']],
  ['home', ['home']],
  ['pet', ['pet']],
  ['kin', ['family']],
  ['others', ['family']],
  ['health', ['health', 'limit']],
  ['diet', ['diet', 'health', 'limit']],
];

/**
 * Returns the kinds of claims that a question is about, by its words: home for "where do I live?" in Spanish. None for a question in
 * English: for other languages, the offline model says little about meaning, and few words are shared.
 *
 * @param asked a folded question, as in `ReadText`
 */
export function askedMatters(asked: string): ReadonlySet<string> {
  if (!UNSPACED.test(asked) && otherLanguagesIn(asked).length === 0) return new Set();
  return new Set(KINDS.flatMap(([subject, kinds]) => (hasWord(asked, subject) ? kinds : [])));
}

/** Whether one of some claims is of a kind that a question is about. */
export function isOfMatter(rows: readonly Pick<ClaimRow, 'kinds'>[], matters: ReadonlySet<string>): boolean {
  return rows.some(({ kinds }) => kinds.some((kind) => matters.has(kind)));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
