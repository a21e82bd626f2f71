import {
  createMemory,
  openDatabase,
  type ChatMessage,
  type Memory,
  type NewTurn,
} from '../../../src/index.ts';
import { toldSentence } from '../context/told-sentences.ts';
import { seededRandom } from '../recall/seeded-random.ts';
import { round, type BenchResult } from './bench-result.ts';
import { watchTasks } from './long-task-watch.ts';

const SESSIONS = 20;
const FEW = 20;

/** Longest task of the main thread, in ms, in a memory that has learned from many turns. */
export async function benchLearnedTurns(turns: number, assetsUrl: string): Promise<BenchResult> {
  const random = seededRandom(7);
  const newTurn = (): NewTurn => ({ user: toldSentence(random), assistant: 'Good to know.' });
  const name = `bench-learned-${turns}`;
  const database = await openDatabase({ name });
  for (let session = 0; session < SESSIONS; session += 1) {
    const messages = Array.from({ length: turns / SESSIONS }, (): ChatMessage[] => [
      { role: 'user', content: toldSentence(random) },
      { role: 'assistant', content: 'Good to know.' },
    ]);
    await database.chatHistory(`s${session}`).addMessages(messages.flat());
  }
  const options = { database, assetsUrl, embedder: false, sessionId: 'bench' } as const;
  const memory = await createMemory(options);
  const rows: BenchResult['rows'] = [];
  const ratios: Record<string, number> = {};
  const watch = async (key: string, who: string, body: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    const { longestMs, count } = await watchTasks(async () => void (await body()));
    const seconds = Math.round((performance.now() - start) / 1000);
    rows.push({ who, medianMs: longestMs, note: `${count} tasks of 50 ms or more in ${seconds} s` });
    ratios[`${key}TaskMs`] = round(longestMs);
  };
  await memory.recall('What is there?'); // loads vocabulary, index and rules
  await memory.work.settled();
  await watch('rebuild', `rebuild from ${turns} turns`, () => memory.backup.rebuild());
  await watch('rebuildAgain', 'rebuild again', () => memory.backup.rebuild());
  await watch('learn', `remember and learn ${FEW} turns`, async () => {
    for (let n = 0; n < FEW; n += 1) await memory.remember(newTurn());
    await memory.work.settled();
  });
  await watch('recall', `recall, ${FEW} questions`, async () => {
    for (let n = 0; n < FEW; n += 1) await memory.recall(toldSentence(random));
  });
  await watch('list', 'facts.list and claims.list', async () => {
    await memory.facts.list();
    await memory.claims.list();
  });
  await watch('correct', 'facts.add, then recall', async () => {
    await memory.facts.add('I live in Oslo.');
    await memory.recall('Where do I live?');
  });
  const [found] = await memory.search('live');
  await watch('forgetTurn', 'forget a turn, then recall', async () => {
    await memory.forget({ turnId: found?.message.turnId ?? '' });
    await memory.recall('Where do I live?');
  });
  const entity = (await memory.facts.entities()).find((each) => each.name !== 'user')?.name ?? 'Oslo';
  await watch('forgetEntity', 'forget an entity, then recall', async () => {
    await memory.forget({ entity });
    await memory.recall('Where do I live?');
  });
  await close(memory, database);
  return { name: 'learnedTurns', task: `longest task with ${turns} learned turns`, rows, ratios };
}

async function close(memory: Memory, database: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  await memory.close();
  await database.delete();
}
