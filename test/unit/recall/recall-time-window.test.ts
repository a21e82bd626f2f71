import { timeFit } from '../../../src/recall/index/scope-index.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timesNamed, withEvents, type DateOf, type TimeWindow } from '../../../src/language/times.ts';

/** A Wednesday. */
const NOW = Date.UTC(2023, 9, 18, 15, 30);
const DAY = 86_400_000;

function timesIn(text: string, dateOf: DateOf = () => undefined): TimeWindow[] {
  return withEvents(timesNamed(text, NOW), NOW, dateOf);
}

function days(text: string, dateOf?: DateOf): string[] {
  return timesIn(text, dateOf).map(({ from, to }) =>
    [from, to].map((time) => new Date(time).toISOString().slice(0, 10)).join(' '),
  );
}

describe('timesNamed', () => {
  it.each([
    ['What happened on 8 May 2023?', ['2023-05-08 2023-05-08']],
    ['on May 8th, 2023', ['2023-05-08 2023-05-08']],
    ['the 3rd of June', ['2023-06-03 2023-06-03']],
    ['on 2023-05-08', ['2023-05-08 2023-05-08']],
    ['on the eleventh of May', ['2023-05-11 2023-05-11']],
    ['the twenty-first of June 2022', ['2022-06-21 2022-06-21']],
    ['December 24', ['2022-12-24 2022-12-24']],
    ['Who came in May?', ['2023-05-01 2023-05-31']],
    ['in December', ['2022-12-01 2022-12-31']],
    ['during August 2022', ['2022-08-01 2022-08-31']],
    ['in 2021', ['2021-01-01 2021-12-31']],
    ['last spring', ['2023-03-01 2023-05-31']],
    ['last winter', ['2021-12-01 2022-02-28', '2022-12-01 2023-02-28'].slice(1)],
    ['in the summer of 2022', ['2022-06-01 2022-08-31']],
    ['this autumn', ['2023-09-01 2023-11-30']],
    ['today', ['2023-10-18 2023-10-18']],
    ['yesterday', ['2023-10-17 2023-10-17']],
    ['the day before yesterday', ['2023-10-16 2023-10-16']],
    ['last week', ['2023-10-09 2023-10-15']],
    ['this week', ['2023-10-16 2023-10-22']],
    ['last weekend', ['2023-10-14 2023-10-15']],
    ['last month', ['2023-09-01 2023-09-30']],
    ['last year', ['2022-01-01 2022-12-31']],
    ['on Monday', ['2023-10-16 2023-10-16']],
    ['last Wednesday', ['2023-10-11 2023-10-11']],
    ['ten days ago', ['2023-10-08 2023-10-08']],
    ['two weeks ago', ['2023-10-01 2023-10-08']],
    ['in the past 3 days', ['2023-10-15 2023-10-18']],
    ['a week before 8 May 2023', ['2023-05-01 2023-05-01']],
    ['since last month', ['2023-09-01 2023-10-18']],
    ['a month before 31 March 2023', ['2023-02-28 2023-02-28']],
    ['three months after 30 November 2022', ['2023-02-28 2023-02-28']],
    ['a year before 29 February 2020', ['2019-02-28 2019-02-28']],
    ['two months before 31 March 2023', ['2023-01-31 2023-01-31']],
    ['in May and on 3 July 2022', ['2022-07-03 2022-07-03', '2023-05-01 2023-05-31']],
  ])('TIME-1: "%s" is %j', (text, expected) => {
    expect(days(text)).toEqual(expected);
  });

  it.each([
    'May I ask?',
    'the first may win',
    'I may go',
    'a second ago, sort of',
    'spring onions',
    'on 31 June',
    'room 2023',
    'Monday',
  ])('TIME-2: "%s" names no time', (text) => {
    expect(days(text)).toEqual([]);
  });

  it.each([
    ['two weeks before my birthday', ['2023-04-24 2023-04-24']],
    ['the day after my birthday', ['2023-05-09 2023-05-09']],
    ['since my birthday, mostly', ['2023-05-08 2023-10-18']],
    ['After my birthday did we go?', ['2023-05-08 2023-10-18']],
    ['on my birthday', ['2023-05-08 2023-05-08']],
    ['during my birthday party', ['2023-05-08 2023-05-08']],
    ['before my birthday', ['2023-04-08 2023-05-08']],
    ['since the day before my birthday', ['2023-05-07 2023-05-07']],
    ['a week before 8 May 2023 and on my birthday', ['2023-05-01 2023-05-01', '2023-05-08 2023-05-08']],
    ['my birthday', []],
    ['before the birthday', []],
    ['on the birthday cake', []],
  ])('TIME-5: with an event whose date is known, "%s" is %j', (text, expected) => {
    const date = { from: Date.UTC(2023, 4, 8), to: Date.UTC(2023, 4, 9) - 1 };
    expect(days(text, (phrase) => (phrase === 'my birthday' ? date : undefined))).toEqual(expected);
  });

  it('TIME-6: the name of an event ends at a conjunction, and "on" asks for a date', () => {
    const asked: [string, string][] = [];
    const dateOf: DateOf = (phrase, by) => void asked.push([phrase, by]);
    timesIn(`What came before the long knee surgery did she say, and on Anna's red sofa?`, dateOf);
    expect(asked).toEqual([
      ['the long knee surgery', 'beginning'],
      ["Anna's red sofa", 'date'],
      ["Anna's red", 'date'],
    ]);
  });

  it('TIME-3: for any text, a time window does not end before it begins and nothing is thrown', () => {
    const piece = fc.constantFrom(
      ...'last this since 3 31 two weeks days ago before may June 2023 spring on in the of monday ,'.split(
        ' ',
      ),
      '2024-13-40',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const { from, to } of timesIn(pieces.join(' '), () => ({ from: NOW, to: NOW })))
          expect(from).toBeLessThanOrEqual(to);
      }),
      { numRuns: 1000 },
    );
  });

  it('TIME-9: only the first 32 phrases of a long text are looked up as events', () => {
    const asked = new Set<string>();
    const dateOf: DateOf = (phrase) => {
      asked.add(phrase.slice(0, phrase.indexOf(' ')));
      return phrase === 'm32 trip' ? { from: NOW - DAY, to: NOW } : undefined;
    };
    const pasted = Array.from({ length: 2000 }, (_, at) => `on m${at + 1} trip.`).join(' ');
    expect(days(pasted, dateOf)).toEqual(['2023-10-17 2023-10-18']);
    expect([...asked]).toEqual(Array.from({ length: 32 }, (_, at) => `m${at + 1}`));
  });

  it('TIME-4: a time inside the window fits fully, less outside, and not at all beyond half its length', () => {
    const window = { from: 10 * DAY, to: 20 * DAY };
    expect(timeFit(10 * DAY, [window])).toBe(1);
    expect(timeFit(22 * DAY, [window])).toBeCloseTo(0.6);
    expect(timeFit(8 * DAY, [window])).toBeCloseTo(0.6);
    expect(timeFit(25 * DAY, [window])).toBe(0);
    expect(timeFit(15 * DAY, [])).toBe(0);
    expect(timeFit(30 * DAY, [window, { from: 30 * DAY, to: 30 * DAY }])).toBe(1);
  });
});
