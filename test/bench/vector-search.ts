import { ByteRows } from '../../src/search/byte-rows.ts';
import { VectorIndex } from '../../src/search/vector-index.ts';
import { round, type BenchResult, type BenchRow } from './bench-result.ts';
import { byteStream } from './byte-stream.ts';
import { measureInterleaved } from './interleaved.ts';
import { seededRandom } from './seeded-random.ts';
import { VECTOR_PEERS, type VectorPeerKind } from './vector-peers.ts';

const DIMENSIONS = 512;
const K = 10;
const QUERIES = 16;
/** What a search reads of each vector at first: a byte a number, and what a byte is worth and lost. */
const FIRST_BYTES = DIMENSIONS + 8;

/** One size: ours, the bound, and then each peer against ours, one at a time for the sake of memory. */
export async function benchVectorSearch(count: number): Promise<BenchResult> {
  const random = seededRandom(count);
  const vectors = Array.from({ length: count }, () => randomUnit(random));
  const queries = Array.from({ length: QUERIES }, () => randomUnit(random));
  const index = new VectorIndex({ dimensions: DIMENSIONS });
  const start = performance.now();
  for (const [i, vector] of vectors.entries()) index.add(`v${i}`, vector);
  const buildMs = performance.now() - start;

  // Vectors that are scored are read again in full; their number is about four times k, whatever the size.
  const stream = byteStream(count * FIRST_BYTES + 4 * K * DIMENSIONS * 4);
  let asked = 0;
  const search = (): unknown => index.search(queries[asked++ % QUERIES] ?? [], K);
  const roundCount = count > 20_000 ? 60 : 300;
  const { ours, bound } = await measureInterleaved({ ours: search, bound: stream }, roundCount);
  const scanning = await timesOfScan(search, roundCount);
  const rows: BenchRow[] = [
    { who: 'mnemora VectorIndex', medianMs: ours, note: `RAM, exact; built in ${buildMs.toFixed(0)} ms` },
    { who: 'of it the kernel, until what may be best is known', medianMs: scanning, note: '' },
    { who: 'streaming the bytes that it reads', medianMs: bound, note: 'the bound of memory' },
  ];
  const ratios: Record<string, number> = {
    oursToBound: round(ours / bound),
    kernelToBound: round(scanning / bound),
  };
  for (const kind of VECTOR_PEERS.filter((peer) => count <= peer.mostVectors)) {
    const { row, ratio } = await measurePeer(kind, index, vectors, queries);
    rows.push(row);
    ratios[`${kind.who} to ours`] = ratio;
  }
  return {
    name: `vectorSearch${count}`,
    task: `search the best ${K} of ${count} vectors of ${DIMENSIONS} dimensions`,
    rows,
    ratios,
  };
}

/** Median time, in ms, of the part of a search that reads the bytes. */
async function timesOfScan(search: () => unknown, roundCount: number): Promise<number> {
  const { likelyRows } = ByteRows.prototype;
  let spent = 0;
  const times: number[] = [];
  ByteRows.prototype.likelyRows = function (...parameters): ReturnType<typeof likelyRows> {
    const start = performance.now();
    const rows = likelyRows.apply(this, parameters);
    spent = performance.now() - start;
    return rows;
  };
  await measureInterleaved({ search: () => (search(), times.push(spent)) }, roundCount);
  ByteRows.prototype.likelyRows = likelyRows;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

async function measurePeer(
  kind: VectorPeerKind,
  index: VectorIndex,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Promise<{ row: BenchRow; ratio: number }> {
  try {
    const start = performance.now();
    const peer = await kind.open(vectors);
    const buildMs = performance.now() - start;
    const recall = await recallOf(peer.search.bind(peer), index, queries);
    const query = rounds(queries);
    const medians = await measureInterleaved(
      { ours: () => index.search(query(), K), peer: () => peer.search(query(), K) },
      vectors.length > 2000 ? 8 : 30,
    );
    await peer.close();
    const note = `${kind.note}; built in ${buildMs.toFixed(0)} ms; finds ${(100 * recall).toFixed(1)} % of the best`;
    return {
      row: { who: kind.who, medianMs: medians.peer, note },
      ratio: round(medians.peer / medians.ours),
    };
  } catch (error) {
    return { row: { who: kind.who, medianMs: NaN, note: `failed: ${String(error)}` }, ratio: NaN };
  }
}

async function recallOf(
  search: (query: Float32Array, k: number) => Promise<string[]>,
  index: VectorIndex,
  queries: readonly Float32Array[],
): Promise<number> {
  let found = 0;
  for (const query of queries.slice(0, 4)) {
    const best = new Set(index.search(query, K).map((hit) => hit.id));
    found += (await search(query, K)).filter((id) => best.has(id)).length;
  }
  return found / (4 * K);
}

/** Each query twice, once for either side, then the next. */
function rounds(queries: readonly Float32Array[]): () => Float32Array {
  let asked = 0;
  return () => queries[Math.floor(asked++ / 2) % queries.length] ?? new Float32Array(DIMENSIONS);
}

function randomUnit(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
