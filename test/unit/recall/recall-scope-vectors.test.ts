import { describe, expect, it, vi } from 'vitest';
import { MnemoraError } from '../../../src/model/error.ts';
import { ScopeVectors } from '../../../src/recall/index/scope-vectors.ts';
import { FilteredVectorIndex } from '../../../src/search/filtered-vector-index.ts';
import type { VectorSearch } from '../../../src/search/vector-search.ts';
import type { SearchRows } from '../../../src/storage/search-rows.ts';
import { VectorIndex } from '../../../src/search/vector-index.ts';

const STORED = ['a', 'b', 'unknown'].map((id, row) => ({ id, vector: Float32Array.of(1, row) }));

function scopeVectors(openVectors?: () => VectorSearch): { vectors: ScopeVectors; reads: () => number } {
  let reads = 0;
  const readVectors: SearchRows['readVectors'] = async (_scope, _embedder, take) => {
    reads += 1;
    for (const row of STORED) take([row]);
  };
  const metadataOf = (id: string): ReturnType<ConstructorParameters<typeof ScopeVectors>[0]['metadataOf']> =>
    id === 'unknown' ? undefined : { sessionId: 's', order: 0, turnId: 't', createdAt: 1 };
  const embedder = { id: 'model', ...(openVectors ? { openVectors } : {}) };
  const vectors = new ScopeVectors({ store: { readVectors }, scope: 'user', embedder, metadataOf });
  return { vectors, reads: () => reads };
}

describe('ScopeVectors', () => {
  it('VEC-29: nothing is loaded before it is needed, and then the vectors of searched messages', async () => {
    const { vectors, reads } = scopeVectors();
    expect(vectors.areLoaded).toBe(false);
    expect(reads()).toBe(0);
    await vectors.load();
    expect(['a', 'b', 'unknown'].filter((id) => vectors.has(id))).toEqual(['a', 'b']);
    const hits = await vectors.search(Float32Array.of(1, 0), 5, {});
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'b']);
    vectors.delete(['a']);
    expect(vectors.has('a')).toBe(false);
    expect(await vectors.search(Float32Array.of(1, 0), 5, {})).toHaveLength(1);
  });

  it('EMB-34: a query vector of the wrong length is rejected, naming the embedder', async () => {
    const { vectors } = scopeVectors();
    await vectors.load();
    const refused = vectors.search(Float32Array.of(1, 0, 0), 5, {});
    await expect(refused).rejects.toMatchObject({ code: 'model-unavailable' });
    await expect(refused).rejects.toThrow(/"model" returns 3 numbers for a text, but .* have 2/);
    expect(vectors.areLoaded).toBe(true);
  });

  it('VEC-28: after a search that a dead worker did not answer, no vectors count as loaded', async () => {
    const dead: Partial<VectorSearch> = {
      search: () => Promise.reject(new MnemoraError('worker-crashed', 'gone')),
    };
    let opened = 0;
    const { vectors, reads } = scopeVectors(() => {
      opened += 1;
      const here = new FilteredVectorIndex();
      return opened > 1
        ? here
        : ({
            ...dead,
            add: () => undefined,
            delete: () => undefined,
            close: () => undefined,
          } as VectorSearch);
    });
    await vectors.load();
    await expect(vectors.search(Float32Array.of(1, 0), 5, {})).rejects.toMatchObject({
      code: 'worker-crashed',
    });
    expect([vectors.areLoaded, vectors.has('a')]).toEqual([false, false]);
    await vectors.load();
    expect(await vectors.search(Float32Array.of(1, 0), 5, {})).toHaveLength(2);
    expect(reads()).toBe(2);
  });

  it('VEC-30: closing while vectors are being loaded leaves nothing open', async () => {
    const here = new FilteredVectorIndex();
    const close = vi.spyOn(here, 'close');
    const openVectors = vi.fn(() => here);
    const { vectors } = scopeVectors(openVectors);
    const loading = vectors.load();
    vectors.close();
    await loading;
    await vectors.load();
    expect(openVectors.mock.calls.length - close.mock.calls.length).toBe(0);
    expect(await vectors.search(Float32Array.of(1, 0), 5, {})).toEqual([]);
  });

  it('SRCH-19: a search over all sessions and times looks up no session or time', async () => {
    const { vectors } = scopeVectors();
    await vectors.load();
    const search = vi.spyOn(VectorIndex.prototype, 'search');
    for (const range of [{}, { from: -Infinity }, { from: -Infinity, to: Infinity }, { sessionId: 's' }]) {
      await vectors.search(Float32Array.of(1, 0), 5, range);
    }
    const areFiltered = search.mock.calls.map(([, , filter]) => filter !== undefined);
    search.mockRestore();
    expect(areFiltered).toEqual([false, false, false, true]);
  });
});
