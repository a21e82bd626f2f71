import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';

const DAY = 86_400_000;

let memory: Memory;
let now: number;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 5, 10);
  memory = await createMemory({ storage: 'memory', embedder: false, clock: () => now });
});

afterEach(() => memory.close());

async function say(user: string, assistant = 'Okay.', sessionId = 'first'): Promise<void> {
  await memory.session(sessionId).remember({ user, assistant });
  await memory.work.settled();
  now += DAY;
}

type Items = Awaited<ReturnType<Memory['recall']>>['items'];

async function recalled(question: string, maxTokens = 1000): Promise<Items> {
  return (await memory.session('another').recall(question, { maxTokens })).items;
}

const MARK = /(?:no longer true since ([\d-]+)|(rejected) by the user): "([^"]*)"/gu;

/** The marks of the turn that begins with some words, as the words and the day of their end. */
function marksOf(items: Items, words: string): string[][] {
  const item = items.find(({ text }) => text.includes(`> ${words}`) && text.includes(']\n'));
  return Array.from(item?.text.matchAll(MARK) ?? [], ([, day, rejected, quote = '']) => [
    quote,
    day ?? rejected ?? '',
  ]);
}

const ENDED = ['I sing in the church choir.', 'I live in Porto.'];

async function sayTwoEnded(): Promise<void> {
  await say(`${ENDED.join(' ')} I keep bees.`);
  // The later clause ends first.
  await say('I moved to Faro last week.', 'Okay.', 'second');
  await say('I quit the choir.');
}

it('CLM-13: all clauses of a message that are over are marked, in the order of the text, also across sessions', async () => {
  await sayTwoEnded();
  const items = await recalled('Where do I live and where do I sing?');
  expect(marksOf(items, 'I sing')).toEqual([
    ['I sing in the church choir.', '2026-01-07'],
    ['I live in Porto.', '2026-01-06'],
  ]);
});

it('CLM-13: parts of one clause end one by one, and when none is left the clause has ended', async () => {
  await say('My daughter is allergic to peanuts and does ballet on Saturdays and plays the cello.');
  await say('I sing in the church choir and I live in Porto.');
  await say('My daughter quit ballet.');
  await say('My daughter quit the cello.');
  await say('I quit the choir.');
  await say('I moved to Faro last week.');
  expect(marksOf(await recalled('What does my daughter do?'), 'My daughter is')).toEqual([
    ['does ballet on Saturdays', '2026-01-07'],
    ['plays the cello.', '2026-01-08'],
  ]);
  const [daughter, own] = await memory.claims.list({ includeHistory: true });
  expect(daughter).toMatchObject({ status: 'ended', endedText: 'does ballet on Saturdays' });
  expect(own).toMatchObject({ status: 'ended', endedAt: now - DAY });
  expect(own).not.toHaveProperty('endedText');
  const profile = (await memory.profile()).map(({ text }) => text).join();
  expect(profile).toContain('My daughter is allergic to peanuts');
  expect(profile).not.toMatch(/ballet on|plays|church|Porto/u);
});

it('CLM-14: of a question that is over and an answer that was rejected, both are marked', async () => {
  await say('I live in Porto. What do you know of me?', 'You are allergic to shellfish.');
  await say('I moved to Faro last week.');
  const [item] = await memory.review.list();
  await memory.review.reject(item?.id ?? '');
  const items = await recalled('Where do I live, and am I allergic to shellfish?');
  expect(marksOf(items, 'I live in Porto')).toEqual([
    ['I live in Porto.', '2026-01-06'],
    ['You are allergic to shellfish.', 'rejected'],
  ]);
  expect(items.filter(({ kind, text }) => kind === 'fact' && text.includes('shellfish'))).toEqual([]);
});

it('CLM-14: in one clause, what was rejected and what is over are marked, each as what it is', async () => {
  await say('I live in Porto and I work at Acme.');
  const facts = await memory.facts.list();
  const home = facts.find(({ object }) => object === 'Porto');
  const corrected = await memory.facts.correct(home?.id ?? '', { object: 'Faro' });
  await memory.forget({ factId: corrected.id });
  await say('I quit my job.');
  expect(marksOf(await recalled('Where do I live and work?'), 'I live')).toEqual([
    ['I live in Porto', 'rejected'],
    ['I work at Acme.', '2026-01-06'],
  ]);
});

it('CLM-15: what the user says again after its end is told without a mark', async () => {
  await say('I live in Porto.');
  await say('I moved to Faro last week.');
  const before = await recalled('Where do I live?');
  expect(marksOf(before, 'I live in Porto')).toEqual([['I live in Porto.', '2026-01-06']]);
  await say('I live in Porto.');
  const items = await recalled('Where do I live?');
  expect(items.some(({ text }) => text.includes('Porto'))).toBe(true);
  expect(items.filter(({ text }) => /no longer true[^\]]*Porto/u.test(text))).toEqual([]);
});

it('REC-83: whatever the budget, words that are over are told under their mark or not at all', async () => {
  await sayTwoEnded();
  let told = 0;
  for (let maxTokens = 90; maxTokens < 420; maxTokens += 10) {
    const items = await recalled('Where do I live and where do I sing?', maxTokens);
    for (const { text } of items) {
      for (const words of ENDED.filter((each) => text.includes(each))) {
        told += 1;
        expect(Array.from(text.matchAll(MARK), ([, , , quote]) => quote)).toContain(words);
      }
    }
  }
  expect(told).toBeGreaterThan(0);
});
