import { expect, it, vi } from 'vitest';
import { openDatabase, type Memory, type MemoryDatabase } from '../../../src/index.ts';
import { STORE_NAMES } from '../../../src/storage/schema.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

async function claims(memory: Memory): Promise<string[]> {
  await memory.work.settled();
  return (await memory.claims.list()).map(({ text }) => text).toSorted();
}

/** A backup of another device, and a database here that has learned everything that it has. */
async function devices(): Promise<{ backup: Blob; database: MemoryDatabase }> {
  const there = await memoryOf({ storage: 'memory', sessionId: 'there' });
  await there.remember({ user: 'I am allergic to peanuts.', assistant: 'I see.' });
  expect(await claims(there)).toEqual(['I am allergic to peanuts.']);
  const database = await openDatabase({ storage: 'memory' });
  const here = await memoryOf({ database, sessionId: 'here' });
  await here.remember({ user: 'I live in Lisbon.', assistant: 'I see.' });
  expect(await claims(here)).toEqual(['I live in Lisbon.']);
  await here.close();
  return { backup: await there.backup.export(), database };
}

const ALL = ['I am allergic to peanuts.', 'I live in Lisbon.'];

it('BAK-83: the claims of turns that a memory without learning imported are read by the next one that learns', async () => {
  const { backup, database } = await devices();
  const silent = await memoryOf({ database, learning: false });
  await silent.backup.import(backup);
  await silent.work.settled();
  await silent.close();
  expect(await claims(await memoryOf({ database }))).toEqual(ALL);
});

it('BAK-83: the claims of imported turns are read by the next page if the page ends right after the import', async () => {
  const { backup, database } = await devices();
  const { connection } = rowsOf(database);
  const { write } = connection;
  const ended = await memoryOf({ database });
  const stored = new Promise<void>((resolve) => {
    const spy = vi.spyOn(connection, 'write').mockImplementation(async (stores, ...rest) => {
      const result = await write.call(connection, stores, ...rest);
      if (stores !== STORE_NAMES) return result;
      spy.mockRestore();
      resolve();
      return new Promise(() => undefined); // the page has no more time
    });
  });
  void ended.backup.import(backup);
  await stored;
  await ended.close();
  expect(await claims(await memoryOf({ database }))).toEqual(ALL);
});
