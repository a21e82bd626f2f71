import { expect, it, vi } from 'vitest';
import { openDatabase, type Memory, type MemoryDatabase } from '../../../src/index.ts';
import { RebuiltKnowledge } from '../../../src/storage/rebuilt/rebuilt-knowledge.ts';
import { STORE_NAMES } from '../../../src/storage/schema.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { rowsOf } from '../../fixtures/rows-of.ts';

const QUESTION = 'What should I leave out, are you allergic to zanzibar nuts?';

/** Time of the second turn. */
const SECOND = Date.UTC(2026, 0, 5);

async function talk(...turns: readonly (readonly [user: string, assistant: string])[]): Promise<{
  memory: Memory;
  database: MemoryDatabase;
  turnIds: string[];
}> {
  const database = await openDatabase({ storage: 'memory' });
  const memory = await memoryOf({ database, embedder: false });
  const turnIds: string[] = [];
  for (const [user, assistant] of turns) {
    const { turnId } = await memory.remember({ user, assistant }, { createdAt: SECOND + turnIds.length - 1 });
    turnIds.push(turnId);
  }
  await memory.work.settled();
  return { memory, database, turnIds };
}

/** What is stored of the claims, without the ids of messages. */
function claimsIn(database: MemoryDatabase): Promise<unknown[]> {
  return rowsOf(database).connection.read(['claims'], async (transaction) =>
    (await transaction.objectStore('claims').getAll())
      .toSorted((a, b) => a.seq - b.seq || a.start - b.start)
      .map(({ text, start, end, score, topic, kinds, endedText }) => ({
        ...{ text, start, end, score, topic, kinds, endedText },
      })),
  );
}

async function storedText(database: MemoryDatabase): Promise<string> {
  const { connection } = rowsOf(database);
  const stores = await connection.read(STORE_NAMES, (transaction) =>
    Promise.all(STORE_NAMES.map((name) => transaction.objectStore(name).getAll())),
  );
  return JSON.stringify(stores);
}

it('FGT-73: the question of a forgotten answer is in no claim of the turn that replied to it, also before it is read again', async () => {
  const { memory, database, turnIds } = await talk(
    ['Plan a dinner.', QUESTION],
    ['Peanuts and shellfish.', 'Noted.'],
  );
  expect(await claimsIn(database)).toMatchObject([{ text: `${QUESTION} Peanuts and shellfish.` }]);
  await memory.forget({ turnId: turnIds[0] ?? '' });
  expect(await storedText(database)).not.toContain('zanzibar');
  await memory.work.settled();
  expect(await storedText(database)).not.toContain('zanzibar');
  expect((await memory.recall('What must I not eat?')).text).not.toContain('zanzibar');
});

it.each(['stored', 'not stored yet'])(
  'FGT-73: the question of a forgotten answer is in no claim that a rebuild has read, %s',
  async (state) => {
    // Nothing else is learned from it.
    const question = 'What should I leave out, are you allergic to macadamia nuts?';
    const { memory, database, turnIds } = await talk(
      ['Plan a dinner.', question],
      ['Peanuts and shellfish.', 'Noted.'],
      ...Array.from({ length: 16 }, () => ['Hm.', 'Yes.'] as const),
    );
    const stopsAt = state === 'stored' ? 3 : 2;
    const original = RebuiltKnowledge.prototype.storeGathered;
    const commit = vi.spyOn(RebuiltKnowledge.prototype, 'commit');
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const store = vi
      .spyOn(RebuiltKnowledge.prototype, 'storeGathered')
      .mockImplementation(async function stopping(this: RebuiltKnowledge, ticket) {
        if (store.mock.calls.length === stopsAt) await released;
        return original.call(this, ticket);
      });
    try {
      const rebuilding = memory.backup.rebuild();
      await expect.poll(() => store.mock.calls.length).toBe(stopsAt);
      expect(commit.mock.calls.flatMap(([, { claims }]) => claims.map(({ text }) => text))).toEqual([
        `${question} Peanuts and shellfish.`,
      ]);
      await memory.forget({ turnId: turnIds[0] ?? '' });
      // The turns behind are read again before the rebuild ends.
      await expect.poll(() => memory.work.list()).toHaveLength(1);
      goOn();
      await rebuilding;
      await memory.work.settled();
    } finally {
      vi.restoreAllMocks();
    }
    expect(await storedText(database)).not.toContain('macadamia');
    expect((await memory.backup.verify()).problems).toEqual([]);
  },
);

it.each(['turn', 'assistant message', 'user message', 'time'] as const)(
  'FGT-74: after a %s was forgotten, the claims of the turns behind it are as if it had never been said',
  async (what) => {
    const kept = [
      ['Peanuts and shellfish.', 'Which of them is worse, and where do you live?'],
      ['In Porto, near the river.', 'Noted.'],
      ['Scratch that.', 'Gone.'],
    ] as const;
    const { memory, database, turnIds } = await talk(['I have a cat called Miso.', QUESTION], ...kept);
    const [turnId = ''] = turnIds;
    const messages = (await memory.history()).filter((each) => each.turnId === turnId);
    const [user = '', assistant = ''] = messages.map(({ id }) => id);
    if (what === 'turn') await memory.forget({ turnId });
    else if (what === 'time') await memory.forget({ before: SECOND });
    else await memory.forget({ messageId: what === 'user message' ? user : assistant });
    await memory.work.settled();
    const behind = (await claimsIn(database)).filter((row) => !JSON.stringify(row).includes('Miso'));
    // What the assistant asked is still there.
    const before = what === 'user message' ? ([['Hm.', QUESTION]] as const) : [];
    const fresh = await talk(...before, ...kept);
    expect(behind).toEqual(await claimsIn(fresh.database));
    expect(await memory.work.list()).toEqual([]);
  },
);
