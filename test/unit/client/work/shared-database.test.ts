import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createMemory,
  openDatabase,
  type Extractor,
  type Memory,
  type MemoryDatabase,
  type Warning,
} from '../../../../src/index.ts';
import { deferred } from '../../../../src/model/abortable.ts';

let database: MemoryDatabase;
let warned: string[];

beforeEach(async () => {
  database = await openDatabase({ storage: 'memory' });
  warned = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

/** Opens a memory over the shared database. */
function open(scope: string, extractor?: Extractor): Promise<Memory> {
  return createMemory({
    ...{ database, scope, sessionId: `of ${scope}`, embedder: false },
    learning: { delayMs: 0, ...(extractor ? { extractor } : {}) },
    onWarning: ({ code }: Warning) => warned.push(`${scope} ${code}`),
  });
}

const never: Extractor = {
  id: 'never',
  extract: () => new Promise(() => undefined),
  summarize: () => Promise.resolve(''),
};

const factsOf = async (memory: Memory): Promise<string[]> =>
  (await memory.facts.list()).map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

it.each(['ada', 'bob'])(
  'JOB-47: when a memory of the scope ada is closed, one of the scope %s still learns',
  async (scope) => {
    const closed = await open('ada');
    await using memory = await open(scope);
    await closed.close();
    await memory.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
    await memory.work.settled();
    expect(await factsOf(memory)).toEqual(['user lives in Bern']);
    expect(await memory.work.list()).toEqual([]);
  },
);

it('JOB-47: the job that a closed memory was doing is done by another one of its scope', async () => {
  await using memory = await open('ada');
  const begun = deferred<void>();
  const hanging: Extractor = {
    ...never,
    extract: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  };
  const closed = await open('ada', hanging);
  await closed.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
  await begun.promise;
  await closed.close();
  await memory.work.settled();
  expect(await factsOf(memory)).toEqual(['user lives in Bern']);
});

it('JOB-47: job events are of the own scope only', async () => {
  await using ada = await open('ada');
  await using bob = await open('bob');
  const heard: string[] = [];
  for (const [name, memory] of Object.entries({ ada, bob })) {
    memory.addEventListener('job', ({ detail }) => heard.push(`${name} heard ${detail.job.sessionId}`));
  }
  await bob.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
  await bob.work.settled();
  expect(heard).toContain('bob heard of bob');
  expect(heard.filter((each) => each.startsWith('ada'))).toEqual([]);
});

it('JOB-47: a warning for work that is no longer waited for is of the own scope only', async () => {
  vi.useFakeTimers();
  await using ada = await open('ada');
  await using bob = await open('bob', never);
  await bob.remember({ user: 'I live in Bern.', assistant: 'Noted.' });
  const settled = Promise.all([ada.work.settled(), bob.work.settled()]);
  await vi.advanceTimersByTimeAsync(12 * 60_000);
  await settled;
  expect(warned).toEqual(['bob work-stalled']);
});
