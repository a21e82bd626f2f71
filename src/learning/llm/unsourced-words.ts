import { analyze, contentTerms } from '../../language/terms.ts';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop-words.ts';
import { MONTHS, WEEKDAYS } from '../../language/words/lists.ts';

/**
 * Returns the names and numbers in a text that none of its sources contain, that is, inventions of a model. Case and
 * inflection do not matter, and numbers can be written in digits or in English words.
 *
 * Names are recognized by their capitals. The first word of a sentence counts as a name only if the words after it
 * suggest so. German nouns are capitalized and many scripts have no case: in such texts only numbers are checked.
 */
export function unsourcedWords(text: string, sources: readonly string[]): string[] {
  const source = sources.join('\n');
  const hasNumber = numberReader(source);
  const numbers = numbersOf(text).filter(({ value }) => !hasNumber(value));
  const terms = new Set(analyze([source, ...SPEAKERS].join('\n')));
  const names = hasCapitalNouns(text) ? [] : namesOf(text).filter((name) => !isSourced(name, terms));
  return [...new Set([...names, ...numbers.map((number) => number.text)])];
}

/** Names that summaries use for the speakers, and that speakers use for themselves. */
const SPEAKERS = ['I', 'AI', 'user', 'human', 'assistant', 'chatbot', 'OK'];
const GERMAN_WORDS =
  'der die das und ist nicht ein eine einen mit für auf den dem im zu hat sich von wird sein seine ihre';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
const CAPITAL = /^\p{Lu}/u;
/** Number of characters before a word in which the beginning of a sentence is looked for. */
const LOOK_BACK_CHARACTERS = 8;
/** Matches before the first word of a sentence, list entry or quotation. */
const SENTENCE_START =
  /(?:[.!?…:;]["'”’)\]*_]*\s+|\n\s*|(?:^|\s)[-–—*•]\s+|\d[.)]\s+|["“„«‘]\s*)["'“”„«‘*_#\s]*$/u;
const AFTER_COLON = /:["'“*_\s]*$/u;
const ENDS_CLAUSE = /^\p{P}*(?:$|[\n.,;])/u;
/**
 * Matches after a sentence's first word if it is a name: another part of the name, a possessive, or what persons do
 * or are.
 */
const AFTER_NAME = new RegExp(
  [
    String.raw`^(?:['’]s?(?!\p{L})`,
    String.raw`\s+\p{Lu}\p{Ll}`,
    String.raw`\s+(?:lives?|lived|works?|worked|likes?|loves?|hates?|wants?|prefers?|owns?|owned|moved|said|says|told|asked|married|studies|studied|plays|visited)(?!\p{L})`,
    String.raw`\s+(?:is|was)\s+(?:an?|the|his|her|their|my|from|named|called|born|married|\p{L}+['’]s)(?!\p{L}))`,
  ].join('|'),
  'u',
);

function namesOf(text: string): string[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index }) => {
    if (!CAPITAL.test(word)) return [];
    const before = text.slice(Math.max(0, index - LOOK_BACK_CHARACTERS), index);
    const behind = text.slice(index + word.length);
    if (before.trim() !== '' && !SENTENCE_START.test(before)) return [word];
    if (ENGLISH_STOP_WORDS.has(word.toLowerCase())) return [];
    // The possessive is part of the match.
    const isName =
      /['’]s?$/u.test(word) ||
      AFTER_NAME.test(behind) ||
      (AFTER_COLON.test(before) && ENDS_CLAUSE.test(behind));
    return isName ? [word] : [];
  });
}

function isSourced(name: string, terms: ReadonlySet<string>): boolean {
  if (contentTerms(name).every((term) => terms.has(term))) return true;
  // People write "Fri", "sept" and "Thurs".
  const day = name.toLowerCase();
  return (
    [...WEEKDAYS, ...MONTHS].includes(day) && [3, 4, 5].some((length) => terms.has(day.slice(0, length)))
  );
}

function hasCapitalNouns(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const german = words.filter((word) => GERMAN_WORDS.split(' ').includes(word)).length;
  return german > words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length;
}

const UNITS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/u);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = {
  once: 1,
  twice: 2,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  couple: 2,
  pair: 2,
};
const WORD_VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
  ...Object.entries({ ...ORDINALS, dozen: 12, hundred: 100, thousand: 1000, million: 1e6 }),
]);
/** Number words that count as numbers. "One" is also a pronoun and "second" a unit of time, so they do not. */
const COUNTED: ReadonlySet<string> = new Set([...UNITS.slice(2), ...TENS]);

/** Months as whole words or abbreviations. */
const MONTH = new RegExp(
  String.raw`\b(${MONTHS.map((month) => month.slice(0, 3)).join('|')})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b`,
  'gu',
);

const NUMBER_WORD = new RegExp(
  String.raw`\b(?:(${TENS.join('|')})[- ](${UNITS.slice(1, 10).join('|')})|([a-z]+))\b`,
  'gu',
);
const FIGURES = /\d+(?:[.,:/-]\d+)*/gu;
const TIME = /\b(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b/gu;
const THOUSANDS = /\b(\d+(?:[.,]\d+)?)\s?(k|thousand|million)\b/gu;
// Not beyond the end of the line: each of many blank lines would be the beginning of another attempt.
const LIST_NUMBERS = /^[^\S\n\r\u2028\u2029]*\d+[.)]\s/gmu;

/** A number as written, and its value in digits. */
interface NamedNumber {
  readonly text: string;
  readonly value: string;
}

/** Returns the numbers in a text: those in digits, and English number words from two on. */
function numbersOf(text: string): NamedNumber[] {
  const lower = text.toLowerCase();
  const figures = lower.replaceAll(LIST_NUMBERS, '').match(FIGURES) ?? [];
  const words = wordNumbers(lower).filter((number) => COUNTED.has(number.text.split(/[- ]/u)[0] ?? ''));
  return [...figures.map((each) => ({ text: each, value: plain(each) })), ...words];
}

/** Returns a test for whether a text contains a number, in digits or words, as a date or as a time of day. */
function numberReader(source: string): (value: string) => boolean {
  const lower = source.toLowerCase();
  const figures: readonly string[] = lower.match(FIGURES) ?? [];
  const values = new Set([
    ...figures.map(plain),
    ...figures.flatMap((each) => each.split(/[.,:/-]/u)).map(plain),
    ...wordNumbers(lower).map(({ value }) => value),
    ...Array.from(lower.matchAll(TIME), ([, hour, , half]) =>
      String((Number(hour) % 12) + (half === 'p' ? 12 : 0)),
    ),
    ...Array.from(lower.matchAll(THOUSANDS), ([, count = '', unit]) =>
      String(Math.round(Number(plain(count)) * (unit === 'million' ? 1e6 : 1000))),
    ),
    ...(/\ban?\b/u.test(lower) ? ['1'] : []),
  ]);
  const monthOf = (start: string): number => MONTHS.findIndex((name) => name.startsWith(start)) + 1;
  const months = Array.from(lower.matchAll(MONTH), ([, start = '']) => String(monthOf(start)));
  const dated = new Set([...values, ...months, '0']);
  // "19:00" is 7 pm, and "02.05.2026" is May 2.
  return (value) => {
    const parts = value.split(/[.:/-]/u);
    return values.has(value) || (parts.length > 1 && parts.every((part) => dated.has(plain(part))));
  };
}

function wordNumbers(lower: string): NamedNumber[] {
  return [...lower.matchAll(NUMBER_WORD)].flatMap(([text, tens = '', unit = '', word]) => {
    const value = WORD_VALUES.get(word ?? tens);
    return value === undefined ? [] : [{ text, value: String(value + (WORD_VALUES.get(unit) ?? 0)) }];
  });
}

/** Normalizes digits: "1,500" and "01500" become 1500, "3,5" becomes 3.5. */
function plain(figures: string): string {
  return figures
    .replaceAll(/[.,](?=\d{3}(?!\d))/gu, '')
    .replaceAll(',', '.')
    .replace(/^0+(?=\d)/u, '');
}
