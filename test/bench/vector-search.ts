import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { VectorIndex } from '../../src/search/vector-index.ts';
import { round, type BenchResult } from './bench-result.ts';
import { measureInterleaved } from './interleaved.ts';
import { seededRandom } from './seeded-random.ts';

const COUNT = 10_000;
const DIMENSIONS = 512;
const K = 10;

export async function benchVectorSearch(): Promise<BenchResult> {
  const random = seededRandom(1);
  const randomVector = (): number[] => Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const vectors = Array.from({ length: COUNT }, randomVector);
  const queries = Array.from({ length: 16 }, randomVector);

  const index = new VectorIndex({ dimensions: DIMENSIONS });
  index.addAll(vectors.map((vector, i) => ({ id: `v${i}`, vector })));
  const store = new MemoryVectorStore(noEmbeddings);
  await store.addVectors(
    vectors,
    vectors.map((_, i) => new Document({ id: `v${i}`, pageContent: '' })),
  );

  let sameRanking = true;
  for (const query of queries) {
    const ours = index.search(query, K).map((hit) => hit.id);
    const theirs = await store.similaritySearchVectorWithScore(query, K);
    sameRanking &&= ours.join() === theirs.map(([document]) => document.id).join();
  }

  let asked = 0;
  const nextQuery = (): number[] => queries[Math.floor(asked++ / 2) % queries.length] ?? [];
  const { ours, langchain } = await measureInterleaved(
    {
      ours: () => index.search(nextQuery(), K),
      langchain: () => store.similaritySearchVectorWithScore(nextQuery(), K),
    },
    60,
  );
  return {
    name: 'vectorSearch',
    task: `search the best ${K} of ${COUNT} vectors of ${DIMENSIONS} dimensions, exact, in RAM`,
    rows: [
      { who: 'mnemora VectorIndex', medianMs: ours, note: '' },
      { who: '@langchain/classic MemoryVectorStore', medianMs: langchain, note: '' },
    ],
    ratios: { langchainToOurs: round(langchain / ours), sameRanking },
  };
}

const noEmbeddings = {
  embedQuery: (): Promise<number[]> => Promise.resolve([]),
  embedDocuments: (): Promise<number[][]> => Promise.resolve([]),
};
