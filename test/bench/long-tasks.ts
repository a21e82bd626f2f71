import { createMemory, type CreateMemoryOptions } from '../../src/index.ts';
import { round, type BenchResult, type BenchRow } from './bench-result.ts';
import { watchTasks, type Tasks } from './long-task-watch.ts';
import { randomSentence, seededRandom } from './seeded-random.ts';

const TURNS = 1_000;

/** Longest task of the main thread, in ms; 50 ms is what a user feels. */
export async function benchLongTasks(assetsUrl: string): Promise<BenchResult> {
  const embedding = await watchMemory({ name: 'bench-embedding', assetsUrl, extractor: false });
  const learning = await watchMemory({ name: 'bench-learning', assetsUrl });
  return {
    name: 'longTasks',
    task: `longest task of the main thread while ${TURNS} turns are remembered`,
    rows: [
      rowOf('remembering and embedding', embedding.working),
      rowOf('remembering, embedding and learning by rules', learning.working),
      rowOf('before: loading model and vocabulary', embedding.loading),
      { who: 'remember, each', medianMs: embedding.rememberMs, note: 'mean, while embedding goes on' },
    ],
    ratios: {
      longestTaskMs: round(embedding.working.longestMs),
      longestTaskWithLearningMs: round(learning.working.longestMs),
    },
  };
}

function rowOf(who: string, { longestMs, count }: Tasks): BenchRow {
  return { who, medianMs: longestMs, note: `${count} tasks of 50 ms or more` };
}

async function watchMemory(
  options: CreateMemoryOptions,
): Promise<{ loading: Tasks; working: Tasks; rememberMs: number }> {
  const random = seededRandom(6);
  const memory = await createMemory({ ...options, sessionId: 'bench' });
  const loading = await watchTasks(async () => {
    await memory.remember({ user: randomSentence(random), assistant: randomSentence(random) });
    await memory.recall('What was there?');
    await memory.settled();
  });
  let rememberMs = 0;
  const working = await watchTasks(async () => {
    const start = performance.now();
    for (let i = 0; i < TURNS; i++)
      await memory.remember({ user: randomSentence(random), assistant: randomSentence(random) });
    rememberMs = (performance.now() - start) / TURNS;
    await memory.settled();
  });
  await memory.forget({ everything: true });
  await memory.close();
  return { loading, working, rememberMs };
}
