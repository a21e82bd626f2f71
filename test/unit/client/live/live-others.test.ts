import { expect, it } from 'vitest';
import { createMemory } from '../../../../src/client/create-memory.ts';
import { live } from '../../../../src/client/live.ts';
import { openDatabase } from '../../../../src/sessions/open-database.ts';

it('LIVE-4: live sees that a job was paused because the model refused it', async () => {
  const llm = (): Promise<never> => Promise.reject(Object.assign(new Error('bad key'), { status: 401 }));
  await using memory = await createMemory({
    ...{ storage: 'memory', embedder: false },
    learning: { delayMs: 0, llm },
  });
  let states: string[] = [];
  const stop = live(
    memory,
    (from) => from.work.list(),
    ({ data = [] }) => {
      states = data.map(({ kind, state }) => `${kind} ${state}`);
    },
  );
  await memory.remember({ user: 'I live in Rome.', assistant: 'Nice.' });
  await expect.poll(() => states, { timeout: 30_000 }).toEqual(['learn paused']);
  stop();
}, 40_000);

it('LIVE-4: live sees a turn of another memory of a database in RAM', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  const options = { database, embedder: false, learning: false, sessionId: 's' } as const;
  await using writer = await createMemory(options);
  await using reader = await createMemory(options);
  const sources: string[] = [];
  for (const memory of [writer, reader])
    memory.addEventListener('change', ({ detail }) => sources.push(detail.source));
  let count = 0;
  const stop = live(
    reader,
    (from) => from.history(),
    ({ data = [] }) => {
      count = data.length;
    },
  );
  await writer.remember({ user: 'I live in Rome.', assistant: 'Nice.' });
  await expect.poll(() => count).toBe(2);
  stop();
  expect(sources).toEqual(['local', 'remote']);
});
