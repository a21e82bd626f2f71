import { QuantizedVectors } from '../../../src/search/quantized-vectors.ts';
import { VectorIndex } from '../../../src/search/vector-index.ts';
import { byteStream } from './byte-stream.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomUnits } from './random-units.ts';

export interface ScanRequest {
  count: number;
  dimensions: number;
  k: number;
  rounds: number;
}

/** Medians, in ms, and the share of the kernel. */
export interface ScanTimes {
  buildMs: number;
  searchMs: number;
  /** Of a search: until what may be best is known. */
  kernelMs: number;
  boundMs: number;
}

const QUERIES = 16;

// In a worker, as the library's own searches are.
globalThis.onmessage = async ({ data }: MessageEvent<ScanRequest>): Promise<void> => {
  (globalThis as unknown as Worker).postMessage(await measure(data));
};

async function measure({ count, dimensions, k, rounds }: ScanRequest): Promise<ScanTimes> {
  const vectors = randomUnits(count, dimensions, count);
  const queries = randomUnits(QUERIES, dimensions, count + 1);
  const index = new VectorIndex({ dimensions });
  const start = performance.now();
  for (const [i, vector] of vectors.entries()) index.add(`v${i}`, vector);
  const buildMs = performance.now() - start;

  // A search reads a byte a number and what a byte is worth and lost; vectors that are scored are read again in full,
  // about four times k of them, whatever the size.
  const stream = byteStream(count * (dimensions + 8) + 4 * k * dimensions * 4);
  let asked = 0;
  const search = (): unknown => index.search(queries[asked++ % QUERIES] ?? [], k);
  const medians = await measureInterleaved({ search, stream }, rounds);
  const kernelMs = await timeOfKernel(search, rounds);
  return { buildMs, searchMs: medians.search, kernelMs, boundMs: medians.stream };
}

async function timeOfKernel(search: () => unknown, rounds: number): Promise<number> {
  const { candidates } = QuantizedVectors.prototype;
  let spent = 0;
  const times: number[] = [];
  QuantizedVectors.prototype.candidates = function (...parameters): ReturnType<typeof candidates> {
    const start = performance.now();
    const rows = candidates.apply(this, parameters);
    spent = performance.now() - start;
    return rows;
  };
  await measureInterleaved({ search: () => (search(), times.push(spent)) }, rounds);
  QuantizedVectors.prototype.candidates = candidates;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}
