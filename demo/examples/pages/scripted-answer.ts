/** The text that memory puts before a question, between its marks. */
const RECALLED = /<(memory-[0-9a-f]{24})>(.*?)<\/\1>/su;
/** The sentences of one speaker, within the recalled text. */
const ASSISTANT = /^assistant:\n(?:> .*\n?)*/gmu;

/**
 * Answers as the model of an example: a question with what the user has said that shares the most words with it, and
 * anything else with a promise.
 *
 * @param userTexts texts of the user's messages as the model receives them, oldest first: the last one is the recalled text
 *   with the question after it
 */
export function scriptedAnswer(userTexts: readonly string[]): string {
  const asked = userTexts.at(-1) ?? '';
  const [recalled = '', , quotes = ''] = RECALLED.exec(asked) ?? [];
  const question = asked.slice(asked.indexOf(recalled) + recalled.length).trim();
  if (!question.endsWith('?')) return 'I will remember that.';
  const quoted = quotes.replaceAll(ASSISTANT, '').split('\n');
  const wanted = wordsOf(question);
  const ranked = [...userTexts.slice(0, -1), ...quoted]
    .map((line) => line.replace(/^[>-] /u, ''))
    .filter((line) => !line.endsWith('?'))
    .map((line) => ({ line, shared: wordsOf(line).filter((word) => wanted.includes(word)).length }))
    .toSorted((a, b) => b.shared - a.shared);
  const [best] = ranked;
  return best && best.shared > 0 ? `You told me: “${best.line}”` : 'You have not told me that.';
}

/** Words of four letters and more, because the shorter ones say little about what a sentence is about. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
