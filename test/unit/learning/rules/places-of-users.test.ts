import { expect, it } from 'vitest';
import { createMemory, type MemoryFact } from '../../../../src/index.ts';

/** What is known after the user has told where they live, and then something else. */
async function factsAfter(said: string): Promise<MemoryFact[]> {
  const memory = await createMemory({ storage: 'memory', embedder: false });
  await memory.remember({ user: 'I live in Porto.', assistant: 'Noted.' });
  await memory.remember({ user: said, assistant: 'Noted.' });
  await memory.work.settled();
  const facts = await memory.facts.list();
  await memory.close();
  return facts;
}

async function homesAfter(said: string): Promise<string[]> {
  const facts = await factsAfter(said);
  return facts.filter(({ predicate }) => predicate === 'lives in').map(({ object }) => object);
}

it.each([
  ['i moved to braga', 'braga'],
  ['i moved to braga last week', 'braga'],
  ['just moved to tampere!', 'tampere'],
  ['we moved to brno in may', 'brno'],
  ['i moved from porto to puglia', 'puglia'],
  ['I moved to braga.', 'braga'],
  ['i live in zwolle now', 'zwolle'],
])('RULE-60: a place typed in lower case is where the user lives from then on: %s', async (said, home) => {
  expect(await homesAfter(said)).toEqual([home]);
});

it.each([
  'i moved to a new flat',
  'i moved to work',
  'i moved to the left',
  'i moved to management',
  'i moved to decaf',
  'i moved to nights',
  'i moved to monday',
  'i was moved to tears',
  'i moved to react',
])('RULE-60: what is no place changes nothing: %s', async (said) => {
  expect(await homesAfter(said)).toEqual(['Porto']);
});

it.each(["I'm in Paris now.", "I'm currently in Paris.", "I'm in Paris this week."])(
  'RULE-70: where the user is for now is not where they live: %s',
  async (said) => {
    const facts = await factsAfter(said);
    expect(facts.map(({ predicate, object }) => `${predicate} ${object}`)).toEqual(['lives in Porto']);
  },
);
