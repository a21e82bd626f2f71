import { expect, it } from 'vitest';
import { createMemory, live, openDatabase, type Memory, type MemoryDatabase } from '../../../../src/index.ts';
import { scopeGraph } from '../../../../src/graph.ts';

const OFFLINE = { embedder: false, learning: false, sessionId: 's' } as const;
const inTitles = async (memory: Memory): Promise<string[]> => (await memory.sessions()).map(({ id }) => id);
const inHistory = async (memory: Memory): Promise<number> => (await memory.history()).length;
const inRecords = async (memory: Memory): Promise<string[]> =>
  (await memory.records('notes').list()).map(({ key }) => key);
const inFacts = async (memory: Memory): Promise<string[]> =>
  (await memory.facts.list({ includeUnconfirmed: true })).map(({ object }) => object);

type Case = readonly [
  how: string,
  read: (memory: Memory) => Promise<unknown>,
  before: unknown,
  write: (database: MemoryDatabase) => Promise<unknown>,
  after: unknown,
];

const CASES: readonly Case[] = [
  ['a history', inHistory, 0, (database) => database.chatHistory('s').addUserMessage('Hi.'), 1],
  [
    'a chat memory',
    inHistory,
    0,
    (database) =>
      database
        .chatMemoryStore()
        .changeMessages?.('s', (list) => list, [{ role: 'user', content: 'Hi.' }]) as Promise<void>,
    1,
  ],
  ['records', inRecords, [], (database) => database.records('notes').put('a', 1), ['a']],
  [
    'a graph',
    inFacts,
    [],
    (database) =>
      scopeGraph({ database }).update(({ graph }) => {
        graph.addTriple({ subject: 'Nora', predicate: 'lives in', object: 'Oslo' });
      }),
    ['Oslo'],
  ],
];

it.each(CASES)(
  'LIVE-20: a memory sees what is written through %s of its database',
  async (_how, read, before, write, after) => {
    await using database = await openDatabase({ storage: 'memory' });
    await using memory = await createMemory({ ...OFFLINE, database });
    const seen: unknown[] = [];
    const stop = live(memory, read, ({ data, isLoading }) => isLoading || seen.push(data));
    await expect.poll(() => seen.at(-1)).toEqual(before);
    await write(database);
    await expect.poll(() => seen.at(-1)).toEqual(after);
    stop();
  },
);

it('LIVE-20: a memory sees that a session of its database was cleared or deleted', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  await using memory = await createMemory({ ...OFFLINE, database });
  for (const session of ['s', 't'])
    await memory.remember({ user: 'Hi.', assistant: 'Hello.' }, { sessionId: session });
  let seen: readonly string[] = [];
  const stop = live(memory, inTitles, ({ data = [] }) => (seen = data.toSorted()));
  await expect.poll(() => seen).toEqual(['s', 't']);
  await database.chatHistory('t').clear();
  await expect.poll(() => seen).toEqual(['s']);
  await database.deleteSession('s');
  await expect.poll(() => seen).toEqual([]);
  stop();
});

it('LIVE-21: a memory sees its own records, also in RAM', async () => {
  await using memory = await createMemory({ ...OFFLINE, storage: 'memory' });
  let seen: readonly string[] | undefined;
  const stop = live(memory, inRecords, ({ data }) => (seen = data));
  await expect.poll(() => seen).toEqual([]);
  await memory.records('notes').put('a', 1);
  await expect.poll(() => seen).toEqual(['a']);
  await memory.records('notes').delete('a');
  await expect.poll(() => seen).toEqual([]);
  stop();
});

it('LIVE-22: reading and counting tokens are announced to no memory', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  await using memory = await createMemory({ ...OFFLINE, database });
  const lengths: number[] = [];
  memory.addEventListener('change', () => void inHistory(memory).then((length) => lengths.push(length)));
  const history = database.chatHistory('s');
  await history.addUserMessage('Hi.');
  await expect.poll(() => lengths).toEqual([1]);
  const [message] = await history.list();
  await history.recordTokens?.('words', new Map([[message?.id ?? '', 2]]));
  await database.records('notes').list();
  // Announcements arrive in order: one of these reads would come before that of this message.
  await history.addUserMessage('Bye.');
  await expect.poll(() => lengths.at(-1)).toBe(2);
  expect(lengths).toEqual([1, 2]);
});
