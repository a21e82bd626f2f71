import { transformersEmbedder } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';

const TEXTS_PER_ROUND = 32;
const ROUNDS = 15;

export async function benchEmbedding(assetsUrl: string, bareWorkerUrl: string): Promise<BenchResult> {
  const random = seededRandom(5);
  const embedder = transformersEmbedder({ assetsUrl });
  await embedder.ready();
  const bare = await startBare(assetsUrl, bareWorkerUrl);
  // Never the same text twice: vectors of texts are kept.
  const texts = (): string[] => Array.from({ length: TEXTS_PER_ROUND }, () => randomSentence(random));
  const medians = await measureInterleaved(
    { ours: () => embedder.embed(texts(), { kind: 'document' }), bare: () => bare.embed(texts()) },
    ROUNDS,
  );
  await embedder.close();
  bare.close();
  const perSecond = (ms: number): string => `${Math.round((1000 * TEXTS_PER_ROUND) / ms)} texts/s`;
  return {
    name: 'embedding',
    task: `embed ${TEXTS_PER_ROUND} sentences with the offline model`,
    rows: [
      { who: 'mnemora transformersEmbedder', medianMs: medians.ours, note: perSecond(medians.ours) },
      {
        who: '@xenova/transformers pipeline',
        medianMs: medians.bare,
        note: `${perSecond(medians.bare)}; in a worker, one text a call, the same model, run by ONNX Runtime`,
      },
    ],
    ratios: { oursToBarePipeline: round(medians.ours / medians.bare) },
  };
}

async function startBare(
  assetsUrl: string,
  url: string,
): Promise<{ embed(texts: readonly string[]): Promise<unknown>; close(): void }> {
  const worker = new Worker(url, { type: 'module' });
  const ask = (message: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }): void => resolve(data);
      worker.onerror = (event): void => reject(new Error(event.message));
      worker.postMessage(message);
    });
  await ask({ assetsUrl: new URL(assetsUrl, location.href).href });
  return { embed: (texts) => ask({ texts }), close: () => worker.terminate() };
}
