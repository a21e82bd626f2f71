import { expect, it } from 'vitest';
import { memoryOf } from '../../fixtures/open-memory.ts';

function loadedRooms(): string[] {
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  return files.flatMap((file) => /\/client\/rooms\/(\w+)-room\.ts$/u.exec(file)?.[1] ?? []).filter(isRoom);
}

const isRoom = (name: string): boolean => name !== 'lazy';

it('MEM-95: a memory that remembers, recalls and searches loads the code of no room, and each call only its own', async () => {
  performance.setResourceTimingBufferSize(5_000);
  const memory = await memoryOf({ learning: false });
  await memory.remember({ user: 'My dog is called Rex.', assistant: 'Nice.' });
  await memory.recall('What is my dog called?');
  await memory.search('dog');
  expect(loadedRooms()).toEqual([]);
  await memory.device.usage();
  expect(loadedRooms()).toEqual(['device']);
  await memory.facts.list();
  expect(loadedRooms()).toEqual(['device', 'facts']);
});
