import { fold } from './fold.ts';
import { contentStems } from './matters.ts';
import { regex } from './words/lists.ts';

/** Kinds of values that a thing has one of at a time. */
type ValueSort = 'weekday' | 'date' | 'clock' | 'number' | 'version';

/** A value with its place in a clause. */
export interface Value {
  readonly sort: ValueSort;
  /** The value as it is compared; a number with its unit. */
  readonly value: string;
  /** What it is a value of, if the words say so: the unit of a number, the name in front of a version. */
  readonly of: string;
  /** Place of the value in the text, with its preposition. */
  readonly start: number;
  readonly end: number;
}

/** Returns the values in a clause, in its order. Empty if folding has moved its characters. */
export function valuesIn(text: string): Value[] {
  const folded = fold(text);
  if (folded.length !== text.length) return [];
  const taken: Value[] = [];
  for (const [sort, pattern] of VALUES) {
    for (const match of (sort === 'version' ? text : folded).matchAll(pattern)) {
      const { hour = '', value = hour, of = '' } = match.groups ?? {};
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some((other) => start < other.end && other.start < end)) continue;
      taken.push({ sort, value: fold(value), of: [...contentStems(of)][0] ?? fold(of).trim(), start, end });
    }
  }
  return taken.toSorted((a, b) => a.start - b.start);
}

const AT = String.raw`(?:(?:on|at|by|in|to|from|until|am|um|bis|le|les|a|el|los|las|la|à|na|às)\s+)?(?:the |los |las |la |les )?`;
const TWO_TO_TWELVE = 'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
/** In "no one", "this one" and "one of them" it counts nothing. */
const ONE = String.raw`(?<!\b(?:no|any|some|every|each|this|that|which|the|another|nice|good|only)[ -])one(?= [\p{L}]|-)(?! (?:of|another|else|day|thing|who|that|from|for|with|at|in|on|to|and|or|but|i|we)\b)`;
const NUMBER = String.raw`\d+(?:[.,]\d+)*|(?:${TWO_TO_TWELVE})(?!\p{L})|${ONE}(?!\p{L})`;
const VALUES: readonly (readonly [ValueSort, RegExp])[] = [
  [
    'version',
    /(?<of>\b\p{L}?\p{Lu}[\p{L}.+#-]*) v?(?<value>\d+(?:\.\d+)*)\b(?![:/%]|[.,]?\d| ?(?:am|pm|h|uhr)\b)/gu,
  ],
  ['weekday', regex(String.raw`${AT}\b(?<value>{weekday}|{weekdayElsewhere})s?\b`, 'gu')],
  [
    'date',
    regex(
      String.raw`${AT}\b(?<value>\d{1,2}(?:st|nd|rd|th|[.])? (?:of )?(?:{month})|(?:{month}) \d{1,2}(?:st|nd|rd|th)?|{monthButMay})\b`,
      'gu',
    ),
  ],
  [
    'clock',
    new RegExp(
      String.raw`${AT}\b(?<value>\d{1,2}(?:[:.h]\d\d)?\s?(?:am|pm|uhr|h)|\d{1,2}:\d\d|noon|midnight)\b|\b(?:at|um|alle|a las|a la|as) (?<hour>\d{1,2}|one(?! with\b)|${TWO_TO_TWELVE})\b(?![.:/%-]?\d| \p{L}+s\b)`,
      'gu',
    ),
  ],
  [
    'number',
    new RegExp(String.raw`\b(?<value>${NUMBER})(?<of>(?: |-)?\p{L}+(?:/\p{L}+)?|%)?(?: per \p{L}+)?`, 'gu'),
  ],
];
