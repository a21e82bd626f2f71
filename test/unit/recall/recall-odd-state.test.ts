import { describe, expect, it } from 'vitest';
import type { Memory, CreateMemoryOptions } from '../../../src/index.ts';
import { memoryOf as openMemory } from '../../fixtures/open-memory.ts';

function memoryOf(options: CreateMemoryOptions): Promise<Memory> {
  return openMemory({ storage: 'memory', sessionId: 's', ...options });
}

describe('recall from an unusual state', () => {
  it.each([
    ['in the window', 8],
    ['recalled', 0],
  ])(
    'REC-23: a turn is unknown before its answer and known as a whole afterwards, %s',
    async (_name, recentTurns) => {
      let now = 1000;
      const memory = await memoryOf({ clock: () => now, recentTurns, learning: false });
      const question = { role: 'user', content: 'Where is the zebra?' } as const;
      await memory.remember({ messages: [question] }, { turnId: 't', state: 'pending' });
      now = 2000;
      const answer = { role: 'assistant', content: 'At the lake.' } as const;
      const { messageIds } = await memory.remember({ messages: [question, answer] }, { turnId: 't' });
      expect((await memory.recall('zebra', { knownAt: 1500 })).items).toEqual([]);
      expect(await memory.explain('zebra', { knownAt: 1500 })).toEqual([]);
      const { items } = await memory.recall('zebra', { knownAt: 2000 });
      expect(items).toMatchObject([{ turnId: 't' }]);
      expect(items[0]?.sources.toSorted()).toEqual(messageIds.toSorted());
    },
  );

  it.each([
    ['without learning', false, 10],
    ['with learning', { delayMs: 1e9 }, 200],
  ] as const)(
    'REC-106: with knownAt, the turns that were the newest then are sent however many came later, %s',
    async (_name, learning, turns) => {
      let now = 0;
      const memory = await memoryOf({ clock: () => now, recentTurns: 3, learning });
      for (let turn = 0; turn < turns; turn += 1) {
        now += 1000;
        const user = `Item ${turn} came to the ${'long '.repeat(20)}house`;
        await memory.remember({ user, assistant: 'fine' }, { turnId: `t${turn}` });
      }
      const recent = async (knownAt?: number): Promise<string[]> =>
        (
          await memory.recall('hello there', {
            maxTokens: 500,
            ...(knownAt === undefined ? {} : { knownAt }),
          })
        ).items
          .filter(({ kind }) => kind === 'recent')
          .map(({ turnId }) => turnId);
      expect((await recent(4500)).at(-1)).toBe('t3');
      expect((await recent()).at(-1)).toBe(`t${turns - 1}`);
      expect(await recent(500)).toEqual([]);
    },
  );

  it('REC-24: setting the clock back changes neither the window nor what is found', async () => {
    let now = 1_000_000;
    const memory = await memoryOf({ clock: () => (now -= 1000), recentTurns: 2, learning: false });
    for (let turn = 0; turn < 6; turn += 1) {
      await memory.remember({ user: `boat ${turn}`, assistant: `noted ${turn}` }, { turnId: `t${turn}` });
    }
    const { items } = await memory.recall('boat 0');
    const recent = items.filter((item) => item.kind === 'recent').map((item) => item.turnId);
    expect(recent).toEqual(['t4', 't5']);
    expect(items.filter((item) => item.kind === 'recalled').map((item) => item.turnId)).toContain('t0');
    now = 0; // before anything was said
    const again = await memory.recall('boat 0');
    expect(again.items.map((item) => item.turnId)).toEqual(items.map((item) => item.turnId));
    expect((await memory.search('boat 3 yesterday', { limit: 1 }))[0]?.message.turnId).toBe('t3');
  });
});
