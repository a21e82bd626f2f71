import { expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';
import { LETTERS_EMBEDDER } from '../../fakes/letters-embedder.ts';

const open = (): Promise<Memory> =>
  createMemory({
    storage: 'memory',
    embedder: LETTERS_EMBEDDER,
    learning: false,
    onWarning: () => undefined,
  });

const storesIn = async (file: Blob): Promise<string[]> =>
  (await file.text()).match(/"store":"\w+"/gu)?.map((store) => store.slice(9, -1)) ?? [];

it('BAK-74: an export without vectors holds all else, and they are made again after an import', async () => {
  await using memory = await open();
  for (const user of ['I keep bees.', 'My brother sails.', 'We moved to Porto.'])
    await memory.remember({ user, assistant: 'Noted.' });
  await memory.work.settled();
  const whole = await storesIn(await memory.backup.export());
  const file = await memory.backup.export({ vectors: false });
  const stores = await storesIn(file);
  expect(whole).toContain('vectors');
  expect(stores).toEqual(whole.filter((store) => store !== 'vectors'));

  await using other = await open();
  await other.backup.import(file);
  await other.work.settled();
  expect((await storesIn(await other.backup.export())).toSorted()).toEqual(whole.toSorted());
  await expect(memory.backup.export({ vectors: 'no' as never })).rejects.toMatchObject({
    code: 'invalid-option',
  });
});
