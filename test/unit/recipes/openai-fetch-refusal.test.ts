import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../demo/examples/recipes/openai-fetch.ts';
import { createMemory } from '../../../src/index.ts';

it('RCP-6: a reply without text, such as a refusal, throws what is wrong, and nothing is remembered', async () => {
  await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
  vi.stubGlobal('fetch', async () => Response.json({ choices: [{ message: { content: null } }] }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const answer = ask({ url: 'http://localhost/v1', model: 'm' }, memory, 'Hi.');
  await expect(answer).rejects.toThrow('The reply of the model has no text.');
  expect(await memory.history()).toEqual([]);
});
