import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareHits, TopHits } from '../../../src/search/search-hit.ts';

const hits = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 0, max: 200 }).map(String), score: fc.integer({ min: -9, max: 9 }) }),
  { selector: (hit) => hit.id, maxLength: 80 },
);

describe('TopHits', () => {
  it('RANK-7: the hits kept are the first k of all sorted hits', () => {
    fc.assert(
      fc.property(hits, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 3 }), (offered, k, divisor) => {
        const isWanted = (id: string): boolean => Number(id) % divisor === 0;
        const top = new TopHits(k, isWanted);
        for (const { id, score } of offered) top.offer(id, score);
        const wanted = offered.filter((hit) => isWanted(hit.id));
        expect(top.ranked()).toEqual(wanted.toSorted(compareHits).slice(0, k));
      }),
      { numRuns: 500 },
    );
  });

  it('RANK-8: the filter is only called for hits whose score is high enough', () => {
    const asked: string[] = [];
    const top = new TopHits(2, (id) => asked.push(id) > 0);
    for (const [id, score] of [
      ['a', 5],
      ['b', 4],
      ['c', 3],
      ['d', 6],
    ] as const)
      top.offer(id, score);
    expect(asked).toEqual(['a', 'b', 'd']);
  });
});
