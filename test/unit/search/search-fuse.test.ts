import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseScores, type ScoredList } from '../../../src/search/fuse.ts';
import { compareHits } from '../../../src/search/search-hit.ts';

const score = fc.integer({ min: -5000, max: 5000 }).map((value) => value / 1000);
const results = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), score }), {
  selector: (hit) => hit.id,
});
const lists = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('lexical', 'dense', 'graph', '__proto__'),
    weight: fc.integer({ min: 0, max: 30 }).map((value) => value / 10),
    results,
    normalize: fc.constantFrom('max' as const, 'none' as const),
  }),
  { selector: (list) => list.name, minLength: 1 },
);

describe('fuseScores', () => {
  it('RANK-1: a fused score is the weighted sum of the scores, each divided by the best of its list', () => {
    expect(
      fuseScores([
        {
          name: 'lexical',
          weight: 1,
          results: [
            { id: 'a', score: 8 },
            { id: 'b', score: 2 },
          ],
        },
        {
          name: 'dense',
          weight: 2,
          results: [
            { id: 'b', score: 0.5 },
            { id: 'c', score: -0.1 },
          ],
        },
        { name: 'pinned', weight: 1, normalize: 'none', results: [{ id: 'c', score: 0.25 }] },
      ]),
    ).toEqual([
      { id: 'b', score: 2.25, parts: { lexical: 0.25, dense: 2 } },
      { id: 'a', score: 1, parts: { lexical: 1 } },
      { id: 'c', score: 0.25, parts: { dense: 0, pinned: 0.25 } },
    ]);
  });

  it('RANK-2: the order of lists and results does not change a bit of the fused result', () => {
    fc.assert(
      fc.property(lists, fc.infiniteStream(fc.nat()), (original, numbers) => {
        const shuffle = <T>(values: readonly T[]): T[] =>
          values
            .map((value) => ({ value, key: numbers.next().value ?? 0 }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ value }) => value);
        const shuffled = shuffle(original).map((list) => ({ ...list, results: shuffle(list.results) }));
        expect(fuseScores(shuffled)).toEqual(fuseScores(original));
      }),
      { numRuns: 1000 },
    );
  });

  it('RANK-3: the result is sorted, contains each id once, and its parts add up to the score', () => {
    fc.assert(
      fc.property(lists, (input) => {
        const fused = fuseScores(input);
        expect(fused).toEqual(fused.toSorted(compareHits));
        const ids = new Set(input.flatMap((list) => list.results.map((hit) => hit.id)));
        expect(fused.map((hit) => hit.id).toSorted()).toEqual([...ids].toSorted());
        for (const hit of fused) {
          expect(Object.values(hit.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(hit.score, 10);
          expect(Object.keys(hit.parts).toSorted()).toEqual(
            input
              .flatMap((list) => (list.results.some(({ id }) => id === hit.id) ? list.name : []))
              .toSorted(),
          );
        }
      }),
    );
  });

  it('RANK-4: a higher score in one list never lowers the rank of an id', () => {
    fc.assert(
      fc.property(
        lists,
        fc.nat(),
        fc.nat(),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (input, i, j, gain) => {
          const list = input[i % input.length];
          const hit = list?.results[j % list.results.length];
          fc.pre(list !== undefined && hit !== undefined);
          const better = input.map((other): ScoredList =>
            other === list
              ? {
                  ...other,
                  results: other.results.map((result) =>
                    result === hit ? { id: result.id, score: result.score + gain } : result,
                  ),
                }
              : other,
          );
          const rank = (fused: readonly { id: string }[]): number =>
            fused.findIndex(({ id }) => id === hit?.id);
          expect(rank(fuseScores(better))).toBeLessThanOrEqual(rank(fuseScores(input)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('RANK-5: lists of the same name, and weights or scores that are not finite, are rejected', () => {
    const refused = expect.objectContaining({ code: 'invalid-input' });
    const list = { name: 'a', weight: 1, results: [] };
    expect(() => fuseScores([list, list])).toThrow(refused);
    for (const weight of [-1, NaN, Infinity])
      expect(() => fuseScores([{ ...list, weight }])).toThrow(refused);
    for (const bad of [NaN, Infinity]) {
      expect(() => fuseScores([{ ...list, results: [{ id: 'x', score: bad }] }])).toThrow(refused);
    }
    expect(fuseScores([])).toEqual([]);
  });

  it('RANK-6: an id that occurs twice in a list counts with its higher score', () => {
    const twice = [
      { id: 'x', score: 1 },
      { id: 'y', score: 4 },
      { id: 'x', score: 3 },
    ];
    expect(fuseScores([{ name: 'l', weight: 1, results: twice }])).toEqual([
      { id: 'y', score: 1, parts: { l: 1 } },
      { id: 'x', score: 0.75, parts: { l: 0.75 } },
    ]);
  });
});
