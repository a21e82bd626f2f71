import { expect, it } from 'vitest';
import { createMemory, openDatabase } from '../../../src/index.ts';

const offline = { embedder: false, learning: false } as const;

it('RCD-5: the records of a memory belong to its scope, and their texts are stored as redact returns them', async () => {
  await using database = await openDatabase({ storage: 'memory' });
  await using memory = await createMemory({
    ...offline,
    database,
    scope: 'ada',
    redact: (text) => text.replaceAll('1234', '****'),
  });
  await memory.records('notes').put('pin 1234', { code: 1234, words: ['my pin is 1234'] });
  expect(await memory.records('notes').get('pin 1234')).toEqual({ code: 1234, words: ['my pin is ****'] });
  expect(await database.records('notes', { scope: 'ada' }).list()).toHaveLength(1);
  expect(await database.records('notes').list()).toEqual([]);
});

it('RCD-5: if redact throws for a record, nothing is stored', async () => {
  await using memory = await createMemory({
    ...offline,
    storage: 'memory',
    redact: () => {
      throw new Error('no');
    },
  });
  const put = memory.records('notes').put('a', 'text');
  await expect(put).rejects.toMatchObject({ code: 'redact-failed' });
  expect(await memory.records('notes').list()).toEqual([]);
});
