import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';
import { withWorth } from '../../../src/recall/stated-turns.ts';
import { stored } from '../../fixtures/functions-of-text.ts';

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

it.each([
  ['We made pizza! Picking out toppings was fun. Have you made anything lately?', undefined],
  ['We raised funds at the event. Which charity is the best one?', undefined],
  ['What toppings are the best on a pizza?', 'asked'],
  ['Write a recipe for the pizza we made. We made it twice.', 'asked'],
  ['A pizza bakes for ten minutes. How long does bread bake?', 'asked'],
])('REC-101: of "%s", the best match, the request is %s', (said, request) => {
  const turn = { messages: [stored(said)], score: 1, why: {} };
  const noClaims = { statedIn: () => [], ranked: [] };
  expect(withWorth([turn], noClaims, new Set(['pizza']), true)[0]?.request).toBe(request);
});
