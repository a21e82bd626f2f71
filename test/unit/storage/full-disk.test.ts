import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase, type Memory, type MemoryDatabase } from '../../../src/index.ts';
import { MnemoraError, type MnemoraErrorCode } from '../../../src/model/error.ts';
import { STORE_NAMES } from '../../../src/storage/schema.ts';
import { LETTERS_EMBEDDER } from '../../fakes/letters-embedder.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

interface Scene {
  readonly database: MemoryDatabase;
  readonly memory: Memory;
  /** The turn to forget. */
  readonly turnId: string;
  /** Texts of the messages that are stored before each erasure that is tried. */
  readonly tried: string[][];
}

/** A memory of two turns whose erasures fail, one for each code, before any other succeeds. */
async function scene(...codes: MnemoraErrorCode[]): Promise<Scene> {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await memoryOf({ database, sessionId: 's', embedder: LETTERS_EMBEDDER });
  await memory.remember({ user: 'I live in Lisbon.', assistant: 'I see.' });
  const { turnId } = await memory.remember({ user: 'My cat is called Faro.', assistant: 'Nice.' });
  await memory.work.settled();
  expect(await storedText(database)).toContain('Faro');
  const { connection } = rowsOf(database);
  const { write } = connection;
  const tried: string[][] = [];
  const spy = vi.spyOn(connection, 'write').mockImplementation(async (stores, ...rest) => {
    if (stores !== STORE_NAMES) return write.call(connection, stores, ...rest);
    tried.push((await memory.history()).map(({ content }) => String(content)));
    const code = codes.shift();
    if (code === undefined) return write.call(connection, stores, ...rest);
    throw new MnemoraError(code, 'played by the test');
  });
  onTestFinished(() => spy.mockRestore());
  return { database, memory, turnId, tried };
}

async function storedText(database: MemoryDatabase): Promise<string> {
  const stores = await rowsOf(database).connection.read(STORE_NAMES, (transaction) =>
    Promise.all(STORE_NAMES.map((name) => transaction.objectStore(name).getAll())),
  );
  return JSON.stringify(stores);
}

/** Checks that nothing is left of the turn, and all of the other one. */
async function expectForgotten({ memory, database }: Scene): Promise<void> {
  await memory.work.settled();
  expect(await storedText(database)).not.toContain('Faro');
  expect((await memory.facts.list()).map(({ object }) => object)).toEqual(['Lisbon']);
  expect((await memory.search('Where do I live?')).map(({ text }) => text)).toContain('I live in Lisbon.');
  expect((await memory.backup.verify()).problems).toEqual([]);
}

const ALL = ['I live in Lisbon.', 'I see.', 'My cat is called Faro.', 'Nice.'];

it('FGT-77: on a full disk, forgetting first makes room by deleting only what can be computed again', async () => {
  const full = await scene('storage-full');
  expect(await full.memory.forget({ turnId: full.turnId })).toMatchObject({ messages: 2, facts: 1 });
  expect(full.tried).toEqual([ALL, ALL]);
  await expectForgotten(full);
});

it('FGT-77: if that is not enough room, forgetting deletes the messages first, and then all the rest', async () => {
  const full = await scene('storage-full', 'storage-full');
  expect(await full.memory.forget({ turnId: full.turnId })).toMatchObject({ messages: 2, facts: 1 });
  expect(full.tried).toEqual([ALL, ALL, ALL.slice(0, 2)]);
  await expectForgotten(full);
});

it('FGT-77: if forgetting is interrupted then, search finds the messages, and forgetting again leaves nothing', async () => {
  const full = await scene('storage-full', 'storage-failed');
  const { memory, turnId } = full;
  await expect(memory.forget({ turnId })).rejects.toMatchObject({ code: 'storage-failed' });
  await memory.work.settled();
  expect((await memory.search('Faro')).map(({ text }) => text)).toContain('My cat is called Faro.');
  expect((await memory.backup.verify()).problems).toEqual([]);
  await memory.forget({ turnId });
  await expectForgotten(full);
});
