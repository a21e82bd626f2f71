import { expect, it } from 'vitest';
import { openDatabase, type Memory } from '../../../src/index.ts';
import { memoryRetriever } from '../../../src/search.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const HOUR = 3_600_000;

it('BAK-48: a backup is due after a text of a retriever with a collection of its own was added or deleted', async () => {
  const database = await openDatabase({ storage: 'memory' });
  const clock = { now: 1_000_000 };
  const written: string[] = [];
  const open = async (): Promise<Memory> => {
    const memory = await memoryOf({ database, learning: false, clock: () => clock.now });
    await memory.backup.auto({
      everyMs: HOUR,
      write: async (backup) => void written.push(await backup.text()),
    });
    return memory;
  };
  const first = await open();
  await first.remember({ user: 'Hi.', assistant: 'Hello.' });
  await eventually(() => expect(written).toHaveLength(1));
  await first.close();

  const retriever = memoryRetriever({ database, embedder: false, collection: 'notes', scope: 'user' });
  await retriever.add([{ id: 'd', text: 'A note on bees.' }]);
  clock.now += HOUR;
  const second = await open();
  await eventually(() => expect(written).toHaveLength(2));
  expect(written[1]).toContain('A note on bees.');
  await second.close();

  const other = memoryRetriever({ database, embedder: false, collection: 'others', scope: 'other' });
  await other.add([{ id: 'o', text: 'A note on wasps.' }]);
  clock.now += HOUR;
  const third = await open();
  await third.remember({ user: 'Bye.', assistant: 'Bye.' });
  await eventually(() => expect(written).toHaveLength(3));
  expect(written[2]).toContain('Bye.'); // the text of another scope has caused no backup before
  await third.close();

  await retriever.delete(['d']);
  clock.now += HOUR;
  await open();
  await eventually(() => expect(written).toHaveLength(4));
  expect(written[3]).not.toContain('A note on bees.');
});
