import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { distinctQuotes, type OutdatedQuote } from '../../../src/learning/claims/outdated-quotes.ts';

const over = (quote: string, since = 1): OutdatedQuote => ({ quote, since });
const rejected = (quote: string): OutdatedQuote => ({ quote, since: 2, isRejected: true });
const told = (...quotes: OutdatedQuote[]): string[] =>
  distinctQuotes(quotes).map(({ quote, isRejected }) => (isRejected ? `not: ${quote}` : quote));

it('CLM-13: of quotes of a message, none is repeated or lies inside another', () => {
  expect(told(over('I row'), over('I sing'), over('I row', 5))).toEqual(['I row', 'I sing']);
  expect(told(over('sing in Rome'), over('I sing in Rome and I row'), over('I row'))).toEqual([
    'I sing in Rome and I row',
  ]);
  // A part of a word is another word.
  expect(told(over('tea'), over('I drink team tea.'), over('I am on the team.'))).toEqual([
    'I drink team tea.',
    'I am on the team.',
  ]);
  expect(told(over('I row'), over('I rowed'))).toEqual(['I row', 'I rowed']);
  expect(told(over('住在里斯本'), over('我住在里斯本'))).toEqual(['我住在里斯本']);
});

it('CLM-14: what was rejected is taken out of what is over, which keeps the words around it', () => {
  expect(told(over('I row and I sing in Rome.'), rejected('I sing in Rome.'))).toEqual([
    'I row',
    'not: I sing in Rome.',
  ]);
  expect(told(over('I row, I sing, I ski'), rejected('I sing'))).toEqual(['I row', 'I ski', 'not: I sing']);
  expect(told(over('I sing'), rejected('I sing'))).toEqual(['not: I sing']);
  expect(told(over('sing'), rejected('I sing'))).toEqual(['not: I sing']);
});

const WORDS = ['row', 'sing', 'ski', 'read', 'swim', 'run', 'cook', 'knit'];
const spans = fc.array(
  fc.record({ from: fc.nat(7), length: fc.integer({ min: 1, max: 8 }), isRejected: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

it('CLM-13: of any spans of a text, each word stays marked, and each rejected one as rejected', () => {
  fc.assert(
    fc.property(spans, (given) => {
      const quotes = given.map(({ from, length, isRejected }) => {
        const quote = WORDS.slice(from, from + length).join(' ');
        return isRejected ? rejected(quote) : over(quote);
      });
      const left = distinctQuotes(quotes);
      const wordsOf = (some: readonly OutdatedQuote[]): string[] => [
        ...new Set(some.flatMap(({ quote }) => quote.split(' '))),
      ];
      const isOut = ({ isRejected }: OutdatedQuote): boolean => isRejected === true;
      expect(wordsOf(left).toSorted()).toEqual(wordsOf(quotes).toSorted());
      expect(wordsOf(left.filter(isOut)).toSorted()).toEqual(wordsOf(quotes.filter(isOut)).toSorted());
      for (const one of left)
        for (const other of left)
          if (one !== other) expect(` ${one.quote} `).not.toContain(` ${other.quote} `);
    }),
    { numRuns: 500 },
  );
});
