import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

/** Claims that nothing asks for, and that fill a small budget. */
const CLAIMS = Array.from(
  { length: 30 },
  (_, n) => `My cousin Ana${n} lives in a small house near the river in Coimbra${n}, and I visit her in May.`,
);

// cspell:disable
it.each([
  ['Quand est la réunion de parents ?', 'La réunion de parents est le 8 octobre, on y demande quoi ?'],
  ['When is the plumber coming?', 'The plumber is coming on 4 June at nine, what should one ask?'],
  ['Wann kommt der Klempner vorbei?', 'Der Klempner kommt am 4. Juni vorbei, was fragt man da?'],
  // cspell:enable
])('REC-94: what a request says is told: %s', async (question, said) => {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  for (const user of [said, ...CLAIMS]) {
    await memory.remember({ user, assistant: 'Noted.' }, { sessionId: 'earlier' });
    now += 86_400_000;
  }
  await memory.work.settled();
  const { text } = await memory.session('new').recall(question, { maxTokens: 350 });
  expect(text).toContain(said);
  await memory.close();
});
