import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { QuantizedVectors } from '../../../src/search/quantized-vectors.ts';
import { FEWEST_BYTE_ROWS, ROWS_PER_BLOCK, VectorIndex } from '../../../src/search/vector-index.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { vectorSearchContract, withBytes, withoutBytes } from '../../contracts/vector-search-contract.ts';

const DIMENSIONS = 24;

vectorSearchContract(200);

function filled(count: number, dimensions = DIMENSIONS): VectorIndex {
  const random = seededRandom(count);
  const index = new VectorIndex({ dimensions });
  for (let i = 0; i < count; i++) {
    index.add(
      `v${i}`,
      Array.from({ length: dimensions }, () => random() - 0.5),
    );
  }
  return index;
}

function failing(error: Error): () => never {
  return function () {
    throw error;
  };
}

const QUERY = Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(i));

describe('QuantizedVectors', () => {
  it('VEC-13: quantized vectors are kept only from a certain number of vectors on', () => {
    expect(withBytes(() => filled(FEWEST_BYTE_ROWS - 1)).usesBytes).toBe(false);
    expect(withBytes(() => filled(FEWEST_BYTE_ROWS)).usesBytes).toBe(true);
  });

  it.each([
    ['missing', undefined],
    [
      'forbidden',
      { Memory: WebAssembly.Memory, Instance: failing(new EvalError('The policy of this page forbids it.')) },
    ],
    ['out of room', { ...WebAssembly, Memory: failing(new RangeError('Could not allocate memory.')) }],
  ])('VEC-14: where WebAssembly is %s, a search returns the same', (_what, webAssembly) => {
    const found = filled(2 * FEWEST_BYTE_ROWS).search(QUERY, 20);
    vi.stubGlobal('WebAssembly', webAssembly);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { index, usesBytes } = withBytes(() => filled(2 * FEWEST_BYTE_ROWS));
    expect(usesBytes).toBe(false);
    expect(index.search(QUERY, 20)).toEqual(found);
  });

  it('VEC-15: where memory cannot grow, vectors can still be added and are found', () => {
    const count = ROWS_PER_BLOCK + 10;
    const found = filled(count, 200).search(Array(200).fill(1), 20);
    let left = 1;
    const grow = WebAssembly.Memory.prototype.grow;
    vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(function (
      this: WebAssembly.Memory,
      pages: number,
    ) {
      if (left-- <= 0) throw new RangeError('Maximum memory size exceeded.');
      return Reflect.apply(grow, this, [pages]);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(filled(count, 200).search(Array(200).fill(1), 20)).toEqual(found);
  });

  it('VEC-16: adding and deleting across blocks leaves every other vector intact', () => {
    const count = 2 * ROWS_PER_BLOCK + 3;
    const index = filled(count);
    const plain = withoutBytes(() => filled(count));
    for (let i = 0; i < count; i++) {
      if (i % 5 === 0) continue;
      index.delete(`v${i}`);
      plain.delete(`v${i}`);
    }
    expect(index.search(QUERY, 50)).toEqual(plain.search(QUERY, 50));
    for (let i = 0; i < count; i += 2) {
      index.add(`w${i}`, QUERY.toReversed());
      plain.add(`w${i}`, QUERY.toReversed());
    }
    expect(index.search(QUERY, 50)).toEqual(plain.search(QUERY, 50));
  });

  it('VEC-17: nothing of a deleted vector is left among the quantized ones', () => {
    const memories: WebAssembly.Memory[] = [];
    const { Memory } = WebAssembly;
    vi.stubGlobal('WebAssembly', {
      ...WebAssembly,
      Module: WebAssembly.Module,
      Instance: WebAssembly.Instance,
      Memory: function (descriptor: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
        const memory = new Memory(descriptor);
        memories.push(memory);
        return memory;
      },
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const index = new VectorIndex({ dimensions: 16 });
    const other = Array.from({ length: 16 }, (_, i) => (i === 0 ? 1 : 0));
    for (let i = 0; i < FEWEST_BYTE_ROWS; i++) index.add(`v${i}`, other);
    index.add(
      'secret',
      Array.from({ length: 16 }, (_, i) => (i + 1) / 16),
    );
    const holdsSecret = (): boolean => {
      const bytes = new Uint8Array(memories[0]?.buffer ?? new ArrayBuffer(0));
      return bytes.some((byte, i) => byte === 111 && bytes[i + 2] === 127); // the 14th and 16th of sixteen numbers
    };
    expect(holdsSecret()).toBe(true);
    index.delete('secret');
    expect(holdsSecret()).toBe(false);
  });

  it('VEC-18: only a few of many vectors are scored in full', () => {
    const candidates = vi.spyOn(QuantizedVectors.prototype, 'candidates');
    onTestFinished(() => candidates.mockRestore());
    filled(4000, 256).search(
      Array.from({ length: 256 }, (_, i) => Math.sin(i)),
      10,
    );
    const likely = candidates.mock.results[0]?.value as { row: number }[];
    expect(likely.length).toBeGreaterThanOrEqual(10);
    expect(likely.length).toBeLessThan(200);
  });

  it('VEC-19: the filter is called only for candidates', () => {
    const index = filled(4000, 256);
    const query = Array.from({ length: 256 }, (_, i) => Math.cos(i));
    let asked = 0;
    const admitted = index.search(query, 10, (id) => {
      asked++;
      return Number(id.slice(1)) % 2 === 0;
    });
    expect(admitted).toHaveLength(10);
    expect(asked).toBeLessThan(800);
  });
});
