import { expect, it } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';

it('TAB-12: while another tab writes and forgets, recall, explain and search return whole turns that are not forgotten', async () => {
  const name = newId();
  const shared = { name, sessionId: 's', recentTurns: 4, learning: false } as const;
  const here = await memoryOf({ ...shared, embedder: hashEmbedder() });
  const there = await memoryOf({ ...shared, embedder: hashEmbedder() });
  const forgotten = new Set<string>();
  const turnIds: string[] = [];
  const write = async (turn: number): Promise<void> => {
    const { turnId } = await there.remember({
      user: `zebra ${turn} canary${turn}x`,
      assistant: `seen ${turn}`,
    });
    turnIds.push(turnId);
    if (turn % 3 !== 2) return;
    const gone = turnIds[turn % 2 === 0 ? turn : turn - 2] ?? '';
    await there.forget({ turnId: gone });
    forgotten.add(gone);
  };
  await write(0);
  await here.recall('zebra'); // loads the tokenizer
  const over = new AbortController();
  const writing = (async () => {
    for (let turn = 1; !over.signal.aborted; turn += 1) await write(turn);
  })();
  for (let asked = 0; asked < 20 || forgotten.size < 4; asked += 1) {
    const before = new Set(forgotten);
    const [context, candidates, found] = await Promise.all([
      here.recall('zebra seen'),
      here.explain('zebra seen'),
      here.search('zebra seen', { limit: 100 }),
    ]);
    for (const item of [...context.items, ...candidates]) {
      // What the user stated is told without the answer.
      const isStated = item.kind === 'recalled' && !/^> /mu.test(item.text);
      expect(item.sources).toHaveLength(isStated ? 1 : 2);
      expect(before).not.toContain(item.turnId);
    }
    expect(found.filter(({ message }) => before.has(message.turnId))).toEqual([]);
  }
  over.abort();
  await writing;
  await Promise.all([here.work.settled(), there.work.settled()]);
  const left = turnIds.filter((turnId) => !forgotten.has(turnId));
  expect(new Set((await here.history()).map((message) => message.turnId))).toEqual(new Set(left));
  const stored = JSON.stringify(await dump(name));
  for (const [turn, turnId] of turnIds.entries()) {
    expect(stored.includes(`canary${turn}x`)).toBe(!forgotten.has(turnId));
  }
});
