import { FilteredVectorIndex } from '../../../src/search/filtered-vector-index.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemory, transformersEmbedder, type Embedder } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import type { Warning } from '../../../src/model/warning.ts';
import { type VectorBatch, type VectorSearch } from '../../../src/search/vector-search.ts';
import { VectorIndex } from '../../../src/search/vector-index.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';

const ASSETS = new URL('/mnemora-assets/', location.origin).href;
const DIMENSIONS = 24;
const open: { close(): Promise<void> }[] = [];

interface OwnWorker {
  embedder: Embedder;
  workers: Worker[];
}

/** An embedder of the offline model whose workers the test can stop. */
function ownWorker(): OwnWorker {
  const workers: Worker[] = [];
  const embedder = transformersEmbedder({
    assetsUrl: ASSETS,
    worker: () => {
      const worker = new Worker(new URL('embedding-worker.js', ASSETS), { type: 'module' });
      workers.push(worker);
      return worker;
    },
  });
  open.push(embedder);
  return { embedder, workers };
}

function inWorker(embedder: Embedder): VectorSearch {
  const vectors = embedder.openVectors?.();
  if (!vectors) throw new Error('The embedder keeps no vectors.');
  return vectors;
}

function randomVector(random: () => number): Float32Array<ArrayBuffer> {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  return vector.map((value) => value / Math.hypot(...vector));
}

/** Twice the same, since a worker takes what it is given. */
function batches(random: () => number, first: number, count: number): VectorBatch[] {
  const rows = Array.from({ length: count }, (_, row) => first + row);
  const vectors = new Float32Array(rows.flatMap(() => [...randomVector(random)]));
  const batch = {
    ids: rows.map((row) => `m${row}`),
    sessionIds: rows.map((row) => `s${row % 3}`),
    createdAt: Float64Array.from(rows),
    vectors,
  };
  return [batch, structuredClone(batch)];
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe('vectors in the worker', () => {
  it('VEC-25: the worker finds what the page would find, by session and time, after deletions and replacements', async () => {
    const { embedder } = ownWorker();
    const random = seededRandom(81);
    const both = [inWorker(embedder), new FilteredVectorIndex()];
    const addBoth = (first: number, count: number): void => {
      for (const [i, batch] of batches(random, first, count).entries()) both[i]?.add(batch);
    };
    addBoth(0, 400);
    addBoth(100, 50);
    const gone = Array.from({ length: 60 }, (_, i) => `m${i * 5}`);
    for (const vectors of both) vectors.delete(gone);
    addBoth(5, 3);
    const ranges = [
      {},
      { sessionId: 's1' },
      { from: 50, to: 300 },
      { sessionId: 's2', to: 200 },
      { sessionId: 'none' },
    ];
    for (const range of ranges) {
      const query = randomVector(random);
      const [there, here] = await Promise.all(both.map((vectors) => vectors.search(query, 20, range)));
      expect(there).toEqual(here);
      expect(there?.length === 0).toBe(range.sessionId === 'none');
      expect(there?.map((hit) => hit.id)).not.toContain('m0');
    }
  });

  it('VEC-25: the collections of a worker are independent, and a closed one is empty', async () => {
    const { embedder } = ownWorker();
    const [batch, same] = batches(seededRandom(1), 0, 4);
    const [one, two] = [inWorker(embedder), inWorker(embedder)];
    if (!batch || !same) throw new Error('no batch');
    const query = same.vectors.slice(0, DIMENSIONS);
    one.add(batch);
    expect(await two.search(query, 5, {})).toEqual([]);
    expect(await one.search(query, 5, {})).toHaveLength(4);
    one.close();
    expect(await one.search(query, 5, {})).toEqual([]);
  });

  it('VEC-26: a search is answered between two texts while many are being embedded', async () => {
    const { embedder } = ownWorker();
    await embedder.ready();
    const vectors = inWorker(embedder);
    const done: string[] = [];
    const texts = Array.from({ length: 16 }, (_, i) => `A rather long sentence about the boat number ${i}.`);
    const embedded = embedder.embed(texts).then(() => done.push('embedded'));
    const found = vectors.search(new Float32Array(DIMENSIONS), 1, {}).then(() => done.push('found'));
    await Promise.all([embedded, found]);
    expect(done).toEqual(['found', 'embedded']);
  });

  it('VEC-27: a memory with the offline model searches no vectors on the page', async () => {
    const search = vi.spyOn(VectorIndex.prototype, 'search');
    const memory = await createMemory({ name: newId(), assetsUrl: ASSETS, learning: false });
    open.push(memory);
    await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    await memory.work.settled();
    const [best] = await memory.search('What name does our puppy have?', { limit: 1 });
    expect(best?.why).toHaveProperty('vector');
    expect(search).not.toHaveBeenCalled();
    search.mockRestore();
  });

  it('VEC-28: search still works after the worker crashes, and nothing is embedded again', async () => {
    const { embedder, workers } = ownWorker();
    const embed = vi.spyOn(embedder, 'embed');
    const warnings: Warning[] = [];
    const name = newId();
    const onWarning = (warning: Warning): number => warnings.push(warning);
    const memory = await createMemory({ name, embedder, learning: false, onWarning });
    open.push(memory);
    await memory.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
    await memory.work.settled();
    const before = await memory.search('What name does our puppy have?');
    const stored = (await dump(name))['vectors'];
    const asked = embed.mock.calls.length;
    workers[0]?.terminate();
    await eventually(async () => {
      const after = await memory.search('What name does our puppy have?');
      expect(after).toEqual(before);
    });
    expect(workers.length).toBe(2);
    const queries = embed.mock.calls.slice(asked).filter(([, options]) => options?.kind === 'query');
    expect(queries).toHaveLength(embed.mock.calls.length - asked);
    expect((await dump(name))['vectors']).toEqual(stored);
    expect(warnings).toEqual([]);
  });
});
