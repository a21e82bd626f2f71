import { describe, expect, it } from 'vitest';
import { llmExtractor } from '../../../src/extract.ts';
import { type Memory, type Extractor, type NewTurn, type SearchResult } from '../../../src/index.ts';
import type { RankingPart } from '../../../src/recall/rank/ranking-features.ts';
import { RANKING_WEIGHTS } from '../../../src/recall/rank/ranking-weights.ts';
import { scriptedLLM } from '../../fakes/scripted-llm.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const MARCH = Date.UTC(2023, 2, 10);
const OCTOBER = Date.UTC(2023, 9, 18);
const DAY = 86_400_000;

type Said = readonly [user: string, assistant: string, createdAt?: number];

async function told(memory: Memory, ...turns: readonly Said[]): Promise<void> {
  for (const [user, assistant, createdAt = MARCH] of turns) {
    await memory.remember({ user, assistant }, { createdAt });
    await memory.work.settled();
  }
}

const texts = (results: readonly SearchResult[]): string[] => results.map((result) => result.text);

function partOf(results: readonly SearchResult[], text: string, part: RankingPart): number {
  return results.find((result) => result.text.includes(text))?.why[part] ?? 0;
}

function fact(subject: string, predicate: string, object: string, message: string, quote: string): object {
  return { subject, predicate, object, message, quote };
}

/** A model that proposes these facts, one list for each turn, and no more. */
function proposing(...lists: readonly (readonly object[])[]): Extractor {
  const replies = lists.map((facts) => JSON.stringify({ entities: [], facts }));
  return llmExtractor(scriptedLLM(...replies).llm);
}

const NOLAN: readonly Said[] = [
  ['Who made "Interstellar"?', 'Christopher Nolan directed Interstellar.'],
  ['Any prizes?', 'He won the Oscar.'],
  ['What did Ada win at school?', 'Nothing was told about that.'],
];

describe('knowledge about the named entity', () => {
  it('RANK-9: what "he" won is found under Nolan, through the facts of a model', async () => {
    const extractor = proposing(
      [
        fact(
          'Christopher Nolan',
          'directed',
          'Interstellar',
          'm2',
          'Christopher Nolan directed Interstellar.',
        ),
      ],
      [fact('Christopher Nolan', 'won', 'the Oscar', 'm2', 'He won the Oscar.')],
    );
    const memory = await memoryOf({ learning: { extractor, delayMs: 0 } });
    await told(memory, ...NOLAN);
    const results = await memory.search('What did Nolan win?');
    expect(texts(results)[0]).toBe('He won the Oscar.');
    expect(partOf(results, 'He won', 'graph')).toBe(RANKING_WEIGHTS.graph);
  });

  it('RANK-9: what "he" won is found under Nolan by the rules alone, and the context gives the reason', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await told(memory, ...NOLAN);
    const results = await memory.search('What did Nolan win?');
    expect(texts(results)[0]).toBe('He won the Oscar.');
    const { items } = await memory.session('later').recall('What did Nolan win?');
    const recalled = items.find((item) => item.kind === 'recalled' && item.text.includes('He won'));
    expect(recalled?.why['graph']).toBeGreaterThan(0);
  });

  it('RANK-10: a message without any word of the question is found through the graph', async () => {
    const extractor = proposing(
      [fact('Christopher Nolan', 'is a', 'director', 'm1', 'Christopher Nolan is a director')],
      [fact('Christopher Nolan', 'grew up in', 'Chicago', 'm1', 'He grew up in Chicago')],
    );
    const memory = await memoryOf({ learning: { extractor, delayMs: 0 } });
    await told(memory, ['Christopher Nolan is a director.', 'Right.'], ['He grew up in Chicago.', 'Yes.']);
    const found = await memory.search('What do we know of Nolan?');
    expect(texts(found)).toContain('He grew up in Chicago.');
    const [first] = await memory.search('Nolan', { to: MARCH - 1 });
    expect(first).toBeUndefined();
  });

  it('RANK-11: the message of a replaced or corrected fact is not raised', async () => {
    const extractor = proposing(
      [fact('Anna', 'is a', 'friend', 'm1', 'Anna is a friend')],
      [fact('Anna', 'lives in', 'Paris', 'm1', 'She lives in Paris')],
      [fact('Anna', 'lives in', 'Rome', 'm1', 'She has moved to Rome')],
      [fact('Anna', 'likes', 'tea', 'm1', 'She likes tea')],
    );
    const memory = await memoryOf({ learning: { extractor, delayMs: 0 } });
    await told(
      memory,
      ['Anna is a friend.', 'Nice.'],
      ['She lives in Paris.', 'I see.'],
      ['She has moved to Rome.', 'How is Anna?', MARCH + DAY],
      ['She likes tea.', 'Good.', MARCH + DAY],
    );
    const before = await memory.search('Where does Anna live, and what does she like?');
    expect(partOf(before, 'Paris', 'graph')).toBe(0);
    expect(partOf(before, 'Rome', 'graph')).toBeGreaterThan(0);
    expect(partOf(before, 'tea', 'graph')).toBeGreaterThan(0);
    const tea = (await memory.facts.list({ about: 'Anna' })).find(({ object }) => object === 'tea');
    await memory.facts.correct(tea?.id ?? '', { object: 'coffee' });
    const after = await memory.search('Where does Anna live, and what does she like?');
    expect(partOf(after, 'tea', 'graph')).toBe(0);
  });

  it('RANK-12: forgotten facts raise no message', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 } });
    await told(memory, ...NOLAN);
    expect(partOf(await memory.search('What did Nolan win?'), 'He won', 'graph')).toBeGreaterThan(0);
    await memory.forget({ entity: 'Christopher Nolan' });
    expect(partOf(await memory.search('What did Nolan win?'), 'He won', 'graph')).toBe(0);
  });
});

describe('times of known events', () => {
  it('RANK-18: a question about the time before a birthday raises messages of that time', async () => {
    const memory = await memoryOf({ learning: { delayMs: 0 }, clock: () => OCTOBER });
    await told(
      memory,
      ['My birthday is May 8, 1990.', 'I will remember.'],
      ['I painted the kitchen blue.', 'Lovely.', Date.UTC(2023, 3, 24)],
      ['I painted the kitchen green.', 'Again?', Date.UTC(2023, 7, 2)],
    );
    const results = await memory.search('What did I paint two weeks before my birthday?');
    const walls = texts(results).filter((text) => text.includes('painted'));
    expect(walls).toEqual(['I painted the kitchen blue.', 'I painted the kitchen green.']);
    expect(partOf(results, 'blue', 'time')).toBe(RANKING_WEIGHTS.time);
    expect(partOf(results, 'green', 'time')).toBe(0);
    const other = await memory.search("What did I paint two weeks before Anna's birthday?");
    expect(partOf(other, 'blue', 'time')).toBeLessThanOrEqual(RANKING_WEIGHTS.recency);
  });
});

describe('text that was said several times', () => {
  const user = (content: string, name?: string): NewTurn => ({
    messages: [{ role: 'user', content, ...(name === undefined ? {} : { name }) }],
  });

  it('SRCH-15: text that was said several times takes one place in the results, the best one, whatever the session', async () => {
    const memory = await memoryOf({ learning: false });
    for (let i = 0; i < 9; i++) {
      await memory
        .session(`s${i}`)
        .remember(user(i % 2 === 0 ? 'The ferry leaves at dawn.' : 'the ferry leaves at dawn!'));
    }
    await memory.remember(user('Which ferry did we take to the island, and which one back in the end?'));
    await memory.remember(user('The one with the long name was no ferry at all, said the captain of it.'));
    const found = await memory.search('ferry');
    expect(new Set(texts(found).map((text) => text.toLowerCase().slice(0, 12))).size).toBe(3);
    expect(found).toHaveLength(3);
    for (const k of [1, 2, 3, 4]) {
      expect(await memory.search('ferry', { limit: k })).toEqual(found.slice(0, k));
    }
  });

  it('SRCH-16: text that two named speakers said is two results', async () => {
    const memory = await memoryOf({ learning: false });
    for (const name of ['Ada', 'Ben', 'Ada']) await memory.remember(user('I have two dogs.', name));
    const found = await memory.search('Who has two dogs?');
    expect(found.map(({ message }) => ('name' in message ? message.name : '')).toSorted()).toEqual([
      'Ada',
      'Ben',
    ]);
  });
});
