import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { runThreadSteps, shownThreads, threadSteps } from '../../fakes/thread-steps.ts';

it('AUI-1: for any sequence of steps, a backup that is imported into another memory shows the same threads', async () => {
  await fc.assert(
    fc.asyncProperty(threadSteps, async (steps) => {
      const names = [crypto.randomUUID(), crypto.randomUUID()] as const;
      {
        await using memory = await createMemory({ name: names[0], embedder: false, learning: false });
        await using device = await createMemory({ name: names[1], embedder: false, learning: false });
        const expected = await runThreadSteps(memory, steps);
        expect(await shownThreads(memory)).toEqual(expected);
        await device.backup.import(await memory.backup.export());
        expect(await shownThreads(device)).toEqual(expected);
      }
      for (const name of names) indexedDB.deleteDatabase(name);
    }),
    { numRuns: 15 },
  );
});
