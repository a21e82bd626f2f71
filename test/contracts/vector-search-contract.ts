import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { QuantizedVectors } from '../../src/search/quantized-vectors.ts';
import { fuseScores, type FusedHit } from '../../src/search/fuse.ts';
import { compareHits, type SearchHit } from '../../src/search/search-hit.ts';
import { FEWEST_BYTE_ROWS, VectorIndex } from '../../src/search/vector-index.ts';
import { seededRandom } from '../bench/recall/seeded-random.ts';

/** How the vectors of a corpus lie. */
const SHAPES = ['anywhere', 'clusters', 'one large number', 'few values', 'almost equal', 'copies'] as const;
type Shape = (typeof SHAPES)[number];

const corpus = fc.record({
  seed: fc.nat(),
  dimensions: fc.integer({ min: 1, max: 70 }),
  count: fc.integer({ min: FEWEST_BYTE_ROWS, max: 2 * FEWEST_BYTE_ROWS }),
  shape: fc.constantFrom(...SHAPES),
  k: fc.integer({ min: 1, max: 80 }),
  filtered: fc.boolean(),
});

/** The rules of a search over bytes, on whatever engine runs this. */
export function vectorSearchContract(corpora: number): void {
  describe('a search over many vectors', () => {
    it('VEC-12: search returns exactly what a naive scan does, with and without WebAssembly, fused or not, after random changes', () => {
      fc.assert(
        fc.property(corpus, ({ seed, dimensions, count, shape, k, filtered }) => {
          const build = (): VectorIndex => randomIndex(seed, dimensions, count, shape);
          const { index: fast, usesBytes } = withBytes(build);
          expect(usesBytes).toBe(true);
          const plain = withoutBytes(build);
          const reopened = withBytes(() => VectorIndex.fromBlocks(fast.toBlocks(), { dimensions })).index;
          const random = seededRandom(seed + 1);
          const filter = filtered ? (id: string): boolean => Number(id.slice(1)) % 3 > 0 : undefined;
          for (let i = 0; i < 4; i++) {
            const query = i === 0 ? storedVector(fast) : randomVector(random, dimensions, shape);
            const hits = fast.search(query, k, filter);
            const naive = naiveSearch(fast, query, filter).slice(0, k);
            expect(hits).toEqual(naive);
            expect(plain.search(query, k, filter)).toEqual(naive);
            expect(reopened.search(query, k, filter)).toEqual(naive);
            expect(fused(hits, seed)).toEqual(fused(naive, seed));
          }
        }),
        { numRuns: corpora },
      );
    });
  });
}

/** Whether bytes were used is seen from outside: the numbers would be right without them. */
export function withBytes(build: () => VectorIndex): { index: VectorIndex; usesBytes: boolean } {
  const create = vi.spyOn(QuantizedVectors, 'create');
  try {
    const index = build();
    return {
      index,
      usesBytes: create.mock.results.some((result) => result.value instanceof QuantizedVectors),
    };
  } finally {
    create.mockRestore();
  }
}

export function withoutBytes(build: () => VectorIndex): VectorIndex {
  const create = vi.spyOn(QuantizedVectors, 'create').mockReturnValue(undefined);
  onTestFinished(() => create.mockRestore());
  try {
    return build();
  } finally {
    create.mockRestore();
  }
}

function randomIndex(seed: number, dimensions: number, count: number, shape: Shape): VectorIndex {
  const random = seededRandom(seed);
  const index = new VectorIndex({ dimensions });
  const ids = Array.from({ length: count }, (_, i) => `v${i}`);
  index.addAll(ids.map((id) => ({ id, vector: randomVector(random, dimensions, shape) })));
  for (const id of ids) {
    const fate = random();
    if (fate < 0.1) index.delete(id);
    else if (fate < 0.2) index.add(id, randomVector(random, dimensions, shape));
  }
  return index;
}

function randomVector(random: () => number, dimensions: number, shape: Shape): number[] {
  const length = 10 ** (random() * 20 - 10);
  const at = Math.floor(random() * 3);
  const values = Array.from({ length: dimensions }, (_, i): number => {
    const noise = random() - 0.5;
    switch (shape) {
      case 'anywhere':
        return noise;
      case 'clusters':
        return Math.sin(i * (at + 1)) + noise / 10;
      case 'one large number':
        return i === at ? 50 + noise : noise;
      case 'few values':
        return Math.round(noise * 2);
      case 'almost equal':
        return Math.cos(i) + noise / 1e6;
      case 'copies':
        return i % 3 === at ? 1 : 0;
    }
  });
  return values.map((value) => value * length);
}

function storedVector(index: VectorIndex): number[] {
  return [...(index.toBlocks()[0]?.vectors.subarray(0, index.dimensions) ?? [])];
}

/** All that the filter admits, scored by one number after the other and sorted as a whole. */
function naiveSearch(
  index: VectorIndex,
  query: readonly number[],
  filter: ((id: string) => boolean) | undefined,
): SearchHit[] {
  const unit = unitLength(query);
  const hits: SearchHit[] = [];
  for (const { ids, vectors } of index.toBlocks()) {
    for (const [row, id] of ids.entries()) {
      if (filter && !filter(id)) continue;
      const start = row * index.dimensions;
      const score = unit.reduce((sum, value, i) => sum + value * (vectors[start + i] ?? NaN), 0);
      hits.push({ id, score: Math.max(-1, Math.min(1, score)) });
    }
  }
  return hits.toSorted(compareHits);
}

function unitLength(vector: readonly number[]): number[] {
  const largest = Math.max(...vector.map(Math.abs));
  if (largest === 0) return [...vector];
  const scaled = vector.map((value) => value / largest);
  const factor = 1 / Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  return scaled.map((value) => value * factor);
}

/** With the scores of another search beside them, as words would give them. */
function fused(hits: readonly SearchHit[], seed: number): FusedHit[] {
  const random = seededRandom(seed);
  const words = Array.from({ length: 40 }, () => ({
    id: `v${Math.floor(random() * 300)}`,
    score: Math.ceil(random() * 5),
  }));
  return fuseScores([
    { name: 'keyword', weight: 1, results: words },
    { name: 'vector', weight: 1.5, results: hits, normalize: 'none' },
  ]);
}
