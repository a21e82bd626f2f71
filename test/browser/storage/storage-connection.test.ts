import { afterEach, expect, it } from 'vitest';
import { rowsOf } from '../../fixtures/rows-of.ts';
import type { MnemoraError } from '../../../src/model/error.ts';
import { newId } from '../../../src/model/id.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { openDatabase, type OpenDatabaseOptions } from '../../../src/sessions/open-database.ts';
import type { MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { dump, holdStores, openRaw } from '../../fixtures/databases/raw-database.ts';

const TURN: readonly ChatMessage[] = [
  { role: 'user', content: 'q' },
  { role: 'assistant', content: 'a' },
];
/** Long enough for a healthy database on a busy machine, short enough to wait for. */
const SOON = 800;

const opened: (MemoryDatabase | IDBDatabase)[] = [];
const kept = <T extends MemoryDatabase | IDBDatabase>(database: T): T => {
  opened.push(database);
  return database;
};
const open = async (options: OpenDatabaseOptions): Promise<MemoryDatabase> =>
  kept(await openDatabase(options));

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

/** Resolves when the page has called for this many transactions more. */
function transactionsBegun(count: number): Promise<void> {
  const { transaction } = IDBDatabase.prototype;
  let left = count;
  return new Promise((resolve) => {
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...request) {
      const begun = transaction.apply(this, request);
      left -= 1;
      if (left === 0) {
        IDBDatabase.prototype.transaction = transaction;
        resolve();
      }
      return begun;
    };
  });
}

it('UPG-5: a tab gives way to an upgrade at once, and its later calls reject with storage-newer', async () => {
  const name = newId();
  const database = await open({ name });
  const history = database.chatHistory('s');
  await history.addMessages(TURN);
  const before = await dump(name);
  const upgraded = await openRaw(name, 99);
  await expect(history.addMessages(TURN)).rejects.toMatchObject({ code: 'storage-newer' });
  await expect(history.list()).rejects.toMatchObject({ code: 'storage-newer' });
  await expect(database.chatMemoryStore().updateMessages('m', TURN)).rejects.toMatchObject({
    code: 'storage-newer',
  });
  upgraded.close();
  expect(await dump(name)).toEqual(before);
});

it('UPG-6: a write that is running when another tab upgrades is completed', async () => {
  const name = newId();
  const history = (await open({ name })).chatHistory('s');
  const written = Promise.all([history.addMessages(TURN), history.addMessages(TURN)]);
  const upgraded = openRaw(name, 99);
  await written;
  (await upgraded).close();
  expect((await dump(name))['messages']).toHaveLength(4);
});

it('STO-2: an open that another tab blocks rejects with storage-blocked, and blocks nobody later', async () => {
  const name = newId();
  const stubborn = kept(await openRaw(name, 1)); // it ignores `versionchange`
  const deleting = indexedDB.deleteDatabase(name);
  const deleted = new Promise((resolve) => deleting.addEventListener('success', resolve));
  await expect(openDatabase({ name, blockedTimeoutMs: SOON })).rejects.toMatchObject({
    code: 'storage-blocked',
  });
  stubborn.close();
  await deleted;
  await (await open({ name })).chatHistory('s').addMessages(TURN);
  // The connection that was given up on must be gone, or this upgrade would wait for ever.
  (await openRaw(name, 99)).close();
});

it("STO-3: a read or write that another tab's transaction blocks rejects with storage-blocked and writes nothing", async () => {
  const name = newId();
  const database = await open({ name, blockedTimeoutMs: SOON });
  const history = database.chatHistory('s');
  await history.addMessages(TURN);
  const release = holdStores(kept(await openRaw(name)), ['messages']);
  await expect(history.addMessages(TURN)).rejects.toMatchObject({ code: 'storage-blocked' });
  await expect(history.list()).rejects.toMatchObject({ code: 'storage-blocked' });
  await release();
  expect(await history.list()).toHaveLength(2);
  expect((await dump(name))['changes']).toHaveLength(1);
  await history.addMessages(TURN);
  expect(await history.list()).toHaveLength(4);
});

it('STO-4: a transaction that has started may take longer than blockedTimeoutMs', async () => {
  const name = newId();
  const connection = new Connection({ name, blockedTimeoutMs: SOON });
  const end = performance.now() + 3 * SOON;
  await connection.write(['tombstones'], async (transaction) => {
    const store = transaction.objectStore('tombstones');
    while (performance.now() < end) await store.get('x');
    await store.put(true, 'late');
  });
  expect(
    await connection.read(['tombstones'], (transaction) =>
      transaction.objectStore('tombstones').getAllKeys(),
    ),
  ).toEqual(['late']);
  connection.close();
});

it('STO-5: calls after close() reject with storage-closed, even if the database was still opening', async () => {
  const name = newId();
  const database = await open({ name });
  const history = database.chatHistory('s');
  const begun = history.addMessages(TURN);
  database.close();
  await begun;
  const calls = [
    () => history.addMessages(TURN),
    () => history.list(),
    () => database.sessions(),
    () => database.deleteSession('s'),
    () => database.chatMemoryStore().getMessages('m'),
    () => rowsOf(database).documents.readChanges('c', undefined),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'storage-closed' });
  expect((await dump(name))['messages']).toHaveLength(2);

  const connection = new Connection({ name });
  const opening = connection.open();
  connection.close();
  await expect(opening).rejects.toMatchObject({ code: 'storage-closed' });
  (await openRaw(name, 99)).close();
});

it('STO-6: delete() removes all data, and other tabs find an empty database', async () => {
  const name = newId();
  const [database, other] = [await open({ name }), await open({ name })];
  await database.chatHistory('s').addMessages(TURN);
  const before = await rowsOf(other).search.readChanges('user', undefined, undefined);
  await database.delete();
  await expect(database.sessions()).rejects.toMatchObject({ code: 'storage-closed' });
  expect(await other.sessions()).toEqual([]);
  expect(await other.chatHistory('s').list()).toEqual([]);
  const after = await rowsOf(other).search.readChanges('user', undefined, before.cursor);
  expect(after).toMatchObject({ reset: true, messages: [] });
  expect(after.cursor.generation).not.toBe(before.cursor.generation);
});

it('STO-7: delete() rejects with storage-blocked if another tab blocks it', async () => {
  const name = newId();
  const database = await open({ name, blockedTimeoutMs: SOON });
  const stubborn = kept(await openRaw(name));
  await expect(database.delete()).rejects.toMatchObject({ code: 'storage-blocked' });
  stubborn.close();
});

it('STO-8: an abort before or during a write rejects with its reason and writes nothing', async () => {
  const name = newId();
  // Whoever waits for this limit exceeds that of the test.
  const database = await open({ name, blockedTimeoutMs: 600_000 });
  const history = database.chatHistory('s');
  const reason = new Error('changed my mind');

  await expect(history.addMessages(TURN, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

  const plain = new AbortController();
  const writing = history.addMessages(TURN, { signal: plain.signal });
  plain.abort();
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });

  const release = holdStores(kept(await openRaw(name)), ['messages']);
  const waiting = new AbortController();
  const begun = transactionsBegun(2);
  const stuck = history.addMessages(TURN, { signal: waiting.signal });
  const stuckList = history.list({ signal: waiting.signal });
  await begun;
  waiting.abort(reason);
  await expect(stuck).rejects.toBe(reason);
  await expect(stuckList).rejects.toBe(reason);
  await release();

  const connection = new Connection({ name });
  const opening = new AbortController();
  const cold = connection.write(
    ['tombstones'],
    (transaction) => transaction.objectStore('tombstones').put(true, 'x'),
    opening.signal,
  );
  opening.abort(reason);
  await expect(cold).rejects.toBe(reason);

  const running = new AbortController();
  const half = connection.write(
    ['tombstones'],
    async (transaction) => {
      await transaction.objectStore('tombstones').put(true, 'x');
      running.abort(reason);
      await transaction.objectStore('tombstones').put(true, 'y');
    },
    running.signal,
  );
  await expect(half).rejects.toBe(reason);
  connection.close();

  const rows = await dump(name);
  expect([rows['messages'], rows['sessions'], rows['changes'], rows['tombstones']]).toEqual([[], [], [], []]);
  await history.addMessages(TURN);
  expect(await history.list()).toHaveLength(2);
});

it('STO-9: an abort after the write has no effect', async () => {
  const history = (await open({ name: newId() })).chatHistory('s');
  const controller = new AbortController();
  await history.addMessages(TURN, { signal: controller.signal });
  controller.abort();
  expect(await history.list()).toHaveLength(2);
});

it('STO-10: a write that fails halfway leaves nothing, and no gap in the change log', async () => {
  const name = newId();
  const database = await open({ name });
  const history = database.chatHistory('s');
  await history.addMessages(TURN);
  const { cursor } = await rowsOf(database).search.readChanges('user', undefined, undefined);
  const before = await dump(name);

  const put = IDBObjectStore.prototype.put;
  for (const failAt of [1, 2, 3]) {
    let puts = 0;
    IDBObjectStore.prototype.put = function (...row) {
      puts += 1;
      if (puts === failAt) throw new DOMException('played by the test', 'UnknownError');
      return put.apply(this, row);
    };
    const failing = history.addMessages(TURN).catch((error: unknown) => error as MnemoraError);
    expect(await failing).toMatchObject({ code: 'storage-failed', cause: { name: 'UnknownError' } });
    IDBObjectStore.prototype.put = put;
    expect(await dump(name)).toEqual(before);
  }
  await history.addMessages(TURN);
  const missed = await rowsOf(database).search.readChanges('user', undefined, cursor);
  expect(missed.reset).toBe(false);
  expect(missed.messages.map((row) => row.seq)).toEqual([2, 3]);
});

it('STO-1: opening with invalid options is rejected', async () => {
  for (const blockedTimeoutMs of [Number.NaN, -1, 0, Infinity, '5' as unknown as number]) {
    await expect(openDatabase({ name: newId(), blockedTimeoutMs })).rejects.toMatchObject({
      code: 'invalid-option',
    });
  }
  const unknown = { name: newId(), versoin: 2 } as OpenDatabaseOptions;
  await expect(openDatabase(unknown)).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(openDatabase({ name: '' })).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(openDatabase({ name: 5 as unknown as string })).rejects.toMatchObject({
    code: 'invalid-option',
  });
});
