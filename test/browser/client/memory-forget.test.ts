import { describe, expect, it } from 'vitest';
import type { Memory, CreateMemoryOptions, ForgetSelector } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { openRaw, settled } from '../../fixtures/databases/raw-database.ts';
import { memoryOf as openMemory } from '../../fixtures/open-memory.ts';

function memoryOf(options: CreateMemoryOptions = {}): Promise<Memory> {
  return openMemory({ embedder: hashEmbedder(), ...options });
}

/** Everything that the database holds, keys of rows and of indexes included, as text. */
async function everything(name: string): Promise<Record<string, string>> {
  const database = await openRaw(name);
  const stores: Record<string, string> = {};
  for (const storeName of database.objectStoreNames) {
    const store = database.transaction(storeName).objectStore(storeName);
    const [keys, rows] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    stores[storeName] = JSON.stringify([keys, rows]);
  }
  database.close();
  return stores;
}

async function holders(name: string, text: string): Promise<string[]> {
  return Object.entries(await everything(name)).flatMap(([store, dump]) =>
    dump.includes(text) ? [store] : [],
  );
}

describe('forget', () => {
  it('FGT-6: no selector leaves a trace of the text in any store', async () => {
    const selectors: ((ids: {
      turnId: string;
      sessionId: string;
      messageIds: string[];
    }) => ForgetSelector)[] = [
      ({ messageIds }) => ({ messageId: messageIds[0] ?? '' }),
      ({ turnId }) => ({ turnId }),
      ({ sessionId }) => ({ sessionId }),
      () => ({ before: 1000 }),
      () => ({ everything: true }),
    ];
    for (const select of selectors) {
      const name = newId();
      const memory = await memoryOf({ name });
      const metadata = { note: 'quokkametadata' };
      const receipt = await memory.remember(
        { user: 'quokkauser lives here', assistant: 'quokkaanswer it is' },
        { createdAt: 500, metadata },
      );
      await memory.session('other').remember({ user: 'a boat', assistant: 'ok' }, { createdAt: 2000 });
      await memory.recall('quokkauser'); // counts tokens, stores them
      await memory.work.settled();
      expect(await holders(name, 'quokkauser')).toEqual(['messages', 'sessions']);
      const selector = select(receipt);
      const isOneMessage = 'messageId' in selector;
      const forgotten = await memory.forget(selector);
      const all = 'everything' in selector ? 4 : isOneMessage ? 1 : 2;
      expect(forgotten).toMatchObject({ messages: all, vectors: all });
      await memory.work.settled();
      const found = await holders(name, 'quokkauser');
      expect(found, JSON.stringify(selector)).toEqual([]);
      if (isOneMessage) continue;
      expect(await holders(name, 'quokka')).toEqual([]);
      const { tombstones = '' } = await everything(name);
      expect(JSON.parse(tombstones)).toEqual([
        expect.arrayContaining(receipt.messageIds),
        Array.from({ length: all }, () => true),
      ]);
      expect(await memory.search('quokkauser', { limit: 50 })).toEqual([]);
      await memory.close();
      const reopened = await memoryOf({ name });
      await reopened.work.settled();
      expect(
        (await reopened.search('quokkauser lives', { limit: 50 })).map((each) => each.message.turnId),
      ).not.toContain(receipt.turnId);
    }
  });

  it('FGT-7: a title that quotes a forgotten message is made again from what is left', async () => {
    const name = newId();
    const memory = await memoryOf({ name });
    const { messageIds } = await memory.remember({ user: 'The safe code is zebra', assistant: 'Ok' });
    await memory.remember({ user: 'And the weather?', assistant: 'Sunny' });
    await memory.forget({ messageId: messageIds[0] ?? '' });
    expect(await memory.sessions()).toMatchObject([{ title: 'And the weather?', messageCount: 3 }]);
    expect(await holders(name, 'zebra')).toEqual([]);
  });

  it('FGT-5: before erases whole turns that began earlier, and unknown ids count as nothing', async () => {
    const memory = await memoryOf();
    for (const createdAt of [1, 10, 20]) {
      await memory.remember({ user: `u${createdAt}`, assistant: `a${createdAt}` }, { createdAt });
    }
    expect(await memory.forget({ before: 10 })).toMatchObject({ messages: 2, turns: 1 });
    expect((await memory.history()).map((message) => message.content)).toEqual(['u10', 'a10', 'u20', 'a20']);
    const nothing = {
      messages: 0,
      turns: 0,
      sessions: 0,
      documents: 0,
      vectors: 0,
      facts: 0,
      entities: 0,
      summaries: 0,
      turnsStillNaming: 0,
    };
    expect(await memory.forget({ before: -Infinity })).toEqual(nothing);
    expect(await memory.forget({ turnId: 'none' })).toEqual(nothing);
    expect(await memory.forget({ sessionId: 'none' })).toEqual(nothing);
    expect(await memory.history()).toHaveLength(4);
  });

  it('FGT-8: what was forgotten can be said again and is then found', async () => {
    const memory = await memoryOf();
    const { turnId } = await memory.remember({ user: 'my cat is Tom', assistant: 'ok' }, { turnId: 't' });
    await memory.forget({ turnId });
    const again = await memory.remember({ user: 'my cat is Tom', assistant: 'ok' }, { turnId: 't' });
    expect(again.duplicate).toBe(false);
    await memory.work.settled();
    expect((await memory.search('cat')).map((found) => found.message.id)).toEqual([again.messageIds[0]]);
  });

  it('FGT-9: everything of one scope is erased and nothing of another', async () => {
    const name = newId();
    const mine = await memoryOf({ name });
    const theirs = await memoryOf({ name, scope: 'guest' });
    await mine.remember({ user: 'my zebra', assistant: 'ok' });
    await theirs.remember({ user: 'their zebra', assistant: 'ok' });
    await Promise.all([mine.work.settled(), theirs.work.settled()]);
    await mine.forget({ everything: true });
    expect(await holders(name, 'my zebra')).toEqual([]);
    expect(await theirs.search('zebra')).toHaveLength(1);
    expect(await theirs.sessions()).toHaveLength(1);
  });
});
