import { expect, it, onTestFinished } from 'vitest';
import { createMemory } from '../../../src/index.ts';

it('REC-51: no fact of a sentence that has ended is listed as known', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  onTestFinished(() => memory.close());
  await memory.remember({ user: 'My name is Ines and I live in Porto.', assistant: 'How nice!' });
  await memory.remember({ user: 'My brother Rui lives in Faro.', assistant: 'I see.' });
  await memory.remember({ user: 'i moved to braga last week', assistant: 'I see.' });
  await memory.work.settled();
  const { items, text } = await memory.session('another').recall('Where do I live?');
  const facts = items.filter(({ kind }) => kind === 'fact').map((item) => item.text);
  expect(facts.join()).not.toContain('Porto');
  expect(text).toContain('i moved to braga last week');
  // Her name, in the same sentence, holds.
  expect(text).toMatch(/no longer true since [\d-]+: "I live in Porto\."/);
  const brother = await memory.session('another').recall('Where does my brother live?');
  expect(brother.text).toContain('Rui lives in Faro');
});
