import { namesDefinite, termsOf } from '../../language/question-features.ts';
import type { ReadText } from '../../language/read-text.ts';
import { analyze } from '../../language/terms.ts';
import { STOP_WORDS } from '../../language/words/stop-words.ts';

/**
 * Whether one of some texts of the user has all words that a question asks about, or a name of two words that the
 * question gives to something, as in "the cargo bike". What the user has spoken of is asked about as the user is: "how
 * much is the cargo bike" has the form of a question for general knowledge.
 *
 * @param said texts in which the user states something
 */
export function isSpokenOf(question: ReadText, said: readonly string[]): boolean {
  const subjects = subjectsOf(question);
  return (
    subjects.length > 0 &&
    said.some((text) => {
      const terms = new Set(analyze(text));
      return subjects.some((subject) => subject.every((term) => terms.has(term)));
    })
  );
}

/** Returns groups of terms, each of which stands for what a question asks about. */
function subjectsOf(question: ReadText): (readonly string[])[] {
  const asked = question.asked.replaceAll(AMOUNT, ' ');
  const all = [...termsOf(asked)];
  // A single word occurs in too many texts, unless the question takes for granted which thing it is.
  const isEnough = all.length > 1 || (all.length === 1 && namesDefinite(asked));
  const named = Array.from(asked.matchAll(NAMED_PAIR), ([, words = '']) => contentOf(words));
  return [...(isEnough ? [all] : []), ...named.filter((terms) => terms.length === 2)];
}

function contentOf(words: string): string[] {
  return analyze(words).filter((term) => !STOP_WORDS.has(term));
}

/** What is asked for, and not what it is asked of. */
const AMOUNT =
  /\b(?:how (?:many|much|far|tall|long|fast|hot|high|old|deep|big|often|large|heavy|wide)|wie (?:viele?|hoch|lang|weit|schwer|gross|alt)|combien(?: de)?|cuant[ao]s?|quant[ao]s)\b/gu;
const NAMED_PAIR =
  /\b(?:the|this|that|these|those|d(?:er|ie|as|em|en)|el|las?|los|les?) ([\p{L}\p{N}'-]+ [\p{L}\p{N}'-]+)/gu;
