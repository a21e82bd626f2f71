import { expect, it } from 'vitest';
import { createMemory, openDatabase, type Memory, type MemoryDatabase } from '../../../../src/index.ts';
import { rowsOf } from '../../../fixtures/rows-of.ts';

const TURNS = [
  'I live in Porto.',
  'My brother Rui is a baker.',
  'I am allergic to walnuts.',
  'I have a dog.',
];

const open = (database: MemoryDatabase): Promise<Memory> =>
  createMemory({ database, embedder: false, onWarning: () => undefined });

const words = async (memory: Memory): Promise<string[]> =>
  (await memory.facts.list()).map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

/** A memory that an older version has left: its facts say what made them, or do not. */
async function leftBy(maker: string | undefined): Promise<{ database: MemoryDatabase; known: string[] }> {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await open(database);
  for (const user of TURNS) await memory.remember({ user, assistant: 'I see.' });
  await memory.work.settled();
  const known = await words(memory);
  await memory.close();
  const { connection, knowledge } = rowsOf(database);
  await connection.write(['triples'], async (transaction) => {
    const store = transaction.objectStore('triples');
    for (const row of await store.getAll()) {
      const { madeBy: _madeBy, ...attributes } = row.attributes;
      await store.put({
        ...row,
        attributes: maker === undefined ? attributes : { ...attributes, madeBy: maker },
      });
    }
  });
  await knowledge.setMadeBy('user', 'of an older version');
  return { database, known };
}

it.each([
  ['rules of an older version', 'offline/0'],
  ['a model', 'llm/1'],
  ['something that they do not name', undefined],
])('UPG-19: facts made by %s answer from the first call after an upgrade on', async (_, maker) => {
  const { database, known } = await leftBy(maker);
  const memory = await open(database);
  expect(known.length).toBeGreaterThan(3);
  expect(await words(memory)).toEqual(known);
  expect((await memory.recall('Where do I live?')).text).toContain('Porto');
  await memory.work.settled();
  expect((await words(memory)).toSorted()).toEqual(known.toSorted());
  const makers = (await memory.facts.list()).map(({ attributes }) => attributes['madeBy']);
  const isMadeAgain = maker === 'offline/0';
  expect(new Set(makers)).toEqual(new Set([isMadeAgain ? expect.stringMatching(/^offline\/[^0]/u) : maker]));
  await memory.close();
});
