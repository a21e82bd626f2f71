import { MONTHS } from '../../model/months.ts';
import type { Word } from './offline-words.ts';

/** A date in a sentence. */
export interface FoundDate {
  /** Index after its last word. */
  readonly end: number;
  /** Start of the date in UTC, in milliseconds since 1970. Absent without a year. */
  readonly time?: number;
  /** Whether it has a day or a month, not only a year. */
  readonly isFull: boolean;
}

/**
 * Returns the date that begins at a word: `3 March 2021`, `March 3rd, 2021`, `March 2021`, `5 July`, `2021-03-03`,
 * `2021`.
 */
export function dateAt(words: readonly Word[], index: number): FoundDate | undefined {
  const first = words[index];
  if (first?.kind !== 'word') return undefined;
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/u.exec(first.text);
  if (iso) return found(index + 1, Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const month = monthOf(first);
  if (month !== undefined) {
    const day = dayOf(words[index + 1]);
    return withYear(words, day === undefined ? index + 1 : index + 2, month, day);
  }
  const day = dayOf(first);
  const behind = words[index + 1]?.lower === 'of' ? index + 2 : index + 1;
  const next = monthOf(words[behind]);
  if (day !== undefined && next !== undefined) return withYear(words, behind + 1, next, day);
  const year = yearOf(first);
  return year === undefined ? undefined : { end: index + 1, time: Date.UTC(year, 0), isFull: false };
}

/** Returns the start of a month without a year: the last month of that name before `now`. */
export function latestBefore(words: readonly Word[], index: number, now: number): number | undefined {
  const month = monthOf(words[index]);
  if (month === undefined) return undefined;
  const year = new Date(now).getUTCFullYear();
  const time = Date.UTC(year, month);
  return time <= now ? time : Date.UTC(year - 1, month);
}

/** Reads a year, also after a comma, that completes a date. A month alone is no date. */
function withYear(
  words: readonly Word[],
  index: number,
  month: number,
  day: number | undefined,
): FoundDate | undefined {
  const at = words[index]?.text === ',' ? index + 1 : index;
  const year = yearOf(words[at]);
  if (year !== undefined) return found(at + 1, year, month, day ?? 1);
  return day === undefined ? undefined : { end: index, isFull: true };
}

function found(end: number, year: number, month: number, day: number): FoundDate | undefined {
  const time = Date.UTC(year, month, day);
  // `Date.UTC` turns 31 February into a day in March.
  return new Date(time).getUTCMonth() === month ? { end, time, isFull: true } : undefined;
}

function monthOf(word: Word | undefined): number | undefined {
  // "May" and "march" are also verbs.
  if (!word || !(word.isCapital || word.tags.has('Month'))) return undefined;
  const month = MONTHS.findIndex((name) => name === word.lower || name.slice(0, 3) === word.lower);
  return month < 0 ? undefined : month;
}

function dayOf(word: Word | undefined): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(word?.lower ?? '')?.[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}

function yearOf(word: Word | undefined): number | undefined {
  return /^(?:19|20)\d\d$/u.test(word?.text ?? '') ? Number(word?.text) : undefined;
}
