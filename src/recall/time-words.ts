import { MONTHS } from '../model/months.ts';

/** Weekdays in the order of `Date.getUTCDay`. */
export const WEEKDAYS: readonly string[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** First month of each season in the northern hemisphere. A winter belongs to the year of its December. */
export const SEASONS: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
};

/** Returns the index of a month in the year, given its name or the first three letters. */
export function namedMonth(name = ''): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
}

/** Returns a number written in digits or words; "a few" is three. */
export function wordNumber(text = ''): number {
  const word = text.toLowerCase();
  if (/^\d+$/.test(word)) return Number(word);
  if (word.includes('couple')) return 2;
  if (word.includes('few')) return 3;
  return Math.max(1, WORDS.indexOf(word));
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
