import { afterEach, expect, it } from 'vitest';
import { createMemory, openDatabase, type Memory } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { holdStores, openRaw } from '../../fixtures/databases/raw-database.ts';

/** Long enough for a healthy database on a busy machine, short enough to wait for. */
const SOON = 1_500;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function memoryOf(name: string): Promise<Memory> {
  const database = await openDatabase({ name, blockedTimeoutMs: SOON });
  const memory = await createMemory({
    database,
    embedder: false,
    learning: false,
    onWarning: () => undefined,
  });
  closing.push(
    () => memory.close(),
    () => database.close(),
  );
  return memory;
}

const CALLS: Record<string, (memory: Memory) => Promise<unknown>> = {
  remember: (memory) => memory.remember({ user: 'I keep bees.', assistant: 'How nice.' }),
  search: (memory) => memory.search('dog'),
  recall: (memory) => memory.recall('What is my dog called?'),
  explain: (memory) => memory.explain('What is my dog called?'),
  profile: (memory) => memory.profile(),
  history: (memory) => memory.history(),
  sessions: (memory) => memory.sessions(),
  facts: (memory) => memory.facts.list(),
  review: (memory) => memory.review.list(),
  forget: (memory) => memory.forget({ turnId: 'none' }),
};

it('STO-72: every call of a memory whose database another page holds rejects with storage-blocked, and works afterwards', async () => {
  const name = newId();
  const first = await memoryOf(name);
  await first.remember({ user: 'My dog is called Max.', assistant: 'Nice.' });
  // Its code and its rows are not loaded yet.
  const memory = await memoryOf(name);
  const other = await openRaw(name);
  closing.push(() => other.close());
  const release = holdStores(other, [...other.objectStoreNames]);
  const codes = await Promise.all(
    Object.values(CALLS).map((call) =>
      call(memory).then(
        () => 'resolved',
        (error: unknown) => (error as { code?: unknown }).code,
      ),
    ),
  );
  expect(Object.fromEntries(Object.keys(CALLS).map((call, at) => [call, codes[at]]))).toEqual(
    Object.fromEntries(Object.keys(CALLS).map((call) => [call, 'storage-blocked'])),
  );
  await release();
  expect((await memory.search('dog')).length).toBeGreaterThan(0);
  for (const call of Object.values(CALLS)) await call(memory);
});
