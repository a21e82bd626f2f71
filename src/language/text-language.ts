import { analyze } from './terms.ts';
import { ENGLISH_STOP_WORDS, FUNCTION_WORDS, GERMAN_STOP_WORDS } from './words/stop-words.ts';

export type TextLanguage = 'en' | 'de' | keyof typeof FUNCTION_WORDS;

/** German function words that searches do not leave out: some are English words, too. */
const MORE_GERMAN =
  `am an bis beim die durch etwas fur gegen hat hatte im immer in jetzt kann meinem meinen meiner muss ohne
  schon sehr seinem seinen seiner so soll unsere unserem unseren war was werden wieder will`.split(/\s+/);

/** Function words of each language but English, as `fold` returns them. */
export const WORDS_BY_LANGUAGE: ReadonlyMap<TextLanguage, ReadonlySet<string>> = new Map(
  Object.entries({ de: [...GERMAN_STOP_WORDS, ...MORE_GERMAN], ...FUNCTION_WORDS }).map(
    ([language, words]): [TextLanguage, ReadonlySet<string>] => [language as TextLanguage, new Set(words)],
  ),
);

/** Terms of the function words of each language. */
const TERMS: ReadonlyMap<TextLanguage, ReadonlySet<string>> = new Map(
  [['en', ENGLISH_STOP_WORDS] as const, ...WORDS_BY_LANGUAGE].map(([language, words]) => [
    language,
    new Set([...words].flatMap(analyze)),
  ]),
);

const ENGLISH: ReadonlySet<string> = TERMS.get('en') ?? new Set();
/** Number of terms that are looked at. */
const READ_TERMS = 100;
/** Fewer function words can be other words: "Anna met Tom." is not Dutch. */
export const LEAST_WORDS = 2;

/**
 * Returns the language with the most different function words in a text, on a tie the first in the order English,
 * German, Spanish, French, Portuguese, Italian, Dutch; undefined if fewer than two occur.
 *
 * @param terms what `analyze` returns for the text
 */
export function languageOf(terms: readonly string[]): TextLanguage | undefined {
  const read = [...new Set(terms.slice(0, READ_TERMS))];
  let best: TextLanguage | undefined;
  let most = LEAST_WORDS - 1;
  for (const [language, known] of TERMS) {
    // What is an English word, too, is no evidence for another language.
    const count = read.filter((term) => known.has(term) && (language === 'en' || !ENGLISH.has(term))).length;
    if (count <= most) continue;
    best = language;
    most = count;
  }
  return best;
}

/** Returns the terms without the function words of their language, unless that is English: see `STOP_WORDS`. */
export function withoutFunctionWords(terms: readonly string[]): readonly string[] {
  const language = languageOf(terms);
  const known = language === undefined || language === 'en' ? undefined : TERMS.get(language);
  return known ? terms.filter((term) => !known.has(term)) : terms;
}
