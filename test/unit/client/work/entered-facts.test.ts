import { expect, it } from 'vitest';
import { createMemory } from '../../../../src/client/create-memory.ts';
import { approximateTokenizer } from '../../../../src/tokens/approximate.ts';
import { learned } from '../../../fixtures/retold.ts';

it('PROF-15: a fact that the user entered is told once, in the profile', async () => {
  await using memory = await createMemory({
    ...{ storage: 'memory', embedder: false, tokenizer: approximateTokenizer(), learning: { delayMs: 0 } },
  });
  await memory.remember({ user: 'My sister Nora lives in Oslo.', assistant: 'OK.' }, { sessionId: 's' });
  await memory.facts.add('My cat is called Tom');
  await learned(memory);
  for (const question of ['What is my cat called?', 'Where does my sister live?']) {
    const { text } = await memory.session('asking').recall(question);
    expect(text.split('has cat Tom')).toHaveLength(2);
  }
});
