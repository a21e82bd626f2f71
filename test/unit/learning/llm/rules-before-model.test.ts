import { expect, it } from 'vitest';
import { createMemory, type LLM, type Memory } from '../../../../src/index.ts';

const openWith = (llm: LLM): Promise<Memory> =>
  createMemory({ storage: 'memory', embedder: false, learning: { llm, delayMs: 0 } });

const replying =
  (facts: readonly object[]): LLM =>
  async () =>
    JSON.stringify({ facts, entities: [] });

async function factsOf(memory: Memory): Promise<string[]> {
  const facts = await memory.facts.list();
  return facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).toSorted();
}

const SAID = 'I live in Porto. My sister Lea is a vet.';
const BY_RULES = ['Lea is a vet', 'user has sister Lea', 'user lives in Porto'];

it('LRN-38: what rules read is known while a model cannot be reached', async () => {
  const memory = await openWith(() => Promise.reject(new Error('offline')));
  let seen: Promise<string[]> | undefined;
  memory.addEventListener('change', () => {
    seen = factsOf(memory);
  });
  await memory.remember({ user: SAID, assistant: 'Okay.' });
  await memory.work.settled();
  expect(await seen).toEqual(BY_RULES);
  expect(await factsOf(memory)).toEqual(BY_RULES);
  expect((await memory.claims.list()).map(({ text }) => text)).toEqual([
    'I live in Porto.',
    'My sister Lea is a vet.',
  ]);
  expect(await memory.work.list()).toHaveLength(1);
  await memory.close();
});

it('LRN-38: what is forgotten while a model is silent is not learned from its late reply', async () => {
  let isAsked = (): void => undefined;
  let reply: (text: string) => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const memory = await openWith(() => {
    isAsked();
    return new Promise((resolve) => (reply = resolve));
  });
  const { turnId } = await memory.remember({ user: SAID, assistant: 'Okay.' });
  await asked;
  expect(await factsOf(memory)).toEqual(BY_RULES);
  await memory.forget({ turnId });
  const fact = {
    message: 'm1',
    quote: 'I live in Porto',
    subject: 'user',
    predicate: 'resides in',
    object: 'Porto',
  };
  reply(JSON.stringify({ facts: [fact], entities: [] }));
  await memory.work.settled();
  expect(await factsOf(memory)).toEqual([]);
  expect([...(await memory.claims.list()), ...(await memory.review.list())]).toEqual([]);
  await memory.close();
});

it.each([
  ['nothing', []],
  ['what is not asked', [{ message: 'm1', quote: 'Okay.', subject: 'x' }]],
])('LRN-38: a model that replies %s takes nothing from what rules read', async (_what, facts) => {
  const memory = await openWith(replying(facts));
  await memory.remember({ user: SAID, assistant: 'Okay.' });
  await memory.work.settled();
  expect(await factsOf(memory)).toEqual(BY_RULES);
  await memory.close();
});

it('LRN-38: the same relation of the same two in the same words is one fact, another relation is not', async () => {
  const memory = await openWith(
    replying([
      { message: 'm1', quote: 'I live in Porto', subject: 'user', predicate: 'resides in', object: 'Porto' },
      { message: 'm1', quote: 'My sister Lea', subject: 'Lea', predicate: 'is sister of', object: 'user' },
      {
        message: 'm1',
        quote: 'My sister Lea is a vet',
        subject: 'user',
        predicate: 'has vet',
        object: 'Lea',
      },
      { message: 'm1', quote: 'I keep bees there', subject: 'user', predicate: 'keeps', object: 'bees' },
    ]),
  );
  await memory.remember({ user: `${SAID} I keep bees there.`, assistant: 'Okay.' });
  await memory.work.settled();
  expect(await factsOf(memory)).toEqual([
    'Lea is a vet',
    'user has sister Lea',
    'user keeps bees',
    'user lives in Porto',
  ]);
  const all = await memory.facts.list({ includeUnconfirmed: true });
  expect(all.map(({ predicate }) => predicate)).toContain('has vet');
  await memory.close();
});

it('LRN-39: a model ends no fact of the same message or of a later one that it is shown with it', async () => {
  let calls = 0;
  const llm: LLM = async ({ messages }) => {
    calls += 1;
    const ids = [...String(messages[1]?.content).matchAll(/"id":"(f\d+)"/gu)].map(([, id]) => id);
    const facts = [
      {
        message: 'm1',
        quote: 'Home is Porto these days',
        subject: 'user',
        predicate: 'lives in',
        object: 'Porto',
        replaces: ids,
      },
    ];
    return JSON.stringify({ facts, entities: [] });
  };
  const memory = await createMemory({
    storage: 'memory',
    embedder: false,
    learning: { llm, delayMs: 60_000 },
  });
  await memory.remember({ user: 'Home is Porto these days.', assistant: 'Okay.' });
  await memory.remember({ user: 'I live in Faro.', assistant: 'Okay.' });
  await memory.backup.rebuild();
  expect(calls).toBe(1);
  expect(await factsOf(memory)).toEqual(['user lives in Faro']);
  await memory.close();
});
