import { createMemory, openDatabase } from '../../../src/index.ts';
import { round, type BenchResult } from './bench-result.ts';
import type { FillRequest } from './fill-worker.ts';
import { watchTasks } from './long-task-watch.ts';
import { factAt } from '../context/told-facts.ts';

const OPENINGS = 9;

/**
 * Measures the first question after opening a memory with many facts. It names somebody, so that names, facts and notes
 * are all searched. Browsers report tasks from 50 ms on; 0 means a shorter one.
 */
export async function benchFirstQuestion(size: number): Promise<BenchResult> {
  const name = `bench-first-question-${size}`;
  await fillElsewhere({ name, size });
  const times: number[] = [];
  const longest: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    const memory = await createMemory({ name, sessionId: 'bench', embedder: false });
    const { longestMs } = await watchTasks(async () => {
      const start = performance.now();
      const { items } = await memory.recall(`What does ${factAt(4 + 10 * opening).subject} like?`);
      times.push(performance.now() - start);
      if (!items.some(({ kind }) => kind === 'fact')) throw new Error('Nothing was found.');
    });
    longest.push(longestMs);
    await memory.work.settled();
    await memory.close();
  }
  await (await openDatabase({ name })).delete();
  // The first one of a page loads the vocabulary and compiles everything.
  const [firstMs = 0, ...others] = times;
  const [firstTaskMs = 0, ...otherTasks] = longest;
  const medianMs = others.toSorted((a, b) => a - b)[others.length >> 1] ?? 0;
  const longestMs = Math.max(...otherTasks);
  return {
    name: `firstQuestion${size}`,
    task: `answer the first question after opening a memory of ${size} facts`,
    rows: [
      {
        who: 'mnemora recall after createMemory',
        medianMs,
        note: `longest task ${round(longestMs)} ms`,
      },
      {
        who: 'the same, the first time in a page',
        medianMs: firstMs,
        note: `loads the vocabulary; longest task ${round(firstTaskMs)} ms`,
      },
    ],
    ratios: {
      firstQuestionMs: round(medianMs),
      firstQuestionTaskMs: round(longestMs),
      firstQuestionOfPageMs: round(firstMs),
      firstQuestionOfPageTaskMs: round(firstTaskMs),
    },
  };
}

/** In a worker, so that its garbage is not swept up while a question is measured. */
async function fillElsewhere(request: FillRequest): Promise<void> {
  const worker = new Worker(new URL('./fill-worker.ts', import.meta.url), { type: 'module' });
  try {
    await new Promise((resolve, reject) => {
      worker.addEventListener('message', resolve);
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}
