const UNITS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/u);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const OTHERS: readonly (readonly [string, number])[] = [
  ['once', 1],
  ['twice', 2],
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['couple', 2],
  ['pair', 2],
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
];
const WORD_VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, index): [string, number] => [word, 20 + 10 * index]),
  ...OTHERS,
]);
/** Number words that count as numbers. "One" is also a pronoun and "second" a unit of time, so they do not. */
const COUNTED: ReadonlySet<string> = new Set([...UNITS.slice(2), ...TENS]);

/** Months by their first three letters, as whole words or abbreviations. */
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b/gu;

const NUMBER_WORD = new RegExp(
  String.raw`\b(?:(${TENS.join('|')})[- ](${UNITS.slice(1, 10).join('|')})|([a-z]+))\b`,
  'gu',
);
const FIGURES = /\d+(?:[.,:/-]\d+)*/gu;
const TIME = /\b(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b/gu;
const THOUSANDS = /\b(\d+(?:[.,]\d+)?)\s?(k|thousand|million)\b/gu;

/** A number as written, and its value in digits. */
interface NamedNumber {
  readonly text: string;
  readonly value: string;
}

/** Returns the numbers in a text: those in digits, and English number words from two on. */
export function numbersOf(text: string): NamedNumber[] {
  const lower = text.toLowerCase();
  return [
    ...Array.from(withoutListNumbers(lower).matchAll(FIGURES), ([figures]) => ({
      text: figures,
      value: plain(figures),
    })),
    ...wordNumbers(lower).filter(({ text: words }) => COUNTED.has(words.split(/[- ]/u)[0] ?? '')),
  ];
}

/** Returns a test for whether a text contains a number, in digits or words, as a date or as a time of day. */
export function numberReader(source: string): (value: string) => boolean {
  const lower = source.toLowerCase();
  const figures = Array.from(lower.matchAll(FIGURES), ([each]) => each);
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
  const months = Array.from(lower.matchAll(MONTH), ([, month = '']) => String(MONTHS.indexOf(month) + 1));
  const dated = new Set([...values, ...months, '0']);
  // "19:00" is 7 pm, and "02.05.2026" is May 2.
  return (value) => {
    const parts = value.split(/[.:/-]/u);
    return values.has(value) || (parts.length > 1 && parts.every((part) => dated.has(plain(part))));
  };
}

function wordNumbers(lower: string): NamedNumber[] {
  return Array.from(lower.matchAll(NUMBER_WORD), ([text, tens, unit, word]) => {
    const value =
      tens === undefined
        ? WORD_VALUES.get(word ?? '')
        : (WORD_VALUES.get(tens) ?? 0) + (WORD_VALUES.get(unit ?? '') ?? 0);
    return value === undefined ? undefined : { text, value: String(value) };
  }).filter((number) => number !== undefined);
}

/** Normalizes digits: "1,500" and "01500" become 1500, "3,5" becomes 3.5. */
function plain(figures: string): string {
  return figures
    .replaceAll(/[.,](?=\d{3}(?!\d))/gu, '')
    .replaceAll(',', '.')
    .replace(/^0+(?=\d)/u, '');
}

function withoutListNumbers(text: string): string {
  return text.replaceAll(/^\s*\d+[.)]\s/gmu, '');
}
