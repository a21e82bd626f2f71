import { createMemory, type Memory, type Extractor } from '../../../src/index.ts';
import { round, type BenchResult, type BenchRow } from './bench-result.ts';
import { watchTasks } from './long-task-watch.ts';
import { seededRandom } from '../recall/seeded-random.ts';
import { FIRST_NAMES, LAST_NAMES, THINGS, toldSentence } from '../context/told-sentences.ts';

const SIZES = [100, 10_000] as const;
const FACTS_PER_TURN = 20;
/** Number of facts about the user among ten facts. */
const OF_THE_USER = 4;
const RUNS = 15;

/** Measures the cost of a memory with many facts compared with one with few. */
export async function benchLargeGraph(): Promise<BenchResult> {
  const rows: BenchRow[] = [];
  const ratios: Record<string, number> = {};
  for (const size of SIZES) {
    for (const { key, who, ms, longestMs } of await measure(size)) {
      rows.push({ who: `${who}, ${size} facts`, medianMs: ms, note: `longest task ${round(longestMs)} ms` });
      if (size === SIZES[1]) ratios[`${key}TaskMs`] = round(longestMs);
    }
  }
  return {
    name: 'largeGraph',
    task: `what a question or a turn costs where ${SIZES.join(' or ')} facts are known (0 ms: no task of 50 ms or more)`,
    rows,
    ratios,
  };
}

interface Measured {
  readonly key: string;
  readonly who: string;
  readonly ms: number;
  readonly longestMs: number;
}

async function measure(size: number): Promise<Measured[]> {
  const name = `bench-graph-${size}`;
  await fill(name, size);
  const memory = await createMemory({ name, sessionId: 'bench', embedder: false, learning: { delayMs: 0 } });
  const random = seededRandom(5);
  const turn = async (): Promise<void> => {
    await memory.remember({ user: toldSentence(random), assistant: 'I see, thank you.' });
    await memory.work.settled();
  };
  const measured = [
    await timed('coldOpen', 'first question after opening', 1, () => memory.recall('Hello?')),
  ];
  await turn(); // loads the rules
  const [first] = await memory.facts.list();
  if (!first) throw new Error('The graph was not made.');
  let object = 0;
  const parts: readonly (readonly [key: string, who: string, runs: number, body: () => Promise<unknown>])[] =
    [
      ['learn', 'a turn remembered and learned by rules', RUNS, turn],
      ['recallUser', 'recall about the user', RUNS, () => memory.recall('What do you know about me?')],
      ['recallOther', 'recall about somebody', RUNS, () => memory.recall(`What does ${nameAt(7)} like?`)],
      ['facts', 'facts()', RUNS, () => memory.facts.list()],
      ['factsAbout', 'facts({ about })', RUNS, () => memory.facts.list({ about: nameAt(7) })],
      ['entities', 'entities()', RUNS, () => memory.facts.entities()],
      [
        'correct',
        'correct()',
        RUNS,
        async () => {
          const [fact] = await memory.facts.list({ about: nameAt(object) });
          if (fact) await memory.facts.correct(fact.id, { object: `something else ${object++}` });
        },
      ],
    ];
  for (const [key, who, runs, body] of parts) measured.push(await timed(key, who, runs, body));
  await memory.forget({ everything: true });
  await memory.close();
  return measured;
}

async function timed(
  key: string,
  who: string,
  runs: number,
  body: () => Promise<unknown>,
): Promise<Measured> {
  const times: number[] = [];
  const { longestMs } = await watchTasks(async () => {
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      await body();
      times.push(performance.now() - start);
    }
  });
  return { key, who, ms: times.toSorted((a, b) => a - b)[runs >> 1] ?? 0, longestMs };
}

/** Fills a memory with a number of facts, as an extractor would return them. */
async function fill(name: string, size: number): Promise<void> {
  const memory: Memory = await createMemory({
    name,
    sessionId: 'bench',
    embedder: false,
    learning: { extractor: lineReader, delayMs: 0 },
  });
  for (let at = 0; at < size; at += FACTS_PER_TURN) {
    const lines = Array.from({ length: Math.min(FACTS_PER_TURN, size - at) }, (_, n) => factLine(at + n));
    await memory.remember({ user: lines.join('\n'), assistant: 'Yes.' });
    await memory.work.settled();
  }
  await memory.close();
}

function nameAt(n: number): string {
  const last = LAST_NAMES[Math.floor(n / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  return `${FIRST_NAMES[n % FIRST_NAMES.length] ?? ''} ${last}`;
}

function factLine(n: number): string {
  const subject = n % 10 < OF_THE_USER ? 'user' : nameAt(n * 7);
  const verb = ['likes', 'knows', 'visited', 'has read about', 'talked of'][n % 5] ?? '';
  const object = n % 3 === 0 ? nameAt(n * 11 + 1) : `${THINGS[n % THINGS.length] ?? ''} number ${n}`;
  return `${subject} | ${verb} | ${object}`;
}

/** Believes lines of `subject | predicate | object`. */
const lineReader: Extractor = {
  id: 'bench-lines',
  summarize: async () => 'Nothing.',
  extract: async ({ messages }) => {
    const triples = messages.flatMap(({ id, text }) =>
      text.split('\n').flatMap((line) => {
        const [subject, predicate, object] = line.split(' | ');
        return subject && predicate && object ? [{ messageId: id, subject, predicate, object }] : [];
      }),
    );
    const mentions = triples.map(({ messageId, subject, predicate, object }) => ({
      name: subject,
      messageId,
      note: `${subject} ${predicate} ${object}.`,
    }));
    return { mentions, triples, unreadable: 0 };
  },
  batchTurns: 1,
};
