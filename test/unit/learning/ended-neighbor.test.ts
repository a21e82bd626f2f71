import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

it('STMT-61: an allergy is told without a mark after something else of the same person has ended', async () => {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  const assistant = 'Noted.';
  await memory.remember(
    { user: 'My daughter is allergic to peanuts.', assistant },
    { createdAt: Date.UTC(2026, 0, 5) },
  );
  await memory.remember({ user: 'My daughter quit ballet.', assistant }, { createdAt: Date.UTC(2026, 1, 5) });
  await memory.work.settled();
  const { text } = await memory.recall('What snack can I give my daughter?', { sessionId: 'another' });
  expect(text).toContain('allergic to peanuts');
  expect(text).not.toContain('no longer true');
  expect((await memory.profile()).map((line) => line.text)).toContain('My daughter is allergic to peanuts.');
  await memory.close();
});
