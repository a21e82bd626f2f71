import { expect, it } from 'vitest';
import { createMemory, openDatabase } from '../../../src/index.ts';

const wrong = (option: string): never => ({ [option]: 's' }) as never;

it('RCD-20: a misspelled option of records is rejected, and nothing changes', async () => {
  await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
  const records = memory.records('notes');
  await records.put('a', 1);
  for (const call of [
    () => records.put('b', 2, wrong('session')),
    () => records.get('a', wrong('abort')),
    () => records.list(wrong('first')),
    () => records.delete('a', wrong('abort')),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'invalid-option' });
  expect((await records.list()).map(({ key }) => key)).toEqual(['a']);
});

it('RCD-20: a misspelled option of a database is rejected', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  for (const call of [
    () => database.chatHistory('s', wrong('scoped')),
    () => database.entityStore(wrong('scoped')),
    () => database.records('notes', wrong('scoped')),
  ])
    expect(call).toThrow(expect.objectContaining({ code: 'invalid-option' }) as Error);
});
