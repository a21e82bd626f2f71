/** How a text is made ready for a model. */
export interface Preparation {
  /** Longer texts are cut, in UTF-16 units: a model reads a bounded number of tokens anyway. */
  readonly maxLength: number;
  /** Writes `.` for `?`. */
  readonly dropQuestionMarks: boolean;
  /** The model knows Latin letters only: other texts all look the same to it. */
  readonly isLatinOnly?: boolean;
}

const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const ANYTHING_VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

const LABEL = /^[^:]{1,40}: /;
const LETTERS = /[\p{L}\p{N}]/gu;
const LATIN = /[\p{Script=Latin}0-9]/u;
const WORD_LIKE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The text as the model sees it. An empty string if there is nothing to see in it. */
export function prepareText(
  text: string,
  { maxLength, dropQuestionMarks, isLatinOnly = false }: Preparation,
): string {
  const line = text
    .slice(0, maxLength)
    // A tokenizer may choke on half a character, and a message to the worker would carry it on.
    .replace(LONE_SURROGATES, '\uFFFD')
    // Models were trained on running text; to the offline model a line break is an unknown word.
    .replace(LINE_BREAKS_AND_TABS, ' ');
  if (!ANYTHING_VISIBLE.test(line) || (isLatinOnly && isMostlyForeign(line))) return '';
  return dropQuestionMarks ? line.replaceAll('?', '.') : line;
}

/** Whether most of a text is in other than Latin letters; the label of a speaker in front of it does not count. */
function isMostlyForeign(line: string): boolean {
  let balance = 0;
  for (const [letter] of line.replace(LABEL, '').matchAll(LETTERS)) {
    if (LATIN.test(letter)) balance += 1;
    // One of these says about as much as three letters.
    else balance -= WORD_LIKE.test(letter) ? 3 : 1;
  }
  return balance < 0;
}
