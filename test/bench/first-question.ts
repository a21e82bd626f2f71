import { createMemory, openDatabase } from '../../src/index.ts';
import { ScopeGraph } from '../../src/learning/scope-graph.ts';
import { DEFAULT_SCOPE } from '../../src/storage/append-plan.ts';
import { round, type BenchResult } from './bench-result.ts';
import { watchTasks } from './long-task-watch.ts';
import { FIRST_NAMES, LAST_NAMES, THINGS } from './told-sentences.ts';

const OPENINGS = 9;
const FACTS_PER_TURN = 20;
const FACTS_PER_WRITE = 500;

/**
 * What the first question after opening costs a memory that knows much. It names somebody, so that names, facts and
 * notes are all searched. A browser reports tasks from 50 ms on; 0 stands for a shorter one.
 */
export async function benchFirstQuestion(size: number): Promise<BenchResult> {
  const name = `bench-first-question-${size}`;
  await fill(name, size);
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
    await memory.settled();
    await memory.close();
  }
  await (await openDatabase({ name })).delete();
  const [first = 0, ...others] = times; // the first one of a page loads the vocabulary and compiles everything
  const medianMs = others.toSorted((a, b) => a - b)[others.length >> 1] ?? 0;
  const longestMs = Math.max(...longest);
  return {
    name: `firstQuestion${size}`,
    task: `answer the first question after opening a memory of ${size} facts`,
    rows: [
      {
        who: 'mnemora recall after createMemory',
        medianMs,
        note: `the first time ${first.toFixed(0)} ms; longest task ${round(longestMs)} ms`,
      },
    ],
    ratios: { firstQuestionMs: round(medianMs), firstQuestionTaskMs: round(longestMs) },
  };
}

/** Writes what an extractor would have told of as many facts, each another one, two fifths of them about the user. */
async function fill(name: string, size: number): Promise<void> {
  const database = await openDatabase({ name });
  const turns = Math.ceil(size / FACTS_PER_TURN);
  const messages = Array.from({ length: turns }, (_, n) => ({
    role: 'user' as const,
    content: `What I told in turn ${n}.`,
  }));
  await database.chatHistory('told').addMessages(messages);
  const ids = (await database.transcript.listMessages('told')).map((message) => message.id);
  const graph = new ScopeGraph({ store: database.knowledge, scope: DEFAULT_SCOPE });
  for (let start = 0; start < size; start += FACTS_PER_WRITE) {
    await graph.update((draft) => {
      for (let n = start; n < Math.min(size, start + FACTS_PER_WRITE); n++) {
        const messageId = ids[Math.floor(n / FACTS_PER_TURN)] ?? '';
        const fact = factAt(n);
        const note = `${fact.subject} ${fact.predicate} ${fact.object}.`;
        draft.addMention(fact.subject, { messageIds: [messageId], note, aliases: [], recordedAt: n });
        draft.graph.addTriple({ ...fact, sources: [{ messageId }], attributes: { statedBy: 'user' } });
      }
    });
  }
  await graph.settled();
  database.close();
}

function factAt(n: number): { subject: string; predicate: string; object: string } {
  return {
    subject: n % 10 < 4 ? 'user' : nameAt(n * 7),
    predicate: ['likes', 'knows', 'visited', 'has read about', 'talked of'][n % 5] ?? '',
    object: `${n % 3 === 0 ? nameAt(n * 11 + 1) : (THINGS[n % THINGS.length] ?? '')} number ${n}`,
  };
}

function nameAt(n: number): string {
  const last = LAST_NAMES[Math.floor(n / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  return `${FIRST_NAMES[n % FIRST_NAMES.length] ?? ''} ${last}`;
}
