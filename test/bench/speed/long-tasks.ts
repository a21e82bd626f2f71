import { createMemory, type CreateMemoryOptions, type NewTurn } from '../../../src/index.ts';
import { round, type BenchResult, type BenchRow } from './bench-result.ts';
import { watchTasks, type Tasks } from './long-task-watch.ts';
import { randomSentence, seededRandom } from '../recall/seeded-random.ts';
import { toldSentence } from '../context/told-sentences.ts';

const TURNS = 1_000;
const TOLD_TURNS = 300;
const LONG_MESSAGE_WORDS = 20_000;

/** Longest task of the main thread, in ms; 50 ms is what a user feels. */
export async function benchLongTasks(assetsUrl: string): Promise<BenchResult> {
  const random = seededRandom(6);
  const turns = (count: number, sentence: (random: () => number) => string): NewTurn[] =>
    Array.from({ length: count }, () => ({ user: sentence(random), assistant: sentence(random) }));
  const plain = turns(TURNS, randomSentence);
  const embedding = await watchMemory({ name: 'bench-embedding', assetsUrl, learning: false }, plain);
  const learning = await watchMemory({ name: 'bench-learning', assetsUrl }, plain);
  const telling = await watchMemory({ name: 'bench-telling', assetsUrl }, turns(TOLD_TURNS, toldSentence));
  const pasted = [{ user: longMessage(random), assistant: 'That is long.' }];
  const long = await watchMemory({ name: 'bench-long', assetsUrl }, pasted);
  const unread = await watchMemory({ name: 'bench-unread', assetsUrl, learning: false }, pasted);
  const longMessageIs = `a message of ${LONG_MESSAGE_WORDS} words`;
  return {
    name: 'longTasks',
    task: `longest task of the main thread while ${TURNS} turns are remembered`,
    rows: [
      rowOf('remembering and embedding', embedding.working),
      rowOf('remembering, embedding and learning by rules', learning.working),
      rowOf(`the same of ${TOLD_TURNS} turns that tell facts`, telling.working),
      rowOf(`the same of ${longMessageIs}`, long.working),
      rowOf(`${longMessageIs}, without learning`, unread.working),
      rowOf('before: loading model and vocabulary', embedding.loading),
      rowOf('before: loading model, vocabulary and rules', learning.loading),
      { who: 'remember, each', medianMs: embedding.rememberMs, note: 'mean, while embedding goes on' },
    ],
    ratios: {
      longestTaskMs: round(embedding.working.longestMs),
      longestTaskWithLearningMs: round(learning.working.longestMs),
      longestTaskWithFactsMs: round(telling.working.longestMs),
      longestTaskOfLongMessageMs: round(long.working.longestMs),
      longestTaskOfLongMessageUnreadMs: round(unread.working.longestMs),
    },
  };
}

function longMessage(random: () => number): string {
  const sentences: string[] = [];
  for (let words = 0; words < LONG_MESSAGE_WORDS;) {
    const sentence = toldSentence(random);
    sentences.push(sentence);
    words += sentence.split(' ').length;
  }
  return sentences.join(' ');
}

function rowOf(who: string, { longestMs, count }: Tasks): BenchRow {
  return { who, medianMs: longestMs, note: `${count} tasks of 50 ms or more` };
}

async function watchMemory(
  options: CreateMemoryOptions,
  turns: readonly NewTurn[],
): Promise<{ loading: Tasks; working: Tasks; rememberMs: number }> {
  const memory = await createMemory({ ...options, sessionId: 'bench' });
  const loading = await watchTasks(async () => {
    await memory.remember({ user: 'What was there before?', assistant: 'Nothing yet.' });
    await memory.recall('What was there?');
    await memory.work.settled();
  });
  let rememberMs = 0;
  const working = await watchTasks(async () => {
    const start = performance.now();
    for (const turn of turns) await memory.remember(turn);
    rememberMs = (performance.now() - start) / turns.length;
    await memory.work.settled();
  });
  await memory.forget({ everything: true });
  await memory.close();
  return { loading, working, rememberMs };
}
