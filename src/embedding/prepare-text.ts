/** How a text is made ready for a model. */
export interface Preparation {
  /** Longer texts are cut, in UTF-16 units: a model reads a bounded number of tokens anyway. */
  readonly maxLength: number;
  /** Writes `.` for `?`. */
  readonly dropQuestionMarks: boolean;
  /** The model knows Latin letters only: what has none of them, an emoji too, all looks the same to it. */
  readonly isLatinOnly?: boolean;
}

const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const ANYTHING_VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

const LABEL = /^[^:]{1,40}: /;
/** Words and numbers, and rows of signs: to the offline model the whole of "🎉🎉" is one unknown. */
const RUNS = /[\p{L}\p{M}\p{N}]+|\p{S}[\p{S}\p{M}\p{Cf}]*/gu;
/** Of other letters, and other Latin ones, the vocabulary has a few at best. */
const KNOWN = /[A-Za-z0-9\u00c0-\u00ff]/u;
const ASCII_SIGNS = /^[!-~]+$/;
/** Keys, hashes and encoded files: cut into single characters they are like each other, whatever they say. */
const CODE = /^(?=.*\d)(?=.*\p{L}).{12,}$|^.{65,}$/u;
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
  if (!ANYTHING_VISIBLE.test(line) || (isLatinOnly && isMostlyUnknown(line))) return '';
  return dropQuestionMarks ? line.replaceAll('?', '.') : line;
}

/** Whether most of a text is nothing that the offline model knows; the label of a speaker before it does not count. */
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
  // One of these says about as much as three letters.
  return WORD_LIKE.test(letter) ? -3 : -1;
}
