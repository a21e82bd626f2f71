import { expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { Analyzer, SearchResult } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { ConversationIndex } from '../../../src/search/conversation-index.ts';
import type { ChangeCursor } from '../../../src/storage/change-log.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { hashEmbedder } from '../../fakes/hash-embedder.ts';
import { watchIdb, type IdbTraffic } from '../../fixtures/faults/idb-spy.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';
import { dump, openRaw, settled } from '../../fixtures/databases/raw-database.ts';

/** Messages about boats, two a turn, and one canary: in turn 7. */
async function filled(name: string, turns = 300, firstTurn = 0): Promise<void> {
  const database = await openDatabase({ name });
  const messages = Array.from({ length: turns }, (_, at) => firstTurn + at).flatMap((turn) => [
    {
      role: 'user' as const,
      content: turn === 7 ? 'the zyxquark code' : `Note ${turn}: boat ${turn % 97} is blue.`,
    },
    { role: 'assistant' as const, content: `Noted ${turn}.` },
  ]);
  await rowsOf(database).transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1 });
  database.close();
}

/** Opens a memory, asks it, and closes it when its index is saved. Returns what was found and what was read. */
async function openAndAsk(
  name: string,
  query = 'boat 13 is blue',
  k = 20,
): Promise<{ found: SearchResult[]; traffic: IdbTraffic }> {
  const memory = await memoryOf({ name, learning: false });
  let found: SearchResult[] = [];
  const traffic = await watchIdb(async () => {
    found = await memory.search(query, { limit: k });
  });
  await memory.work.settled();
  await memory.close();
  return { found, traffic };
}

async function removeSavedIndex(name: string): Promise<void> {
  const raw = await openRaw(name);
  await settled(raw.transaction('postings', 'readwrite').objectStore('postings').clear());
  raw.close();
}

it('IDX-3: a cold open uses the saved index, reads only newer messages and ranks as before', async () => {
  const name = newId();
  await filled(name);
  const embedder = hashEmbedder();
  const first = await memoryOf({ name, embedder, learning: false });
  await first.search('boat 13');
  await first.work.settled();
  const before = await first.search('boat 13 is blue', { limit: 20 });
  await first.remember({ user: 'boat 13 sank', assistant: 'oh' });
  await first.work.settled();
  await first.close();
  const embedded = embedder.documents.length;
  const again = await memoryOf({ name, embedder, learning: false });
  const opening = await watchIdb(() => again.search('boat 13 sank', { limit: 1 }));
  // The snapshot, a few blocks of vectors, and what came after; not 600 messages.
  expect(opening.rows).toBeLessThan(60);
  expect((await again.search('boat 13 sank', { limit: 1 }))[0]?.message.content).toBe('boat 13 sank');
  await again.work.settled();
  expect(embedder.documents).toHaveLength(embedded);
  await again.forget({ messageId: (await again.search('sank', { limit: 1 }))[0]?.message.id ?? '' });
  const after = await again.search('boat 13 is blue', { limit: 20 });
  expect(after.slice(0, 5).map(({ message }) => message.id)).toEqual(
    before.slice(0, 5).map(({ message }) => message.id),
  );
});

it('IDX-4: forgotten text is not in a saved index, even if another tab saves one right after', async () => {
  const name = newId();
  await filled(name);
  const here = await memoryOf({ name, learning: false });
  const there = await memoryOf({ name, learning: false });
  const [canary] = await here.search('zyxquark', { limit: 1 });
  await here.work.settled();
  expect(bytesOf((await dump(name))['postings'])).toContain('zyxquark');
  await Promise.all([there.search('boat'), here.forget({ messageId: canary?.message.id ?? '' })]);
  await there.work.settled();
  await here.work.settled();
  const { postings } = await dump(name);
  expect(postings).toHaveLength(1);
  expect(bytesOf(postings)).not.toContain('zyxquark');
  expect(bytesOf(postings)).not.toContain(canary?.message.id);
  expect(await there.search('zyxquark')).toEqual([]);
});

it('IDX-4: a tab that has not read of an erasure, or was overtaken by another, does not save', async () => {
  const name = newId();
  await filled(name);
  const { transcript, search } = rowsOf(await openDatabase({ name }));
  const { changes } = await search.loadIndex('user');
  const index = new ConversationIndex();
  const place = { sessionId: 's', order: 15, turnId: 't', createdAt: 1 };
  index.add(changes.messages[14]?.id ?? '', 'the zyxquark code', place);
  const parts = [{ analyzer: '', segment: index.toSegment(index.ids()) }];
  const save = (from: ChangeCursor | undefined): Promise<ChangeCursor | undefined> =>
    search.saveIndex('user', parts, { from, to: changes.cursor });
  expect(await save({ ...changes.cursor, revision: 0 })).toBeUndefined();
  expect(await save({ ...changes.cursor, generation: 'another' })).toBeUndefined();
  expect((await dump(name))['postings']).toEqual([]);
  expect(await save(undefined)).toEqual(changes.cursor);
  expect(await save({ ...changes.cursor, revision: 0 })).toEqual(changes.cursor);
  expect((await dump(name))['postings']).toHaveLength(1);
  await transcript.forget({ messageId: changes.messages[14]?.id ?? '' }, 'user');
  expect(await save(undefined)).toEqual(changes.cursor);
  expect(await save(changes.cursor)).toEqual(changes.cursor);
  const { postings } = await dump(name);
  expect(postings).toHaveLength(1);
  expect(bytesOf(postings)).not.toContain('zyxquark');
  transcript.close();
});

it('IDX-5: an unreadable saved index is ignored, all messages are read, and it is saved again', async () => {
  const name = newId();
  await filled(name);
  const { found } = await openAndAsk(name);
  const [good] = (await dump(name))['postings'] as { segment: object }[];
  for (const bad of [
    { ...good, segment: { ...good?.segment, version: 99 } },
    { ...good, segment: { ...good?.segment, postings: new Uint8Array(9) } },
    { ...good, cursor: { revision: 'x' } },
    { ...good, analyzer: 'another' },
    { scope: 'user', part: 3 },
  ]) {
    const raw = await openRaw(name);
    await settled(raw.transaction('postings', 'readwrite').objectStore('postings').put(bad));
    raw.close();
    expect((await openAndAsk(name)).found).toEqual(found);
    expect((await dump(name))['postings']).toEqual([good]);
  }
});

/**
 * More rows than an opening reads, whatever is stored: the parts, what is returned with the other half of its turn, and
 * what the queues read that begin to work meanwhile on a slow machine.
 */
const OPENING_ROWS = 40 + 20;

it('IDX-9: a cold open reads a few segments and at most 128 messages, however many there are', async () => {
  for (const turns of [600, 2400]) {
    const name = newId();
    await filled(name, turns);
    await openAndAsk(name);
    const whole = await openAndAsk(name);
    await filled(name, 63, turns);
    const after = await openAndAsk(name);
    expect((await dump(name))['postings']).toHaveLength(Math.ceil((2 * turns) / 2048));
    expect(whole.traffic.rows).toBeLessThan(OPENING_ROWS);
    expect(after.traffic.rows).toBeLessThan(126 + OPENING_ROWS);
    await removeSavedIndex(name);
    const anew = await openAndAsk(name);
    expect(anew.traffic.rows).toBeGreaterThan(2 * turns);
    expect(after.found).toEqual(anew.found);
  }
});

it('IDX-10: adding a turn writes at most one segment, and many small segments are merged', async () => {
  const name = newId();
  const memory = await memoryOf({ name, learning: false });
  let saves = 0;
  for (let turn = 0; turn < 300; turn++) {
    const { putsTo } = await watchIdb(async () => {
      await memory.remember({ user: `boat ${turn}`, assistant: 'noted' });
      await memory.search(`boat ${turn}`, { limit: 1 });
      await memory.work.settled();
    });
    const parts = putsTo['postings'] ?? 0;
    expect(parts).toBeLessThanOrEqual(1);
    saves += parts;
  }
  expect(saves).toBe(4);
  for (let save = 0; save < 14; save++) {
    await filled(name, 64, 300 + 64 * save);
    const { putsTo } = await watchIdb(async () => {
      await memory.search('boat', { limit: 1 });
      await memory.work.settled();
    });
    const parts = putsTo['postings'] ?? 0;
    expect(parts).toBe(save === 11 ? 2 : 1); // the new part, and those of a full group as one in their place
  }
  const postings = (await dump(name))['postings'] as { segment: { ids: string[] } }[];
  expect(postings.map(({ segment }) => segment.ids.length)).toEqual([2008, 128, 128, 128]);
  const { found, traffic } = await openAndAsk(name);
  expect(traffic.rows).toBeLessThan(OPENING_ROWS);
  await removeSavedIndex(name);
  expect((await openAndAsk(name)).found).toEqual(found);
});

it('IDX-11: forgetting rewrites only the affected segments, and a cold open reads no more than before', async () => {
  const name = newId();
  await filled(name, 3000);
  const [canary] = (await openAndAsk(name, 'zyxquark')).found;
  const memory = await memoryOf({ name, learning: false });
  await memory.search('boat');
  const { putsTo } = await watchIdb(() => memory.forget({ messageId: canary?.message.id ?? '' }));
  expect(putsTo['postings']).toBe(1);
  await memory.close();
  const { found, traffic } = await openAndAsk(name);
  expect(traffic.rows).toBeLessThan(OPENING_ROWS);
  const { postings } = await dump(name);
  expect(postings).toHaveLength(3);
  expect(bytesOf(postings)).not.toContain('zyxquark');
  await removeSavedIndex(name);
  expect((await openAndAsk(name)).found).toEqual(found);
});

it('IDX-11: the saved index is removed after everything was forgotten or when a segment is damaged', async () => {
  for (const isDamaged of [false, true]) {
    const name = newId();
    await filled(name);
    const [canary] = (await openAndAsk(name, 'zyxquark')).found;
    if (isDamaged) {
      const raw = await openRaw(name);
      const store = raw.transaction('postings', 'readwrite').objectStore('postings');
      const [part] = (await settled(store.getAll())) as { segment: { properties?: object } }[];
      delete part?.segment.properties;
      await settled(store.put(part));
      raw.close();
    }
    const memory = await memoryOf({ name, learning: false });
    await memory.forget(isDamaged ? { messageId: canary?.message.id ?? '' } : { everything: true });
    expect((await dump(name))['postings']).toEqual([]);
  }
});

it('IDX-12: an index saved by several tabs that add and forget ranks like one built from scratch', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(seed);
    const name = newId();
    const tabs = await Promise.all([1, 2, 3].map(() => memoryOf({ name, learning: false })));
    for (let step = 0; step < 24; step++) {
      const tab = Math.floor(random() * tabs.length);
      const memory = tabs[tab];
      const what = random();
      if (what < 0.4) await filled(name, 20 + Math.floor(random() * 300), 1000 * step);
      else if (what < 0.5) {
        const hits = await memory?.search(`boat ${Math.floor(random() * 97)}`, { limit: 3 });
        if (hits?.[0]) await memory?.forget({ turnId: hits[0].message.turnId });
      } else if (what < 0.6) {
        await memory?.close();
        tabs[tab] = await memoryOf({ name, learning: false });
      } else if (what < 0.65) await memory?.forget({ everything: true });
      else await Promise.all(tabs.filter(() => random() < 0.6).map((each) => each.search('boat')));
    }
    for (const tab of tabs) {
      await tab.search('boat'); // each sees all and saves what is worth it
      await tab.work.settled();
    }
    const { found } = await openAndAsk(name, 'boat 13 is blue, noted 5', 9999);
    await removeSavedIndex(name);
    expect((await openAndAsk(name, 'boat 13 is blue, noted 5', 9999)).found).toEqual(found);
    await Promise.all(tabs.map((tab) => tab.close()));
  }
}, 120_000);

it('IDX-13: a memory uses its own analyzer and no index saved with another one', async () => {
  const name = newId();
  const analyzer: Analyzer = {
    id: 'german-compounds-1',
    analyze: (body) => body.toLowerCase().match(/schiff|fahrt|dampf|\p{L}+|\d+/gu) ?? [],
    stopWords: new Set(['die', 'der']),
  };
  const database = await openDatabase({ name });
  const content = (turn: number): string => (turn === 70 ? 'Die Dampfschifffahrt beginnt.' : `Tag ${turn}.`);
  const messages = Array.from({ length: 140 }, (_, turn) => ({
    role: 'user' as const,
    content: content(turn),
  }));
  await rowsOf(database).transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1 });
  database.close();
  const hasReadAll: boolean[] = [];
  const options: { analyzer?: Analyzer }[] = [{}, { analyzer }, { analyzer }, {}];
  for (const given of options) {
    const memory = await memoryOf({ name, learning: false, ...given });
    let found: string[] = [];
    const { rows } = await watchIdb(async () => {
      found = (await memory.search('Wann fährt das Schiff?', { limit: 1 })).map((hit) =>
        String(hit.message.content),
      );
    });
    expect(found).toEqual('analyzer' in given ? ['Die Dampfschifffahrt beginnt.'] : []);
    await memory.work.settled();
    await memory.close();
    const postings = (await dump(name))['postings'] as { analyzer: string }[];
    expect(postings.map((part) => part.analyzer)).toEqual([given.analyzer?.id ?? '']);
    hasReadAll.push(rows > 100);
  }
  expect(hasReadAll).toEqual([true, true, false, true]);
});

it('IDX-15: a tab whose saved index is gone saves everything once, and nothing more while nothing new arrives', async () => {
  const name = newId();
  await filled(name);
  const memory = await memoryOf({ name, learning: false });
  const puts = async (): Promise<number> => {
    const { putsTo } = await watchIdb(async () => {
      await memory.search('boat', { limit: 1 });
      await memory.work.settled();
    });
    return putsTo['postings'] ?? 0;
  };
  expect(await puts()).toBe(1);
  await removeSavedIndex(name);
  await filled(name, 64, 300);
  expect(await puts()).toBe(0); // what it would have gone on from is gone
  expect([await puts(), await puts(), await puts()]).toEqual([1, 0, 0]);
});

/** All text in typed arrays and fields, in lower case. */
function bytesOf(value: unknown): string {
  if (ArrayBuffer.isView(value)) {
    return new TextDecoder().decode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(bytesOf).join('\n').toLowerCase();
}
