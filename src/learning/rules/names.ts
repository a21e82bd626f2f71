import { hasTag, textOf, type Word } from '../../language/sentence-words.ts';
import { isTitle } from '../../language/words/abbreviations.ts';
import { isIn } from '../../language/words/lexicon.ts';
import { MONTHS } from '../../language/words/lists.ts';

export type NameKind = 'person' | 'place' | 'organization' | 'title' | 'date' | 'name';

/** A name in a sentence. */
export interface FoundName {
  readonly text: string;
  readonly kind: NameKind;
  readonly gender?: 'male' | 'female';
  /** Word indices; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returns the names in a sentence, in order. `isKnown` tests whether a name (in lower case) occurred before. */
export function findNames(words: readonly Word[], isKnown: (lower: string) => boolean): FoundName[] {
  const names: FoundName[] = [];
  const letters = words.filter(({ kind, text }) => kind === 'word' && /\p{L}{2}/u.test(text));
  // If everything is in capitals, they mean nothing.
  const isShouted = letters.length > 3 && letters.every((word) => word.text === word.text.toUpperCase());
  for (let index = 0; index < words.length;) {
    const name = nameAt(words, index, isKnown, isShouted);
    if (name) names.push(name);
    index = name?.end ?? index + 1;
  }
  return names;
}

/** Returns the name that begins at a word. */
export function nameAt(
  words: readonly Word[],
  start: number,
  isKnown: (lower: string) => boolean,
  isShouted = false,
): FoundName | undefined {
  const word = words[start];
  if (!word) return undefined;
  if (word.kind === 'title') {
    const parts = word.text.split(/\s+/u);
    const long = parts.filter((part) => part.length > 3);
    // Quoted speech contains words in lower case; most words of a title are capitalized.
    const capitals = long.filter((part) => /^\P{Ll}/u.test(part)).length;
    const isQuotedTitle =
      word.isCapital && parts.length <= 8 && (long.length === 0 || capitals * 2 > long.length);
    return isQuotedTitle ? { text: word.text, kind: 'title', start, end: start + 1 } : undefined;
  }
  if (word.kind !== 'word') return undefined;
  const date = dateAt(words, start);
  if (date?.isFull) return { text: textOf(words.slice(start, date.end)), kind: 'date', start, end: date.end };
  const end = Math.max(
    knownAt(words, start, isKnown),
    isShouted ? start : capitalsFrom(words, start),
    lowerNameAt(words, start),
  );
  return end === start ? undefined : makeName(words, start, end);
}

const LONGEST_KNOWN = 4;

function knownAt(words: readonly Word[], start: number, isKnown: (lower: string) => boolean): number {
  for (let end = Math.min(words.length, start + LONGEST_KNOWN); end > start; end--) {
    const part = words.slice(start, end);
    if (part.some((word) => word.kind !== 'word')) continue;
    const text = textOf(part).toLowerCase();
    if (text.length > 1 && !isIn('no-name', text) && isKnown(text)) return end;
  }
  return start;
}

/** Returns the index after a run of capitalized words. */
function capitalsFrom(words: readonly Word[], start: number): number {
  const first = words[start];
  if (!first || !isNameWord(first)) return start;
  const second = words[start + 1];
  if (first.isFirst && !hasTag(first, 'ProperNoun', 'Person', 'Place', 'Organization', 'FirstName')) {
    const isFollowed =
      isSuffixComma(words, start + 1) ||
      second?.kind === 'possessive' ||
      (second && isNameWord(second) && !hasTag(first, 'Verb', 'Adjective'));
    if (!isFollowed || isIn('no-initial', first.lower)) return start;
  }
  let end = start + 1;
  for (let index = end; index < words.length && index < start + MAX_NAME_WORDS; index++) {
    const word = words[index];
    if (!word || (word.kind !== 'word' && !isSuffixComma(words, index))) break;
    const isNumbered = index === end && /^(?:\d{1,2}|I{2,3}|IV|VI{0,3}|IX)$/u.test(word.text);
    if (isNameWord(word) || (isNumbered && !dateAt(words, index))) end = index + 1;
    else if (word.kind === 'word' && !isIn('name-connector', word.lower)) break;
    else if (word.lower === 'the' && words[index - 1]?.lower !== 'of') break;
  }
  // A courtesy title alone is not a name: "Dr."
  return end === start + 1 && (isTitle(first.lower) || /^st\.?$/u.test(first.lower)) ? start : end;
}

const MAX_NAME_WORDS = 8;

/** Whether a comma is that of `Acme, Inc.` */
function isSuffixComma(words: readonly Word[], index: number): boolean {
  return words[index]?.text === ',' && /^(?:inc|ltd|llc|jr|sr)\b/u.test(words[index + 1]?.lower ?? '');
}

function isNameWord(word: Word): boolean {
  if (word.kind !== 'word' || !word.isCapital || isIn('no-name', word.lower)) return false;
  return !hasTag(word, 'Pronoun', 'WeekDay');
}

/**
 * Returns the index after a name typed in lower case: first names, cities and countries that are not also other
 * words.
 */
function lowerNameAt(words: readonly Word[], start: number): number {
  const word = words[start];
  if (!word || word.kind !== 'word' || word.isCapital || isIn('no-name', word.lower)) return start;
  const isName = hasTag(word, 'FirstName', 'City', 'Country', 'Region');
  if (!isName || isIn('name-and-word', word.lower)) return start;
  const next = words[start + 1];
  const isLonger = next?.kind === 'word' && !next.isCapital && hasTag(next, 'LastName', 'City');
  return isLonger ? start + 2 : start + 1;
}

function makeName(words: readonly Word[], start: number, end: number): FoundName {
  const part = words.slice(start, end);
  const has = (...tags: string[]): boolean => part.some((word) => hasTag(word, ...tags));
  const found = { text: textOf(part), kind: 'name', start, end } as const;
  if (
    ORGANIZATION_END.test(part.at(-1)?.lower ?? '') ||
    /university|institute|college|bank|ministry/iu.test(found.text)
  )
    return { ...found, kind: 'organization' };
  if (!has('Person', 'FirstName')) {
    if (has('Place')) return { ...found, kind: 'place' };
    return has('Organization') ? { ...found, kind: 'organization' } : found;
  }
  const first = part[0]?.lower ?? '';
  const person = { ...found, kind: 'person' } as const;
  if (isIn('either-gender', first)) return person;
  if (has('MaleName') || /^mr\.?$/u.test(first)) return { ...person, gender: 'male' };
  return has('FemaleName') || /^mr?s\.?$/u.test(first) ? { ...person, gender: 'female' } : person;
}

const ORGANIZATION_END = /^(?:inc|ltd|corp|corporation|llc|gmbh|ag|company|foundation|organization)\.?$/u;

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
  if (iso) return dateOf(index + 1, Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
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
  if (year !== undefined) return dateOf(at + 1, year, month, day ?? 1);
  return day === undefined ? undefined : { end: index, isFull: true };
}

function dateOf(end: number, year: number, month: number, day: number): FoundDate | undefined {
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
