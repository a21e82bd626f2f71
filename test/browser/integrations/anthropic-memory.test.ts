import { expect, it } from 'vitest';
import { anthropicMemoryHandlers } from '../../../src/integrations/ai-sdk.ts';
import { newId } from '../../../src/model/id.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const PATH = '/memories/notes.md';

it('AIT-32: the files survive a reload, are in backups, and a deleted one does not come back with an earlier backup', async () => {
  const name = newId();
  const first = await memoryOf({ name, learning: false });
  const { create } = anthropicMemoryHandlers(first);
  await create({ command: 'create', path: PATH, file_text: 'one' });
  await create({ command: 'create', path: '/memories/kept.md', file_text: 'kept' });
  const earlier = await first.backup.export();
  await first.close();

  const reopened = await memoryOf({ name, learning: false });
  const files = anthropicMemoryHandlers(reopened);
  expect(await files.view({ command: 'view', path: PATH })).toContain('\tone');
  const elsewhere = await memoryOf({ name: newId(), learning: false });
  expect(await elsewhere.backup.import(earlier)).toMatchObject({ records: 2 });
  const copies = anthropicMemoryHandlers(elsewhere);
  expect(await copies.view({ command: 'view', path: PATH })).toContain('\tone');

  await files.delete({ command: 'delete', path: PATH });
  await reopened.backup.import(earlier);
  await expect(files.view({ command: 'view', path: PATH })).rejects.toThrow('does not exist');
  expect(await files.view({ command: 'view', path: '/memories/kept.md' })).toContain('\tkept');
  // The later backup takes the file away from the other device as well.
  await elsewhere.backup.import(await reopened.backup.export());
  await expect(copies.view({ command: 'view', path: PATH })).rejects.toThrow('does not exist');
});

it('AIT-32: files of the same name from two devices are merged: the newest counts, and the older is kept until then', async () => {
  let now = 1;
  const clock = (): number => now++;
  const [one, two] = [
    await memoryOf({ name: newId(), learning: false, clock }),
    await memoryOf({ name: newId(), learning: false, clock }),
  ];
  await anthropicMemoryHandlers(one).create({ command: 'create', path: PATH, file_text: 'older' });
  await anthropicMemoryHandlers(two).create({ command: 'create', path: PATH, file_text: 'newer' });
  await one.backup.import(await two.backup.export());
  await two.backup.import(await one.backup.export());
  for (const memory of [one, two]) {
    expect(await anthropicMemoryHandlers(memory).view({ command: 'view', path: PATH })).toContain('\tnewer');
    expect(await memory.records('anthropic-memory').list()).toHaveLength(2);
  }
});
