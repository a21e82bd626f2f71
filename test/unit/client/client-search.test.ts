import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Rerank, RerankCandidate } from '../../../src/recall/rerank.ts';
import type { Memory, NewTurn, SearchResult, Warning } from '../../../src/index.ts';
import { messageText } from '../../../src/model/message.ts';
import { memoryOf as openMemory } from '../../fixtures/open-memory.ts';

function memoryOf(warnings: Warning[] = []): Promise<Memory> {
  return openMemory({
    storage: 'memory',
    embedder: false,
    learning: false,
    clock: () => 10_000,
    onWarning: (warning) => warnings.push(warning),
  });
}

afterEach(() => {
  vi.useRealTimers();
});

const said = (content: string): NewTurn => ({ messages: [{ role: 'user', content }] });
const texts = (results: readonly SearchResult[]): string[] => results.map((result) => result.text);

async function boats(warnings: Warning[] = []): Promise<Memory> {
  const memory = await memoryOf(warnings);
  for (const color of ['red', 'green', 'blue', 'gray']) {
    await memory.remember({ user: `The ${color} boat sails on.`, assistant: `A boat in ${color}, noted.` });
  }
  return memory;
}

describe('search with a rerank function', () => {
  it('SRCH-9: rerank orders the results by its scores, ties keep their order, and it gets the query and the texts', async () => {
    const memory = await boats();
    const plain = await memory.search('boat', { limit: 8 });
    let seen: readonly RerankCandidate[] = [];
    const rerank: Rerank = async (query, candidates) => {
      expect(query).toBe('boat');
      seen = candidates;
      return candidates.map(({ text }) => Number(text.includes('gray')));
    };
    const results = await memory.search('boat', { limit: 3, rerank });
    expect(seen.map(({ text }) => text)).toEqual(texts(plain));
    const isGray = (text: string): boolean => text.includes('gray');
    const expected = [...texts(plain).filter(isGray), ...texts(plain).filter((each) => !isGray(each))];
    expect(texts(results)).toEqual(expected.slice(0, 3));
    expect(results[0]).toMatchObject({ score: 1, why: { rerank: 1 } });
  });

  it('SRCH-10: if rerank throws, rejects or does not return finite numbers, the order stays, with a warning', async () => {
    const warnings: Warning[] = [];
    const memory = await boats(warnings);
    const plain = await memory.search('boat', { limit: 4 });
    const failing: unknown[] = [
      () => {
        throw new Error('thrown');
      },
      () => Promise.reject(new Error('rejected')),
      () => [],
      () => undefined,
      () => ({ length: 8 }),
      (_query: string, candidates: readonly unknown[]) => candidates.map(() => NaN),
      (_query: string, candidates: readonly unknown[]) => candidates.map(() => '1'),
      (_query: string, candidates: readonly unknown[]) => Array.from({ length: candidates.length }),
      (_query: string, candidates: readonly unknown[]) => [...candidates.map(() => 1), 1],
    ];
    for (const [number, rerank] of failing.entries()) {
      expect(await memory.search('boat', { limit: 4, rerank: rerank as Rerank })).toEqual(plain);
      expect(warnings.map(({ code }) => code)).toEqual(
        Array.from({ length: number + 1 }, () => 'rerank-failed'),
      );
    }
  });

  it('SRCH-11: a rerank that takes longer than 2 s is not waited for, and its signal is aborted', async () => {
    const warnings: Warning[] = [];
    const memory = await boats(warnings);
    const plain = await memory.search('boat', { limit: 4 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let given: AbortSignal | undefined;
    let searching: Promise<SearchResult[]> = Promise.resolve([]);
    await new Promise<void>((resolve) => {
      const rerank: Rerank = (_query, _candidates, { signal }) => {
        given = signal;
        resolve();
        return new Promise(() => undefined);
      };
      searching = memory.search('boat', { limit: 4, rerank });
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(given?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await searching).toEqual(plain);
    expect(given?.aborted).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['rerank-failed']);
  });

  it('SRCH-12: an abort while rerank is running rejects with the reason, without a warning', async () => {
    const warnings: Warning[] = [];
    const memory = await boats(warnings);
    const controller = new AbortController();
    const rerank: Rerank = () => {
      controller.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    await expect(memory.search('boat', { rerank, signal: controller.signal })).rejects.toThrow('enough');
    expect(warnings).toEqual([]);
  });
});

describe('search with filters', () => {
  it('SRCH-30: a result has its text, its message, and the positions of the text in the message', async () => {
    const memory = await memoryOf();
    const content = [
      { type: 'text' as const, text: 'A boat.' },
      { type: 'text' as const, text: 'A red one 🚤.' },
    ];
    const { messageIds } = await memory.remember({ messages: [{ role: 'user', content }] });
    const [found] = await memory.search('red boat');
    expect(found?.message).toEqual((await memory.history())[0]);
    expect(found?.message.id).toBe(messageIds[0]);
    expect(found?.text).toBe('A boat.\nA red one 🚤.');
    expect(messageText(found?.message ?? { content: '' }).slice(found?.start, found?.end)).toBe(found?.text);
  });

  it('SRCH-31: of a long answer, the passage that fits best is returned and reranked', async () => {
    const memory = await memoryOf();
    const about = (thing: string): string =>
      `The ${thing} needs care every season. Look for cracks, clean it with warm water, and let it dry in the shade. ` +
      'Do not use strong soap, because it takes the wax away, and the wood turns gray after a few years.';
    const oars = 'Oars: sand them down to grain 220, then give them three thin coats of spar varnish.';
    const answer = [about('hull'), about('deck'), oars, about('mast'), about('rudder')].join('\n\n');
    await memory.remember({ user: 'How do I look after my boat?', assistant: answer });
    const reranked: string[] = [];
    const rerank: Rerank = (_query, candidates) => {
      reranked.push(...candidates.map(({ text }) => text));
      return candidates.map(({ score }) => score);
    };
    const options = { limit: 1, role: 'assistant', rerank } as const;
    const [found] = await memory.search('how many coats of varnish for the oars', options);
    expect(found?.text).toContain(oars);
    expect(found?.text.length).toBeLessThan(500);
    expect(messageText(found?.message ?? { content: '' })).toBe(answer);
    expect(answer.slice(found?.start, found?.end)).toBe(found?.text);
    expect(reranked).toEqual([found?.text]);
  });

  it('SRCH-7: search by role returns one side, and search by metadata what has all given values', async () => {
    const memory = await boats();
    await memory.remember(said('A boat for work.'), {
      metadata: { project: 'harbor', year: 3, tags: ['a'] },
    });
    await memory.remember(said('A boat for fun.'), { metadata: { project: 'harbor' } });
    const roles = async (role: 'user' | 'assistant'): Promise<string[]> =>
      (await memory.search('boat', { limit: 20, role })).map((result) => result.message.role);
    expect(await roles('user')).toEqual(Array.from({ length: 6 }, () => 'user'));
    expect(await roles('assistant')).toEqual(Array.from({ length: 4 }, () => 'assistant'));
    const found = async (metadata: Record<string, string | number | null>): Promise<string[]> =>
      texts(await memory.search('boat', { metadata })).toSorted();
    expect(await found({ project: 'harbor' })).toEqual(['A boat for fun.', 'A boat for work.']);
    expect(await found({ project: 'harbor', year: 3 })).toEqual(['A boat for work.']);
    expect(await found({ project: 'Harbor' })).toEqual([]);
    expect(await found({ tags: 'a' })).toEqual([]);
    expect(await found({ missing: null })).toEqual([]);
  });

  it('SRCH-8: a filter that one of many messages passes finds it, whatever its rank', async () => {
    const memory = await memoryOf();
    for (let n = 0; n < 260; n++) {
      await memory.remember(said(`The boat, boat and boat number ${n} sails.`));
    }
    const rare = 'There are so many things to say today about all of us, and one of them is a boat';
    await memory.remember(said(rare), { metadata: { kind: 'rare' } });
    expect(texts(await memory.search('boat', { limit: 200 }))).not.toContain(rare);
    expect(texts(await memory.search('boat', { metadata: { kind: 'rare' } }))).toEqual([rare]);
  });

  it('SRCH-32: a message is found although 250 others say the same', async () => {
    const memory = await memoryOf();
    const rare = 'I bought a boat in Lisbon last year with my sister and we sailed to Porto';
    await memory.remember({ user: rare, assistant: 'ok' });
    for (let n = 0; n < 250; n++) await memory.remember({ user: 'Boat?', assistant: 'ok' });
    expect(texts(await memory.search('boat')).toSorted()).toEqual(['Boat?', rare, 'ok']);
  });

  it('SRCH-32: a search returns as many of 250 different messages as its limit allows, also more than 200', async () => {
    const memory = await memoryOf();
    for (let n = 0; n < 250; n++) await memory.remember(said(`The boat number ${n} sails.`));
    for (const limit of [200, 240, 250]) {
      const found = texts(await memory.search('boat', { limit }));
      expect(new Set(found).size).toBe(limit);
      expect(found).toHaveLength(limit);
    }
    expect(await memory.search('boat', { limit: 300 })).toHaveLength(250);
  });

  it('SRCH-13: an invalid role, metadata or rerank is rejected', async () => {
    const memory = await memoryOf();
    const refused = { code: 'invalid-input' };
    for (const options of [
      { role: 'system' },
      { metadata: { a: {} } },
      { metadata: 'a' },
      { metadata: null },
      { rerank: 'yes' },
    ]) {
      await expect(memory.search('boat', options as never)).rejects.toMatchObject(refused);
    }
  });

  it('SRCH-14: of equal matches the newer one ranks first, unless the query names a time', async () => {
    const memory = await openMemory({
      storage: 'memory',
      embedder: false,
      learning: false,
      clock: () => Date.UTC(2024, 5, 1),
    });
    for (const [sessionId, createdAt] of [
      ['old', Date.UTC(2023, 4, 5)],
      ['new', Date.UTC(2024, 4, 5)],
    ] as const) {
      await memory.remember(said(`The boat is ${sessionId}`), { sessionId, createdAt });
    }
    const [first, second] = await memory.search('boat');
    expect(first?.message.sessionId).toBe('new');
    expect(first?.why['time']).toBeGreaterThan(second?.why['time'] ?? 0);
    const [may] = await memory.search('boat in May 2023');
    expect(may?.message.sessionId).toBe('old');
    const dated = await memory.search('boat in July 2001');
    expect(dated.map((result) => result.why['time'])).toEqual([undefined, undefined]);
  });
});
