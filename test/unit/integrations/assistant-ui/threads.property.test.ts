import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemory } from '../../../../src/index.ts';
import { runThreadSteps, shownThreads, threadSteps } from '../../../fakes/thread-steps.ts';

it('AUI-1: for any sequence of steps, threads and rows are loaded as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(threadSteps, async (steps) => {
      await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
      const expected = await runThreadSteps(memory, steps);
      expect(await shownThreads(memory)).toEqual(expected);
      await using device = await createMemory({ storage: 'memory', embedder: false, learning: false });
      await device.backup.import(await memory.backup.export());
      expect(await shownThreads(device)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
