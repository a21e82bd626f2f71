import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { analyze } from '../../../src/language/terms.ts';
import { ClaimLists } from '../../../src/learning/claims/claim-lists.ts';
import { KnowledgeRows } from '../../../src/learning/knowledge-rows.ts';
import type { ClaimRow } from '../../../src/storage/schema.ts';
import { NOTHING } from '../../fixtures/claims/living-in.ts';

const WORDS = ['tea', 'bees', 'cello', 'choir', 'garden', 'lamp'];
const said = fc.array(
  fc.record({
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
    message: fc.nat(12),
    isWeak: fc.boolean(),
  }),
  { maxLength: 20 },
);
const weights = fc.dictionary(fc.constantFrom(...WORDS.flatMap(analyze)), fc.integer({ min: 1, max: 9 }));

function rowsOf(claims: readonly { text: string; message: number; isWeak?: boolean }[]): KnowledgeRows {
  const rows = new KnowledgeRows('user');
  rows.apply({
    ...NOTHING,
    claims: claims.map(({ text, message, isWeak }, n): ClaimRow => ({
      ...{ id: `c${n}`, scope: 'user', text, messageId: `m${message}`, sessionId: 's', seq: message },
      ...{ start: n, end: n + text.length, origin: 'user', kinds: ['other'], topic: '', score: 1 },
      ...{ saidAt: message, matters: [], ...(isWeak ? { isWeak } : {}) },
    })),
  });
  return rows;
}

it('GATE-31: how much of a question claims cover is measured as over all of them', () => {
  fc.assert(
    fc.property(said, weights, fc.uniqueArray(fc.constantFrom(...WORDS)), (all, weightBy, asked) => {
      const weightOf = (term: string): number => weightBy[term] ?? 1;
      const claims = all.map(({ words, ...rest }) => ({ ...rest, text: words.join(' ') }));
      const terms = asked.flatMap((word) => analyze(word));
      const weightIn = (texts: readonly string[]): number =>
        terms.reduce(
          (sum, term) => (texts.some((text) => analyze(text).includes(term)) ? sum + weightOf(term) : sum),
          0,
        );
      const listed = claims.filter(({ isWeak }) => !isWeak);
      const messages = [...new Set(listed.map(({ message }) => message))].toSorted((a, b) => a - b);
      const around = messages.map((_, place) => {
        const near = messages.slice(Math.max(0, place - 1), place + 2);
        return weightIn(listed.flatMap(({ text, message }) => (near.includes(message) ? text : [])));
      });
      const found = rowsOf(claims).claimIndex.statedTerms(terms, weightOf);
      const foundWeights = found.map((group) => weightIn([...group]));
      expect(Math.max(0, ...foundWeights)).toBe(Math.max(0, ...around));
      const stated = terms.filter((term) => listed.some(({ text }) => analyze(text).includes(term)));
      expect(new Set(found.flatMap((group) => [...group]))).toEqual(new Set(stated));
    }),
    { numRuns: 500 },
  );
});

it('GATE-31: claims that have the common words of a question alone are not read', () => {
  const friends = Array.from({ length: 3000 }, (_, message) => ({
    ...{ message, text: `My friend Ana${message} likes tea in the garden.` },
  }));
  const { claimIndex } = rowsOf(friends);
  const weightOf = (term: string): number => (term.startsWith('ana') ? 8 : 1);
  const [terms, read] = [['friend', 'like', 'ana1500', 'garden'], vi.spyOn(ClaimLists.prototype, 'in')];
  expect(claimIndex.statedTerms(terms, weightOf).at(-1)).toEqual(new Set(terms));
  expect(read.mock.calls.length).toBeLessThan(20);
  vi.restoreAllMocks();
});
