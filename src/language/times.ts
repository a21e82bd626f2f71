import type { EventStatement } from '../model/message.ts';
import { MONTH_WORD, MONTHS, WEEKDAYS } from './words/lists.ts';
import { STOP_WORDS } from './words/stop-words.ts';

/** A period in milliseconds since 1970, including its first and its last millisecond. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns when the event was that a phrase such as "my birthday" names; undefined if its time is not known.
 * `date`: uses only dates that were stated. `beginning`: otherwise uses the time from which the fact holds.
 */
export type DateOf = (phrase: string, by: 'date' | 'beginning') => TimeWindow | undefined;

/** The times that a text names without reference to events. */
export interface NamedTimes {
  readonly windows: readonly TimeWindow[];
  /** The text without the words that were read as times; it may still name events. */
  readonly rest: string;
}

/**
 * Returns the times that an English text names, relative to `now` and in the past: "in May" is the last May that has
 * begun, "on Monday" the last Monday. Days are in UTC, like the dates in a context.
 *
 * Understood: dates (8 May 2023, May 8th, the eighth of May, 2023-05-08), months, years and seasons with or without a year, weekdays,
 * today, yesterday, "last", "this" and "past" with a week, weekend, month, year, weekday or season, "three weeks ago",
 * "two weeks before 8 May", and "since" with any of these, which reaches until now.
 *
 * @example timesNamed('Where was I last spring?', Date.UTC(2023, 9, 1)).windows // March to May 2023
 */
export function timesNamed(text: string, now: number): NamedTimes {
  const windows: TimeWindow[] = [];
  if (!MAY_NAME_TIME.test(text)) return { windows, rest: text };
  let rest = daysInDigits(text);
  // Longer forms come first, and their words are not read again: "8 May 2023" does not name the whole year.
  for (const { pattern, read } of RULES) {
    rest = rest.replaceAll(pattern, (...match: unknown[]) => {
      const groups = match.at(-1) as Record<string, string | undefined>;
      const window = read(groups, now);
      if (!window || window.from > window.to) return String(match[0]);
      const isSince = groups['since'] !== undefined;
      windows.push(isSince ? { from: window.from, to: Math.max(now, window.to) } : window);
      return ' ; ';
    });
  }
  return { windows, rest };
}

/** Returns a text with the days of months in digits: "the eleventh of May" as "the 11 of May". */
export function daysInDigits(text: string): string {
  return text.replaceAll(DAY_IN_WORDS, (word) => String(ORDINALS.indexOf(word.toLowerCase()) + 1));
}

/**
 * Returns the times that a text names, including those relative to events whose date `dateOf` returns: "two weeks before
 * my birthday", "since our wedding", "during the holiday"; "before" alone is the month before. `dateOf` is called for at
 * most 32 phrases of a text.
 */
export function withEvents({ windows, rest }: NamedTimes, now: number, dateOf: DateOf): TimeWindow[] {
  const found = [...windows];
  let events = 0;
  for (const { groups = {} } of rest.matchAll(BY_EVENT)) {
    if ((events += 1) > MOST_EVENTS) break;
    const by = groups['when']?.toLowerCase() === 'on' ? 'date' : 'beginning'; // "on the team" is no time
    const event = eventPhrases(groups['phrase'] ?? '')
      .map((phrase) => dateOf(phrase, by))
      .find(Boolean);
    const window = event && besideEvent(event, groups, now);
    if (window && window.from <= window.to) found.push(window);
  }
  return found;
}

/**
 * Returns when the event named by `phrase` was, read from the first sentence that names a time. If none does, it is the
 * time from which the first fact holds. A date without a year is the one nearest to when it was said; a yearly event is
 * the last one before `now`. Times are in milliseconds since 1970.
 */
export function eventDate(
  phrase: string,
  by: Parameters<DateOf>[1],
  told: readonly EventStatement[],
  now: number,
): TimeWindow | undefined {
  for (const { sentence, saidAt } of told) {
    const date = nearestNamed(sentence, saidAt);
    if (date) return YEARLY.test(phrase) ? lastTime(date, now) : date;
  }
  if (by === 'date') return undefined;
  const since = told.find(({ validFrom }) => validFrom !== undefined)?.validFrom;
  return since === undefined ? undefined : dayOf(since);
}

/** Maximum number of event phrases that are looked up: each is a search, and a pasted document has thousands. */
const MOST_EVENTS = 32;
const DAY = 86_400_000;

type Groups = Readonly<Record<string, string | undefined>>;
type Read = (groups: Groups, now: number) => TimeWindow | undefined;

/** First month of each season in the northern hemisphere. A winter belongs to the year of its December. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

const AMOUNT = String.raw`\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?|(?:a )?few`;
const NUMBER = `(?<number>${AMOUNT})`;
const MONTH = `(?<month>${MONTH_WORD})\\.?`;
const DAY_NUMBER = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const ORDINALS: readonly string[] =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
  seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth
  twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`.split(/\s+/);
const DAY_IN_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:${ORDINALS.join('|')})(?= of (?:${MONTH_WORD})(?!\p{L}))`,
  'giu',
);
const YEAR = String.raw`(?<year>(?:19|20)\d\d)`;
const SINCE = '(?:(?<since>since|after) )?';
const SHIFT = `(?<number>the|${AMOUNT}) (?<unit>day|week|month|year)s? (?<side>before|after) `;
const WEEKDAY = `(?<weekday>${WEEKDAYS.join('|')})`;
const SEASON = `(?<season>${Object.keys(SEASONS).join('|')})`;
const WHICH = '(?<which>last|past|this|previous)';

const PHRASE_WORD = String.raw`[\p{L}\p{N}'’-]+`;
/** Matches the words before an event. The event itself is a lookahead, because it may contain another one. */
const BY_EVENT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${SHIFT}|(?<when>before|after|since|during|on) )(?=(?<phrase>${PHRASE_WORD}(?: ${PHRASE_WORD}){0,4}))`,
  'giu',
);

/** Rules in order. Their times can be shifted ("two weeks before …") or be the start of a period ("since …"). */
const RULES: readonly { pattern: RegExp; read: Read }[] = [
  ...datedRules(`${DAY_NUMBER} (?:of )?${MONTH},? ${YEAR}`, readDay),
  ...datedRules(`${MONTH} ${DAY_NUMBER},? ${YEAR}`, readDay),
  ...datedRules(String.raw`${YEAR}-(?<monthNumber>\d\d)-(?<day>\d\d)`, readDay),
  ...datedRules(`${DAY_NUMBER} (?:of )?${MONTH}`, readDay),
  ...datedRules(`${MONTH} ${DAY_NUMBER}`, readDay),
  ...datedRules(`${MONTH},? (?:of )?${YEAR}`, readMonth),
  ...datedRules(`(?:the )?${SEASON} (?:of )?${YEAR}`, readSeason),
  rule(`${NUMBER} (?<unit>day|week|month|year)s? (?:ago|earlier|back)`, readAgo),
  rule('(?:the )?day before yesterday', (_, now) => dayOf(now - 2 * DAY)),
  rule(`${SINCE}yesterday|last night`, (_, now) => dayOf(now - DAY)),
  rule('today|tonight|this (?:morning|afternoon|evening)|earlier on', (_, now) => dayOf(now)),
  rule(`${SINCE}${WHICH} weekend`, readWeekend),
  rule(`${SINCE}(?:the )?${WHICH} (?<unit>week|month|year)`, readLast),
  rule(
    `(?:over |in |during )?(?:the )?(?:last|past) ${NUMBER} (?<unit>day|week|month|year)s?`,
    ({ number, unit }, now) => ({
      from: back(now, wordNumber(number), unit),
      to: now,
    }),
  ),
  rule(`${SINCE}${WHICH} ${SEASON}`, readSeason),
  rule(`${SINCE}${WHICH} ${MONTH}`, readMonth),
  rule(`${SINCE}(?:on |last |past |this )${WEEKDAY}s?`, readWeekday),
  rule(`(?:in|during|over|(?<since>since)) (?:the )?(?:early |late |mid[- ])?${SEASON}`, readSeason),
  rule(`(?:in|during|of|by|(?<since>since)) (?:early |late |mid[- ])?${MONTH}`, readMonth),
  rule(`(?:in|during|of|(?<since>since)) ${YEAR}`, ({ year }) => span(Number(year), 0, 12)),
];

/** Matches any text that a rule can match. Most questions do not match, so the rules are compiled only when needed. */
const MAY_NAME_TIME = new RegExp(
  [
    String.raw`\d|day|night|week|month|year|morning|afternoon|evening|earlier`,
    ...MONTHS.map((month) => month.slice(0, 3)),
    ...Object.keys(SEASONS),
  ].join('|'),
  'i',
);

function rule(source: string, read: Read): { pattern: RegExp; read: Read } {
  return { pattern: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'giu'), read };
}

function datedRules(source: string, read: Read): { pattern: RegExp; read: Read }[] {
  return [
    rule(`${SHIFT}${source}`, (groups, now) => shifted(read(groups, now), groups)),
    rule(`${SINCE}${source}`, read),
  ];
}

function readDay({ day, month, monthNumber, year }: Groups, now: number): TimeWindow | undefined {
  const monthIndex = monthNumber === undefined ? namedMonth(month) : Number(monthNumber) - 1;
  const date = (of: number): number => Date.UTC(of, monthIndex, Number(day));
  const named = date(year === undefined ? yearOf(now) : Number(year));
  if (new Date(named).getUTCMonth() !== monthIndex) return undefined; // 31 June
  return dayOf(year === undefined && named > now ? date(yearOf(now) - 1) : named);
}

function readMonth(groups: Groups, now: number): TimeWindow {
  const index = namedMonth(groups['month']);
  return latest((year) => span(year, index, 1), groups, now);
}

function readSeason(groups: Groups, now: number): TimeWindow | undefined {
  const start = SEASONS[groups['season']?.toLowerCase() ?? ''];
  return start === undefined ? undefined : latest((year) => span(year, start, 3), groups, now);
}

function readAgo({ number, unit }: Groups, now: number): TimeWindow {
  const amount = wordNumber(number);
  const middle = back(now, amount, unit);
  if (unit === 'day') return dayOf(middle);
  // "Three weeks ago" is not an exact day: the period extends half a unit to each side.
  const half = (back(now, 0, unit) - back(now, 1, unit)) / 2;
  return { from: middle - half, to: middle + half };
}

function readLast({ which = '', unit }: Groups, now: number): TimeWindow {
  const isThis = which.toLowerCase() === 'this';
  const year = yearOf(now);
  const month = new Date(now).getUTCMonth();
  if (unit === 'year') return span(isThis ? year : year - 1, 0, 12);
  if (unit === 'month') return span(year, isThis ? month : month - 1, 1);
  const monday = startOfDay(now) - sinceMonday(now) * DAY - (isThis ? 0 : 7 * DAY);
  return { from: monday, to: monday + 7 * DAY - 1 };
}

function readWeekend({ which = '' }: Groups, now: number): TimeWindow {
  const isThis = which.toLowerCase() === 'this';
  // The Saturday of this week, or on a Sunday that of yesterday.
  const saturday = startOfDay(now) + (6 - sinceMonday(now) - 1) * DAY;
  const from = isThis ? saturday : saturday - 7 * DAY;
  return { from, to: from + 2 * DAY - 1 };
}

function readWeekday({ weekday = '' }: Groups, now: number): TimeWindow {
  const wanted = WEEKDAYS.indexOf(weekday.toLowerCase());
  const since = (new Date(now).getUTCDay() - wanted + 7) % 7;
  return dayOf(now - (since === 0 ? 7 : since) * DAY);
}

/** Returns possible names of an event: the words before a conjunction, and "my birthday" for "my birthday party". */
function eventPhrases(following: string): string[] {
  const words = following.split(' ');
  const end = words.findIndex((word, i) => i > 0 && STOP_WORDS.has(word.toLowerCase()));
  const phrase = end < 0 ? words : words.slice(0, end);
  const isOwned = /^(?:my|our|.+['’]s?)$/iu.test(phrase[0] ?? '');
  const shortest = isOwned ? 2 : phrase.length;
  return phrase.flatMap((_, cut) =>
    phrase.length - cut >= shortest ? [phrase.slice(0, phrase.length - cut).join(' ')] : [],
  );
}

function besideEvent(event: TimeWindow, groups: Groups, now: number): TimeWindow | undefined {
  const when = groups['when']?.toLowerCase();
  if (when === undefined) return shifted(event, groups);
  if (when === 'before') return { from: back(event.from, 1, 'month'), to: event.from };
  if (when === 'during' || when === 'on') return event;
  return { from: event.from, to: Math.max(now, event.to) };
}

function shifted(window: TimeWindow | undefined, { number, unit, side }: Groups): TimeWindow | undefined {
  if (!window) return undefined;
  const amount = wordNumber(number) * (side?.toLowerCase() === 'before' ? 1 : -1);
  return { from: back(window.from, amount, unit), to: back(window.to, amount, unit) };
}

/** Returns the window in the year that is named; otherwise the latest that has begun, or for "last" that has ended. */
function latest(windowOf: (year: number) => TimeWindow, { year, which }: Groups, now: number): TimeWindow {
  if (year !== undefined) return windowOf(Number(year));
  const isOver = which !== undefined && which.toLowerCase() !== 'this';
  const fits = (window: TimeWindow): boolean => (isOver ? window.to < now : window.from <= now);
  const current = yearOf(now);
  // A winter that began last year may be the present one.
  return [current, current - 1, current - 2].map(windowOf).find(fits) ?? windowOf(current - 2);
}

/** Returns a window of whole months. */
function span(year: number, month: number, months: number): TimeWindow {
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + months) - 1 };
}

function back(time: number, amount: number, unit = ''): number {
  const name = unit.toLowerCase();
  if (name === 'day' || name === 'week') return time - amount * (name === 'week' ? 7 * DAY : DAY);
  return monthsBack(time, name === 'month' ? amount : 12 * amount);
}

function monthsBack(time: number, amount: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - amount);
  if (date.getUTCDate() !== day) date.setUTCDate(0); // 31 February is the last of February
  return date.getTime();
}

/** Returns the UTC day that contains a time. */
function dayOf(time: number): TimeWindow {
  const from = startOfDay(time);
  return { from, to: from + DAY - 1 };
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** Returns the number of days since the last Monday. */
function sinceMonday(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7;
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

const YEAR_MS = 365 * DAY;
const YEARLY = /\b(?:birthday|anniversary)\b/iu;

function nearestNamed(sentence: string, saidAt: number): TimeWindow | undefined {
  // `timesNamed` reads times as past ones. Read a year later, an event that is still to come is past as well.
  const dates = [saidAt, saidAt + YEAR_MS].flatMap((time) => timesNamed(sentence, time).windows);
  const distance = ({ from, to }: TimeWindow): number => Math.max(0, from - saidAt, saidAt - to);
  return dates.toSorted((a, b) => distance(a) - distance(b))[0];
}

function lastTime({ from, to }: TimeWindow, now: number): TimeWindow {
  const inYear = (year: number): number => new Date(from).setUTCFullYear(year);
  const year = new Date(now).getUTCFullYear();
  const start = inYear(year) <= now ? inYear(year) : inYear(year - 1);
  return { from: start, to: start + (to - from) };
}

/** Returns the index of a month in the year, given its name or the first three letters. */
function namedMonth(name = ''): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
}

/** Returns a number written in digits or words; "a few" is three. */
function wordNumber(text = ''): number {
  const word = text.toLowerCase();
  if (/^\d+$/.test(word)) return Number(word);
  if (word.includes('couple')) return 2;
  if (word.includes('few')) return 3;
  return Math.max(1, WORDS.indexOf(word));
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
