/** Rules by which texts are normalized for a model. */
export interface Preparation {
  /** Maximum length in UTF-16 units. Longer texts are cut, because a model reads a limited number of tokens anyway. */
  readonly maxLength: number;
  /** Whether `?` is replaced by `.`. */
  readonly dropQuestionMarks: boolean;
  /** Whether the model knows Latin letters only: all other texts, emoji included, have the same vector. */
  readonly isLatinOnly?: boolean;
}

const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const ANYTHING_VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

const LABEL = /^[^:]{1,40}: /;
/** Words, numbers and runs of symbols: the offline model reads all of "🎉🎉" as one unknown token. */
const RUNS = /[\p{L}\p{M}\p{N}]+|\p{S}[\p{S}\p{M}\p{Cf}]*/gu;
/** Letters that the vocabulary covers; it has few others, Latin ones included. */
const KNOWN = /[A-Za-z0-9\u00c0-\u00ff]/u;
const ASCII_SIGNS = /^[!-~]+$/;
/** Keys, hashes and encoded files: split into single characters, all of them get similar vectors. */
const CODE = /^(?=.*\d)(?=.*\p{L}).{12,}$|^.{65,}$/u;
const WORD_LIKE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns the text as the model reads it; empty if the model knows none of its words. */
export function prepareText(
  text: string,
  { maxLength, dropQuestionMarks, isLatinOnly = false }: Preparation,
): string {
  const line = text
    .slice(0, maxLength)
    // Tokenizers can fail on a lone surrogate, which a message to the worker preserves.
    .toWellFormed()
    // Models were trained on running text; the offline model reads a line break as an unknown word.
    .replace(LINE_BREAKS_AND_TABS, ' ');
  if (!ANYTHING_VISIBLE.test(line) || (isLatinOnly && isMostlyUnknown(line))) return '';
  return dropQuestionMarks ? line.replaceAll('?', '.') : line;
}

/** Whether the offline model knows less than half of a text. The speaker's label in front is not counted. */
function isMostlyUnknown(line: string): boolean {
  let balance = 0;
  for (const [run] of line.normalize('NFKC').replace(LABEL, '').matchAll(RUNS)) {
    if (/^\p{S}/u.test(run)) balance += ASCII_SIGNS.test(run) ? 0 : -1;
    else if (CODE.test(run)) balance -= run.length;
    else for (const letter of run) balance += weightOf(letter);
  }
  return balance < 0;
}

function weightOf(letter: string): number {
  if (KNOWN.test(letter)) return 1;
  // One ideograph counts as three letters.
  return WORD_LIKE.test(letter) ? -3 : -1;
}
