import { expect, it } from 'vitest';
import { countResources } from '../../fixtures/counted-resources.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

it('FACT-80: all sentences that the user enters are read by one worker, which ends with the memory', async () => {
  const assetsUrl = new URL('/mnemora-assets/', location.origin).href;
  const memory = await memoryOf({ assetsUrl, embedder: false, learning: false });
  const { workers } = countResources();
  for (const town of ['Lisbon', 'Porto', 'Faro'])
    expect(await memory.facts.add(`I live in ${town}.`)).toMatchObject({ object: town });
  expect(workers).toEqual({ opened: 1, open: 1 });
  await memory.close();
  expect(workers.open).toBe(0);
});
