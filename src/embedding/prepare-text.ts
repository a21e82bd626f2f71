/** How a text is made ready for a model. */
export interface Preparation {
  /** Longer texts are cut, in UTF-16 units: a model reads a bounded number of tokens anyway. */
  readonly maxLength: number;
  /** Writes `.` for `?`. */
  readonly dropQuestionMarks: boolean;
}

const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const ANYTHING_VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** The text as the model sees it. An empty string if there is nothing to see in it. */
export function prepareText(text: string, { maxLength, dropQuestionMarks }: Preparation): string {
  const line = text
    .slice(0, maxLength)
    // A tokenizer may choke on half a character, and a message to the worker would carry it on.
    .replace(LONE_SURROGATES, '\uFFFD')
    // Models were trained on running text; to the offline model a line break is an unknown word.
    .replace(LINE_BREAKS_AND_TABS, ' ');
  if (!ANYTHING_VISIBLE.test(line)) return '';
  return dropQuestionMarks ? line.replaceAll('?', '.') : line;
}
