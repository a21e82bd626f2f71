import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { besideQueues, watchIdb } from '../../fixtures/faults/idb-spy.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';

/** A session of two messages a turn, all of which fit the question about gates. */
async function filled(name: string, turns: number): Promise<void> {
  const database = await openDatabase({ name });
  const messages = Array.from({ length: turns }, (_, turn) => [
    {
      role: 'user' as const,
      content: `Note ${turn}: the parcel of the neighbors, with all that was in it, is at gate ${turn % 97} of the airport.`,
    },
    { role: 'assistant' as const, content: `Noted ${turn}: ${'I shall remember that well. '.repeat(4)}` },
  ]).flat();
  await rowsOf(database).transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1 });
  database.close();
}

async function vectorIds(name: string): Promise<string[]> {
  const { vectors = [] } = await dump(name);
  return (vectors as { ids: string[] }[]).flatMap((block) => block.ids);
}

describe('the cost of a turn, a question and a restart', { timeout: 60_000 }, () => {
  it('EMB-30: adding a turn embeds at most three texts and writes its records and at most two blocks of vectors', async () => {
    const name = newId();
    await filled(name, 506); // so that the turns added here close a large block
    const embedder = hashEmbedder();
    const memory = await memoryOf({ name, embedder, learning: false, sessionId: 's' });
    await memory.remember({ messages: [{ role: 'user', content: 'so that turns lie across blocks' }] });
    await memory.work.settled();
    const blocks: number[] = [];
    for (let turn = 0; turn < 42; turn += 1) {
      const before = embedder.documents.length;
      const { putsTo } = await watchIdb(async () => {
        await memory.remember({ user: `question ${turn}`, assistant: `answer ${turn}` });
        await memory.work.settled();
      });
      const embedded = embedder.documents.length - before;
      expect(embedded).toBeGreaterThan(0);
      expect(embedded).toBeLessThanOrEqual(3);
      const { vectors = 0, postings = 0, ...records } = putsTo;
      expect(records['messages']).toBe(2);
      expect(records['sessions']).toBe(1);
      expect(records['changes']).toBeLessThanOrEqual(3);
      expect(Object.keys(records).toSorted()).toEqual(['changes', 'messages', 'sessions']);
      expect(postings).toBeLessThanOrEqual(1);
      blocks.push(vectors);
    }
    expect(new Set(blocks)).toEqual(new Set([1, 2]));
  });

  // The session's end is read by 64 messages, and the turn at its edge once more as a whole.
  it.each([
    // As many found turns as may be quoted, and as those of the window, which are found too.
    ['without a summary', { learning: false, recentTurns: 8 }, 64 + 2 + 2 * (32 + 8)],
    // As far back as a request of 2,000 tokens may reach.
    ['with summaries', { recentTurns: 8 }, 2 * 64 + 2 + 2 * (32 + 32)],
  ] as const)(
    'REC-40: recall reads as many of 2,000 messages as of 200, %s',
    async (_name, options, margin) => {
      const reads: (number | undefined)[] = [];
      for (const turns of [100, 1000]) {
        const name = newId();
        await filled(name, turns);
        const memory = await memoryOf({ name, sessionId: 's', embedder: hashEmbedder(), ...options });
        await memory.work.settled();
        await memory.recall('At which gate is the parcel of the neighbors?');
        await memory.work.settled(); // what was counted is stored in the background
        const traffic = await watchIdb(async () => {
          const { items } = await memory.recall('At which gate was the parcel?');
          expect(items.length).toBeGreaterThan(5);
        }, besideQueues);
        const { messages = 0 } = traffic.rowsOf;
        expect(messages).toBeLessThanOrEqual(margin);
        expect(traffic.rows - messages).toBeLessThanOrEqual(8);
        expect(traffic.writes).toBe(0);
        reads.push(messages);
      }
      expect(reads[1]).toBe(reads[0]);
    },
  );

  it('EMB-29: reopening embeds only what was missing when the page closed', async () => {
    const name = newId();
    await filled(name, 60);
    const batches: (readonly string[])[] = [];
    const first = hashEmbedder({
      before: (texts, kind) => {
        if (kind === 'query') return undefined;
        batches.push(texts);
        return batches.length > 2 ? new Promise(() => undefined) : undefined;
      },
    });
    const closing = await memoryOf({ name, embedder: first, learning: false });
    await eventually(() => expect(batches).toHaveLength(3));
    await closing.close();
    const kept = await vectorIds(name);
    expect(kept.length).toBeGreaterThan(40);
    expect(kept.length).toBeLessThan(80);
    const second = hashEmbedder();
    const memory = await memoryOf({ name, embedder: second, learning: false });
    await memory.work.settled();
    const stored = new Set(batches.slice(0, 2).flat());
    expect(second.documents.filter((text) => stored.has(text))).toEqual([]);
    expect(new Set(second.documents).size).toBe(second.documents.length);
    const all = await vectorIds(name);
    expect(new Set(all).size).toBe(120);
    expect(all).toHaveLength(120);
    await memory.close();
    const third = hashEmbedder();
    await (await memoryOf({ name, embedder: third, learning: false })).work.settled();
    expect(third.documents).toEqual([]);
  });
});
