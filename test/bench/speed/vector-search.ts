import { transformersEmbedder } from '../../../src/index.ts';
import type { VectorSearch } from '../../../src/search/vector-search.ts';
import { round, type BenchResult, type BenchRow } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomUnits } from './random-units.ts';
import type { ScanRequest, ScanTimes } from './scan-worker.ts';
import { VECTOR_PEERS, type VectorPeerKind } from './vector-peers.ts';

const DIMENSIONS = 512;
const K = 10;
const QUERIES = 16;
const ROWS_PER_BATCH = 1_000;

/**
 * One size: the scan against the bound, both in a worker; then each peer against ours as a page sees it, the way to the
 * worker and back included, one at a time for the sake of memory.
 */
export async function benchVectorSearch(count: number, assetsUrl: string): Promise<BenchResult> {
  const rounds = count > 20_000 ? 60 : 300;
  const { buildMs, searchMs, kernelMs, boundMs } = await scanInWorker({
    count,
    dimensions: DIMENSIONS,
    k: K,
    rounds,
  });
  const vectors = randomUnits(count, DIMENSIONS, count);
  const queries = randomUnits(QUERIES, DIMENSIONS, count + 1);
  const embedder = transformersEmbedder({ assetsUrl });
  await embedder.ready();
  const ours = embedder.openVectors?.();
  if (!ours) throw new Error('The embedder keeps no vectors.');
  fill(ours, vectors);
  const query = eachTwice(queries);
  const { fromPage } = await measureInterleaved({ fromPage: () => ours.search(query(), K, {}) }, rounds);

  const rows: BenchRow[] = [
    { who: 'mnemora, asked by a page', medianMs: fromPage, note: 'to the worker and back; exact' },
    { who: 'of it the search', medianMs: searchMs, note: `in a worker; built in ${buildMs.toFixed(0)} ms` },
    { who: 'of it the kernel, until what may be best is known', medianMs: kernelMs, note: '' },
    { who: 'streaming the bytes that it reads', medianMs: boundMs, note: 'in a worker; the bound of memory' },
  ];
  const ratios: Record<string, number> = {
    searchToBound: round(searchMs / boundMs),
    kernelToBound: round(kernelMs / boundMs),
  };
  for (const kind of VECTOR_PEERS.filter((peer) => count <= peer.mostVectors)) {
    const row = await measurePeer(kind, ours, vectors, queries);
    rows.push(row);
    ratios[`${kind.who} to ours`] = round(row.medianMs / fromPage);
  }
  await embedder.close();
  return {
    name: `vectorSearch${count}`,
    task: `search the best ${K} of ${count} vectors of ${DIMENSIONS} dimensions`,
    rows,
    ratios,
  };
}

function scanInWorker(request: ScanRequest): Promise<ScanTimes> {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ScanTimes>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ScanTimes>): void => resolve(data);
    worker.onerror = (event): void => reject(new Error(event.message));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

function fill(search: VectorSearch, vectors: readonly Float32Array[]): void {
  for (let start = 0; start < vectors.length; start += ROWS_PER_BATCH) {
    const rows = vectors.slice(start, start + ROWS_PER_BATCH);
    const batch = new Float32Array(rows.length * DIMENSIONS);
    for (const [row, vector] of rows.entries()) batch.set(vector, row * DIMENSIONS);
    search.add({
      ids: rows.map((_, row) => `v${start + row}`),
      sessionIds: rows.map(() => 'bench'),
      createdAt: new Float64Array(rows.length),
      vectors: batch,
    });
  }
}

async function measurePeer(
  kind: VectorPeerKind,
  ours: VectorSearch,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Promise<BenchRow> {
  try {
    const start = performance.now();
    const peer = await kind.open(vectors);
    const buildMs = performance.now() - start;
    const recall = await recallOf(peer.search.bind(peer), ours, queries);
    const query = eachTwice(queries);
    const medians = await measureInterleaved(
      { ours: () => ours.search(query(), K, {}), peer: () => peer.search(query(), K) },
      vectors.length > 2000 ? 8 : 30,
    );
    await peer.close();
    // Between the searches of a slow peer ours finds its caches cold: such is a search after a pause.
    const after = `ours after each ${medians.ours.toFixed(2)} ms`;
    const note = `${kind.note}; built in ${buildMs.toFixed(0)} ms; finds ${(100 * recall).toFixed(1)} % of the best; ${after}`;
    return { who: kind.who, medianMs: medians.peer, note };
  } catch (error) {
    return { who: kind.who, medianMs: NaN, note: `failed: ${String(error)}` };
  }
}

async function recallOf(
  search: (query: Float32Array, k: number) => Promise<string[]>,
  ours: VectorSearch,
  queries: readonly Float32Array[],
): Promise<number> {
  let found = 0;
  for (const query of queries.slice(0, 4)) {
    const best = new Set((await ours.search(query, K, {})).map((hit) => hit.id));
    found += (await search(query, K)).filter((id) => best.has(id)).length;
  }
  return found / (4 * K);
}

/** Each query twice, once for either side, then the next. */
function eachTwice(queries: readonly Float32Array[]): () => Float32Array {
  let asked = 0;
  return () => queries[Math.floor(asked++ / 2) % queries.length] ?? new Float32Array(DIMENSIONS);
}
