import { expect, it } from 'vitest';
import { excerpt, wordsOf } from '../../../demo/search/highlight.ts';
import { factsWith, closestInMeaning } from '../../../demo/search/search-memory.ts';
import type { MemoryFact, SearchResult } from '../../../src/index.ts';

it('DEMO-31: query words are highlighted regardless of case, accents and endings', () => {
  expect(marked('We booked flights to Málaga.', 'FLIGHT malaga')).toBe('We booked [flights] to [Málaga].');
  expect(marked('One flight.', 'flights')).toBe('One [flight].');
  expect(marked('Is my dog in it?', 'is my dog')).toBe('Is my [dog] in it?');
  expect(marked('我住在柏林', '柏林')).toBe('[我住在柏林]');
  expect(marked('Nothing of it.', 'zzzz')).toBe('Nothing of it.');
});

it('DEMO-31: the excerpt of a long text surrounds its first hit and never splits a character', () => {
  const text = `${'before '.repeat(50)}needle${' after'.repeat(50)}`;
  const shown = marked(text, 'needle', 60);
  expect(shown).toMatch(/^…before .*\[needle\] after.*…$/u);
  expect(shown.length).toBeLessThan(70);
  expect(marked('🙂'.repeat(60), 'needle', 41).isWellFormed()).toBe(true);
});

it('DEMO-31: facts are found by their words, the ones with the most hits first, and not by "you" and "are"', () => {
  const facts = [
    fact('user', 'lives in', 'Leipzig'),
    fact('user', 'has sister', 'Hannah'),
    fact('Hannah', 'lives in', 'Oslo'),
  ];
  const found = (query: string): string[] => factsWith(facts, wordsOf(query)).map(({ object }) => object);
  expect(found('Leip')).toEqual(['Leipzig']);
  expect(found('hannah lives')).toEqual(['Oslo', 'Leipzig', 'Hannah']);
  expect(found('you are')).toEqual([]);
  expect(found('zzzz')).toEqual([]);
});

it('DEMO-31: messages with a similar meaning are shown only if they stand out', () => {
  const found = (...meanings: number[]): number[] =>
    closestInMeaning(meanings.map((vector) => ({ why: { vector } }) as unknown as SearchResult)).map(
      ({ why }) => why['vector'] ?? 0,
    );
  expect(found(2.4, 1.5, 1.4)).toEqual([2.4]);
  expect(found(2.4, 2.3, 1.5, 1.4)).toEqual([2.4, 2.3]);
  expect(found(2.3)).toEqual([2.3]);
  expect(found(2.39, 2.38, 2.37)).toEqual([]);
  expect(found(0)).toEqual([]);
  expect(found()).toEqual([]);
});

function marked(text: string, query: string, maxCharacters = 200): string {
  const pieces = excerpt(text, wordsOf(query), maxCharacters);
  return pieces.map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece)).join('');
}

function fact(subject: string, predicate: string, object: string): MemoryFact {
  return {
    id: object,
    subject,
    predicate,
    object,
    validFrom: 0,
    recordedAt: 0,
    source: 'extracted',
    sources: [],
    attributes: {},
    speaker: 'user',
    isPinned: false,
  };
}
