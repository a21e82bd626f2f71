import { expect, it } from 'vitest';
import { createMemory } from '../../../src/index.ts';

const REQUESTS = [
  ['is there a shell command that renames every jpeg file in a folder', 'Use rename, or a loop with mv.'],
  [
    'write a short birthday poem for nobody in particular',
    'Candles flicker, one by one, and the year is done.',
  ],
  ['what temperature does a sourdough loaf need', 'About 230 degrees for 40 minutes.'],
  ['convert 3 cups of flour to grams', 'About 360 grams.'],
] as const;

async function withRequests(said: readonly string[]) {
  let now = Date.UTC(2026, 0, 5);
  const memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
  for (const [user, assistant] of [...said.map((text) => [text, 'Noted.'] as const), ...REQUESTS]) {
    await memory.remember({ user, assistant }, { sessionId: 'earlier' });
    now += 86_400_000;
  }
  await memory.work.settled();
  return memory;
}

it('REC-99: everyday requests with one word of the question are not told, and explain says why', async () => {
  const memory = await withRequests(['My daughter Ida turns nine in May, and her birthday is on a Sunday.']);
  const session = memory.session('new');
  const question = 'What could I bake for the birthday of my daughter?';
  const { text } = await session.recall(question, { maxTokens: 1000 });
  expect(text).toContain('Ida turns nine');
  for (const [request] of REQUESTS) expect(text).not.toContain(request);
  const left = await session.explain(question, { maxTokens: 1000 });
  expect(left.find((each) => each.text.includes('birthday poem'))?.reason).toBe('request');
  await memory.close();
});

it('REC-99: a request that the question is about is told with its answer', async () => {
  const memory = await withRequests(['My daughter Ida turns nine in May.']);
  const session = memory.session('new');
  for (const [question, answer] of [
    ['How did you tell me to rename my jpeg files?', 'Use rename, or a loop with mv.'],
    ['At what temperature do I bake my sourdough again?', 'About 230 degrees for 40 minutes.'],
  ] as const)
    expect((await session.recall(question, { maxTokens: 1000 })).text).toContain(answer);
  await memory.close();
});

it('REC-99: where it is uncertain whether memory helps, a request is told by its words, and not because it is the best', async () => {
  const memory = await withRequests(['I moved to Porto with Greta, who plays the cello.']);
  const session = memory.session('new');
  const reasonFor = async (question: string, request: string): Promise<string | undefined> =>
    (await session.explain(question, { maxTokens: 1000 })).find(({ text }) => text.includes(request))?.reason;
  expect(await reasonFor('Sourdough loaf temperature?', 'sourdough loaf')).toBe('sent');
  expect(await reasonFor('Birthday cello for Greta?', 'birthday poem')).toBe('request');
  expect(await reasonFor('Where did I move with Greta?', 'birthday poem')).toBe(undefined);
  await memory.close();
});

it('REC-102: requests that do not have the form of one are not told either, unless the question is about them', async () => {
  const memory = await withRequests(['My daughter Ida turns nine in May, and her birthday is on a Sunday.']);
  const requests = ['chords to a song in a minor key', 'git command to undo the last commit'];
  for (const user of requests)
    await memory.remember({ user, assistant: 'Here you go.' }, { sessionId: 'earlier' });
  await memory.work.settled();
  const session = memory.session('new');
  const { text } = await session.recall('Which song could my daughter play on a Sunday?', {
    maxTokens: 1000,
  });
  expect(text).toContain('Ida turns nine');
  for (const request of requests) expect(text).not.toContain(request);
  expect((await session.recall('How do I undo the last commit in git again?')).text).toContain(requests[1]);
  await memory.close();
});
