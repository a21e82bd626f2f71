import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MnemoraError } from '../../../src/model/error.ts';
import { compareHits } from '../../../src/search/search-hit.ts';
import { ROWS_PER_BLOCK, VectorIndex } from '../../../src/search/vector-index.ts';

const DIMENSIONS = 11; // a whole step of the unrolled loop, and a rest
const vector = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -9000, max: 9000 }).map((value) => value / 1000),
  ),
  { minLength: DIMENSIONS, maxLength: DIMENSIONS },
);
const id = fc.integer({ min: 0, max: 30 }).map((number) => `v${number}`);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), id, vector }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

function naiveCosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  const lengths = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
}

describe('VectorIndex', () => {
  it('VEC-1: vector search ranks like a naive scan, after any changes and reopenings', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        vector,
        fc.nat({ max: 40 }),
        fc.boolean(),
        (steps, query, k, filtered) => {
          let index = new VectorIndex({ dimensions: DIMENSIONS });
          const model = new Map<string, readonly number[]>();
          for (const current of steps) {
            if (current.do === 'add') {
              index.add(current.id, current.vector);
              model.set(current.id, current.vector);
            } else if (current.do === 'delete') {
              expect(index.delete(current.id)).toBe(model.delete(current.id));
              expect(index.has(current.id)).toBe(false);
            } else {
              index = VectorIndex.fromBlocks(structuredClone(index.toBlocks()), { dimensions: DIMENSIONS });
            }
          }
          expect(index.size).toBe(model.size);

          const isWanted = (wanted: string): boolean => !filtered || Number(wanted.slice(1)) % 2 === 0;
          const reference = [...model].flatMap(([member, values]) =>
            isWanted(member) ? { id: member, score: naiveCosine(query, values) } : [],
          );
          const best = reference.toSorted(compareHits).slice(0, k);
          const hits = index.search(query, k, filtered ? isWanted : undefined);

          expect(hits).toEqual(hits.toSorted(compareHits));
          expect(new Set(hits.map((hit) => hit.id)).size).toBe(best.length);
          // Single precision may order what lies closer together than it can tell, and only that.
          for (const [rank, hit] of hits.entries()) {
            expect(hit.score).toBeCloseTo(best[rank]?.score ?? NaN, 5);
            expect(hit.score).toBeCloseTo(naiveCosine(query, model.get(hit.id) ?? []), 5);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('VEC-2: equal scores are ordered by id, regardless of insertion order and k', () => {
    const ids = ['d', 'a', 'c', 'e', 'b'];
    for (let k = 0; k <= 6; k++) {
      for (const order of [ids, ids.toReversed(), ids.toSorted()]) {
        const index = new VectorIndex({ dimensions: 2 });
        for (const member of order) index.add(member, [1, 1]);
        expect(index.search([1, 0], k).map((hit) => hit.id)).toEqual(ids.toSorted().slice(0, k));
      }
    }
  });

  it('VEC-3: very long and very short vectors score like unit vectors', () => {
    const index = new VectorIndex({ dimensions: 2 });
    index.add('huge', [3e200, 4e200]);
    index.add('tiny', [3e-200, 4e-200]);
    for (const hit of index.search([0.3, 0.4], 2)) expect(hit.score).toBeCloseTo(1, 6);
    expect(index.search([1e300, 0], 1)[0]?.score).toBeCloseTo(0.6, 6);
  });

  it('VEC-4: a zero vector scores 0 and ranks last, and a zero query scores 0 everywhere', () => {
    const index = new VectorIndex({ dimensions: 2 });
    index.addAll([
      { id: 'away', vector: [-1, 0] },
      { id: 'none', vector: [0, 0] },
      { id: 'near', vector: [1, 1] },
    ]);
    expect(index.search([1, 0], 3).map((hit) => hit.id)).toEqual(['near', 'none', 'away']);
    expect(index.search([1, 0], 3)[1]?.score).toBe(0);
    expect(index.search([0, 0], 3)).toEqual([
      { id: 'away', score: 0 },
      { id: 'near', score: 0 },
      { id: 'none', score: 0 },
    ]);
  });

  it.each([
    ['too short', [1]],
    ['too long', [1, 2, 3]],
    ['NaN', [1, NaN]],
    ['infinite', [Infinity, 1]],
    ['infinite in single precision', new Float32Array([1e39, 1])],
    ['sparse', Object.assign([1], { length: 2 })],
  ])('VEC-5: a vector that is %s is rejected and nothing changes', (_what, bad) => {
    const index = new VectorIndex({ dimensions: 2 });
    index.add('kept', [0, 1]);
    const before = index.toBlocks();
    const refused = expect.objectContaining({ name: 'MnemoraError', code: 'invalid-input' });
    expect(() => index.add('kept', bad)).toThrow(refused);
    expect(() =>
      index.addAll([
        { id: 'new', vector: [1, 0] },
        { id: 'bad', vector: bad },
      ]),
    ).toThrow(refused);
    expect(() => index.search(bad, 1)).toThrow(refused);
    expect(index.toBlocks()).toEqual(before);
  });

  it('VEC-7: k must be a whole number, and 0 finds nothing', () => {
    const index = new VectorIndex({ dimensions: 1 });
    index.add('a', [1]);
    for (const k of [-1, 0.5, NaN, Infinity]) expect(() => index.search([1], k)).toThrow(MnemoraError);
    expect(index.search([1], 0)).toEqual([]);
    expect(index.search([1], 9)).toHaveLength(1);
  });

  it('VEC-8: the constructor rejects invalid dimensions and unknown options', () => {
    const refused = expect.objectContaining({ code: 'invalid-option' });
    for (const dimensions of [0, -1, 1.5, NaN]) {
      expect(() => new VectorIndex({ dimensions })).toThrow(refused);
    }
    const misspelt = { dimensions: 2, dimension: 3 };
    expect(() => new VectorIndex(misspelt)).toThrow(refused);
  });

  it('VEC-9: adding and deleting across several blocks leaves every other vector intact', () => {
    const count = 2 * ROWS_PER_BLOCK + 5;
    const index = new VectorIndex({ dimensions: 2 });
    const angle = (i: number): number[] => [Math.cos(i / 1000), Math.sin(i / 1000)];
    index.addAll(Array.from({ length: count }, (_, i) => ({ id: `v${i}`, vector: angle(i) })));
    expect(index.toBlocks().map((block) => block.ids.length)).toEqual([ROWS_PER_BLOCK, ROWS_PER_BLOCK, 5]);
    for (let i = 0; i < count; i++) if (i % 3 !== 0) expect(index.delete(`v${i}`)).toBe(true);
    expect(index.toBlocks()).toHaveLength(1);
    const left = Array.from({ length: count }, (_, i) => i).filter((i) => i % 3 === 0);
    for (const i of left) expect(index.search(angle(i), 1)[0]?.id).toBe(`v${i}`);
    for (const i of left) index.delete(`v${i}`);
    expect(index.toBlocks()).toEqual([]);
    index.add('again', [1, 0]);
    expect(index.search([1, 0], 5)).toEqual([{ id: 'again', score: 1 }]);
  });

  it('VEC-10: blocks are copies and contain nothing of deleted vectors', () => {
    const index = new VectorIndex({ dimensions: 2 });
    index.add('secret', [0.6, 0.8]);
    index.add('other', [1, 0]);
    const taken = index.toBlocks();
    index.delete('secret');
    expect(index.toBlocks()).toEqual([{ ids: ['other'], vectors: new Float32Array([1, 0]) }]);
    taken[0]?.vectors.fill(0);
    expect(index.search([1, 0], 1)).toEqual([{ id: 'other', score: 1 }]);
  });

  it('VEC-10: the numbers of a deleted vector are overwritten in memory', () => {
    const allocated: Float32Array[] = [];
    vi.stubGlobal(
      'Float32Array',
      class extends Float32Array {
        constructor(length: number) {
          super(length);
          allocated.push(this);
        }
        static get [Symbol.species](): Float32ArrayConstructor {
          return Float32Array;
        }
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const index = new VectorIndex({ dimensions: 2 });
    index.add('other', [1, 0]);
    index.add('secret', [0, -1]);
    const holdsSecret = (): boolean => allocated.some((numbers) => numbers.includes(-1));
    expect(holdsSecret()).toBe(true);
    index.delete('secret');
    expect(holdsSecret()).toBe(false);
  });

  it('VEC-11: a damaged block is rejected', () => {
    const good = { ids: ['a'], vectors: new Float32Array([1, 0]) };
    const damagedBlocks = [
      [{ ids: ['a', 'b'], vectors: new Float32Array([1, 0]) }],
      [{ ids: ['a'], vectors: new Float32Array([2, 0]) }],
      [{ ids: ['a'], vectors: new Float32Array([NaN, 0]) }],
      [good, good],
    ];
    for (const blocks of damagedBlocks) {
      expect(() => VectorIndex.fromBlocks(blocks, { dimensions: 2 })).toThrow(/Rebuild/);
    }
    expect(VectorIndex.fromBlocks([good], { dimensions: 2 }).has('a')).toBe(true);
  });
});
