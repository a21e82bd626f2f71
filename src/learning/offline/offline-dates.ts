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
  if (iso) return found(index + 1, Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]), true);
  const month = monthOf(first);
  if (month !== undefined) return dateFromMonth(words, index + 1, month);
  const day = dayOf(first);
  const skipped = words[index + 1]?.lower === 'of' ? 2 : 1;
  const next = monthOf(words[index + skipped]);
  if (day !== undefined && next !== undefined) {
    const behind = index + skipped + 1;
    const comma = words[behind]?.text === ',' ? 1 : 0;
    const year = yearOf(words[behind + comma]);
    return found(year === undefined ? behind : behind + comma + 1, year, next, day, true);
  }
  const year = yearOf(first);
  return year === undefined ? undefined : found(index + 1, year, 0, 1, false);
}

/** Returns the start of a month without a year: the last month of that name before `now`. */
export function latestBefore(words: readonly Word[], index: number, now: number): number | undefined {
  const month = monthOf(words[index]);
  if (month === undefined) return undefined;
  const year = new Date(now).getUTCFullYear();
  const time = Date.UTC(year, month, 1);
  return time <= now ? time : Date.UTC(year - 1, month, 1);
}

function dateFromMonth(words: readonly Word[], index: number, month: number): FoundDate | undefined {
  const day = dayOf(words[index]);
  const behind = day === undefined ? index : index + 1;
  const comma = words[behind]?.text === ',' ? 1 : 0;
  const year = yearOf(words[behind + comma]);
  if (year === undefined && day === undefined) return undefined;
  return found(year === undefined ? behind : behind + comma + 1, year, month, day ?? 1, true);
}

function found(
  end: number,
  year: number | undefined,
  month: number,
  day: number,
  isFull: boolean,
): FoundDate | undefined {
  if (year === undefined) return { end, isFull };
  const time = Date.UTC(year, month, day);
  // `Date.UTC` turns 31 February into a day in March.
  return new Date(time).getUTCMonth() === month ? { end, time, isFull } : undefined;
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
