import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

it('REC-100: what the assistant said about the question is told before what the user stated about other things', async () => {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  const said = [
    ...Array.from({ length: 12 }, (_, n) => [
      `My cousin number ${n} loves cats, works at a bakery in Porto and has two children called Ana and Rui.`,
      'Nice.',
    ]),
    ['What do people call the pair of cats on the lighthouse stamp', 'Their names are Luna and Oliver.'],
    ['We saw them again.', 'Then the names of the lighthouse cats are familiar to you: Luna and Oliver.'],
  ] as const;
  for (const [user = '', assistant = ''] of said) {
    await memory.remember({ user, assistant }, { sessionId: 'earlier' });
    now += 86_400_000;
  }
  await memory.work.settled();
  const { text } = await memory.session('new').recall('Which names did you say the lighthouse cats have?', {
    maxTokens: 300,
  });
  expect(text).toContain('Luna and Oliver');
  expect(text).toContain('My cousin');
  await memory.close();
});
