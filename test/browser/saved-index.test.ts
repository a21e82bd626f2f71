import { expect, it } from 'vitest';
import { openDatabase } from '../../src/history/open-database.ts';
import { newId } from '../../src/model/id.ts';
import { hashEmbedder } from '../fakes/hash-embedder.ts';
import { watchIdb } from '../fixtures/idb-spy.ts';
import { memoryOf } from '../fixtures/open-memory.ts';
import { dump, openRaw } from '../fixtures/raw-database.ts';

/** 600 messages about boats, and one canary. */
async function filled(name: string): Promise<void> {
  const database = await openDatabase({ name });
  const messages = Array.from({ length: 300 }, (_, turn) => [
    {
      role: 'user' as const,
      content: turn === 7 ? 'the zyxquark code' : `Note ${turn}: boat ${turn % 97} is blue.`,
    },
    { role: 'assistant' as const, content: `Noted ${turn}.` },
  ]).flat();
  await database.transcript.append({ sessionId: 's', messages, state: 'complete', createdAt: 1 });
  database.close();
}

it('K90: a cold open takes over the index that was saved, reads only the messages that came after, and ranks alike', async () => {
  const name = newId();
  await filled(name);
  const embedder = hashEmbedder();
  const first = await memoryOf({ name, embedder, extractor: false });
  await first.search('boat 13');
  await first.settled();
  const before = await first.search('boat 13 is blue', { k: 20 });
  await first.remember({ user: 'boat 13 sank', assistant: 'oh' });
  await first.settled();
  await first.close();
  const embedded = embedder.documents.length;
  const again = await memoryOf({ name, embedder, extractor: false });
  const opening = await watchIdb(() => again.search('boat 13 sank', { k: 1 }));
  // The snapshot, a few blocks of vectors, and what came after; not 600 messages.
  expect(opening.rows).toBeLessThan(60);
  expect((await again.search('boat 13 sank', { k: 1 }))[0]?.content).toBe('boat 13 sank');
  await again.settled();
  expect(embedder.documents).toHaveLength(embedded);
  await again.forget({ messageId: (await again.search('sank', { k: 1 }))[0]?.id ?? '' });
  const after = await again.search('boat 13 is blue', { k: 20 });
  expect(after.slice(0, 5).map(({ id }) => id)).toEqual(before.slice(0, 5).map(({ id }) => id));
});

it('K91: what was forgotten is in no saved index, also where another tab saves one right after', async () => {
  const name = newId();
  await filled(name);
  const here = await memoryOf({ name, extractor: false });
  const there = await memoryOf({ name, extractor: false });
  const [canary] = await here.search('zyxquark', { k: 1 });
  await here.settled();
  expect((await dump(name))['postings']).toHaveLength(1);
  await Promise.all([there.search('boat'), here.forget({ messageId: canary?.id ?? '' })]);
  await there.settled();
  await here.settled();
  expect(bytesOf((await dump(name))['postings'])).not.toContain('zyxquark');
  expect(await there.search('zyxquark')).toEqual([]);
});

it('K92: a saved index that cannot be used is left aside, and everything is read', async () => {
  const name = newId();
  await filled(name);
  const raw = await openRaw(name);
  const put = raw.transaction('postings', 'readwrite').objectStore('postings');
  put.put({
    scope: 'user',
    part: 'snapshot',
    snapshot: { version: 99, conversations: { keywords: {} }, messages: {} },
  });
  await new Promise((resolve) => put.transaction.addEventListener('complete', resolve));
  raw.close();
  const memory = await memoryOf({ name, extractor: false });
  expect(await memory.search('zyxquark')).toHaveLength(1);
});

/** All text in typed arrays and fields, in lower case. */
function bytesOf(value: unknown): string {
  if (ArrayBuffer.isView(value)) {
    return new TextDecoder().decode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(bytesOf).join('\n').toLowerCase();
}
