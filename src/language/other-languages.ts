import { fold } from './fold.ts';
import { analyze } from './terms.ts';
import { languageOf, LEAST_WORDS, WORDS_BY_LANGUAGE, type TextLanguage } from './text-language.ts';
import { ENGLISH_STOP_WORDS } from './words/stop-words.ts';

/**
 * Returns the languages other than English that a text may be in, however short: those with most of its words, and with one
 * less, because neighbors such as Spanish and Portuguese share many; none of them if it has more English words.
 */
export function otherLanguagesOf(text: string): TextLanguage[] {
  return otherLanguagesIn(fold(text));
}

/** The same for a folded text. */
export function otherLanguagesIn(folded: string): TextLanguage[] {
  const words = [...new Set(folded.match(/\p{L}+/gu))];
  const english = words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length;
  const counts = [...WORDS_BY_LANGUAGE].map(([language, known]) => {
    const found = words.filter((word) => known.has(word));
    return { language, count: found.length, isElse: found.some((word) => !ENGLISH_STOP_WORDS.has(word)) };
  });
  const most = Math.max(...counts.map(({ count }) => count));
  return counts.flatMap(({ language, count, isElse }) => {
    const isLikely = count > english || (count === english && (isElse || english < LEAST_WORDS));
    return isLikely && count > 0 && count >= most - 1 ? [language] : [];
  });
}

/**
 * Whether a sentence of a text is in English. One that is too short to tell is in the language of the text; "Am 14. Juni"
 * is not "I am 14".
 */
export function mayBeEnglish(sentence: string, text: string): boolean {
  const language = languageOf(analyze(sentence)) ?? languageOf(analyze(text)) ?? 'en';
  return language === 'en' && !GERMAN_DATE.test(sentence);
}

const GERMAN_DATE = /(?:^|\s)am \d{1,2}\. \p{Lu}/iu;
