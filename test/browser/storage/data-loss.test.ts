import { afterEach, expect, it } from 'vitest';
import { createMemory, openDatabase, type Memory, type Warning } from '../../../src/index.ts';
import { newId } from '../../../src/model/id.ts';
import { Connection } from '../../../src/storage/connection.ts';
import { TranscriptStore } from '../../../src/storage/transcript/transcript-store.ts';
import { openRaw, settled } from '../../fixtures/databases/raw-database.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memoryOf } from '../../fixtures/open-memory.ts';

const { getItem, setItem } = Storage.prototype;

afterEach(() => {
  Object.assign(Storage.prototype, { getItem, setItem });
});

/** Opens a memory without background work, so that only the test writes. */
function open(name: string, warnings: Warning[] = []): Promise<Memory> {
  const onWarning = (warning: Warning): number => warnings.push(warning);
  return memoryOf({ name, learning: false, onWarning });
}

/** A database in which this many turns were remembered, and which is closed again. */
async function remembered(turns: number): Promise<string> {
  const name = newId();
  const memory = await open(name);
  await remember(memory, turns, name);
  await memory.close();
  return name;
}

/** Remembers turns, and waits for the mark, which is written afterwards. */
async function remember(memory: Memory, turns: number, name: string): Promise<void> {
  for (let turn = 0; turn < turns; turn++)
    await memory.remember({ user: 'Sam lives in Rome.', assistant: 'Noted.' });
  await eventually(() => expect(localStorage.getItem(`mnemora:mark:${name}`)).not.toBeNull());
}

/** Deletes a database behind the library's back, as a damaged disk does. */
function lose(name: string): Promise<unknown> {
  return settled(indexedDB.deleteDatabase(name));
}

afterEach(() => localStorage.clear());

it('LOSS-1: a database that comes back empty is reported, by lastLoss(), a warning and verify()', async () => {
  const name = await remembered(3);
  await lose(name);
  const warnings: Warning[] = [];
  const memory = await open(name, warnings);
  const loss = await memory.device.lastLoss();
  expect(loss).toEqual({
    kind: 'gone',
    at: expect.any(Number) as number,
    lastWriteAt: expect.any(Number) as number,
    missingChanges: 3,
  });
  expect(loss?.lastWriteAt).toBeLessThanOrEqual(loss?.at ?? 0);
  await eventually(() => expect(warnings).toHaveLength(1));
  expect(warnings[0]).toMatchObject({ code: 'data-lost' });
  expect(warnings[0]?.message).toMatch(/was lost.*Import a backup, or call device\.acknowledgeLoss\(\)/);
  const { ok, problems } = await memory.backup.verify();
  expect({ ok, problems }).toMatchObject({ ok: false, problems: [{ problem: warnings[0]?.message }] });
});

it('LOSS-2: a database that comes back in an earlier state is reported with what is missing', async () => {
  const name = await remembered(5);
  const raw = await openRaw(name);
  const changes = raw.transaction('changes', 'readwrite').objectStore('changes');
  await settled(changes.delete(IDBKeyRange.lowerBound(3, true)));
  raw.close();
  const memory = await open(name);
  expect(await memory.device.lastLoss()).toMatchObject({ kind: 'older', missingChanges: 2 });
  expect((await memory.backup.verify()).problems[0]?.problem).toMatch(/its last 2 changes/);
});

it('LOSS-2: another database under the same name is reported', async () => {
  const name = await remembered(2);
  await lose(name);
  const other = new Connection({ name });
  const messages = [{ role: 'user' as const, content: 'Hi.' }];
  const turn = { sessionId: 's', scope: 'user', messages, state: 'complete' as const, createdAt: 0 };
  await new TranscriptStore(other).append(turn);
  other.close();
  expect(await (await open(name)).device.lastLoss()).toMatchObject({ kind: 'replaced', missingChanges: 2 });
});

it('LOSS-3: a loss is reported at every opening until it is acknowledged', async () => {
  const name = await remembered(1);
  await lose(name);
  const noticed = await open(name);
  // Noticed before anything is written: the database is then known to be empty.
  expect(await noticed.device.lastLoss()).toMatchObject({ kind: 'gone', missingChanges: 1 });
  await noticed.close();
  const memory = await open(name);
  await remember(memory, 2, name);
  expect(await memory.device.lastLoss()).toMatchObject({ kind: 'gone', missingChanges: 1 });
  await memory.close();
  const warnings: Warning[] = [];
  const database = await openDatabase({ name });
  const shared = await createMemory({ database, embedder: false, onWarning: (each) => warnings.push(each) });
  await eventually(() => expect(warnings).toMatchObject([{ code: 'data-lost' }]));
  await shared.device.acknowledgeLoss();
  expect(await shared.device.lastLoss()).toBeUndefined();
  expect(await shared.backup.verify()).toMatchObject({ ok: true });
  await shared.close();
  database.close();
  expect(await (await open(name)).device.lastLoss()).toBeUndefined();
});

it('LOSS-3: importing a backup acknowledges a loss', async () => {
  const name = newId();
  const memory = await open(name);
  await remember(memory, 2, name);
  const backup = await memory.backup.export();
  await memory.close();
  await lose(name);
  const reopened = await open(name);
  expect(await reopened.device.lastLoss()).toMatchObject({ kind: 'gone' });
  await reopened.backup.import(backup);
  expect(await reopened.device.lastLoss()).toBeUndefined();
  expect(await reopened.backup.verify()).toMatchObject({ ok: true, counts: { messages: 4 } });
});

it('LOSS-4: nothing is reported where nothing was lost', async () => {
  const none = async (name: string): Promise<void> => {
    const warnings: Warning[] = [];
    const memory = await open(name, warnings);
    expect(await memory.device.lastLoss()).toBeUndefined();
    expect(warnings).toEqual([]);
    await memory.close();
  };
  await none(newId());
  // Opened, and nothing remembered.
  const unused = newId();
  await none(unused);
  await lose(unused);
  await none(unused);
  // Written by a version that left no mark.
  const unmarked = await remembered(2);
  localStorage.clear();
  await none(unmarked);
  // Everything forgotten.
  const emptied = await remembered(2);
  const memory = await open(emptied);
  await memory.forget({ everything: true });
  await memory.close();
  await none(emptied);
  // Deleted through the library.
  await (await openDatabase({ name: emptied })).delete();
  expect(localStorage.getItem(`mnemora:mark:${emptied}`)).toBeNull();
  await none(emptied);
  // Imported into, which makes other tabs read everything again.
  const filled = await remembered(2);
  const from = await open(unmarked);
  const into = await open(filled);
  await into.backup.import(await from.backup.export());
  await into.remember({ user: 'Hi.', assistant: 'Hi.' });
  await into.close();
  await none(filled);
  // A newer version of the library, which this one may not open.
  (await openRaw(filled, 99)).close();
  await expect(open(filled)).rejects.toMatchObject({ code: 'storage-newer' });
});

it('LOSS-5: a site storage that is refused or full changes nothing else, and nothing is reported', async () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  for (const broken of [{ getItem: refuse, setItem: refuse }, { setItem: refuse }]) {
    Object.assign(Storage.prototype, { getItem, setItem }, broken);
    const name = newId();
    const memory = await open(name);
    await memory.remember({ user: 'Hi.', assistant: 'Hi.' });
    await memory.close();
    await lose(name);
    expect(await (await open(name)).device.lastLoss()).toBeUndefined();
    await (await openDatabase({ name })).delete();
  }
  // A mark that cannot be brought up to date is behind, and so reports nothing.
  Object.assign(Storage.prototype, { getItem, setItem });
  const name = await remembered(1);
  Object.assign(Storage.prototype, { setItem: refuse });
  const memory = await open(name);
  await memory.remember({ user: 'Hi.', assistant: 'Hi.' });
  await memory.close();
  expect(await (await open(name)).device.lastLoss()).toBeUndefined();
  // Something else has written to the entry.
  Object.assign(Storage.prototype, { getItem, setItem });
  for (const text of ['', 'null', '{"id":1}', '{"id":"x","revision":-1,"at":0}', 'x'.repeat(100_000)]) {
    localStorage.setItem(`mnemora:mark:${name}`, text);
    localStorage.setItem(`mnemora:loss:${name}`, text);
    const reopened = await open(name);
    expect(await reopened.device.lastLoss()).toBeUndefined();
    await reopened.close();
  }
});

it('LOSS-6: two tabs that write in turn leave one mark that is never ahead of the database', async () => {
  const name = newId();
  const tabs = await Promise.all([open(name), open(name)]);
  await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      tabs[turn % 2]?.remember({ user: `Turn ${turn}.`, assistant: 'Noted.' }),
    ),
  );
  const mark = (): { revision?: number } =>
    JSON.parse(localStorage.getItem(`mnemora:mark:${name}`) ?? '{}') as { revision?: number };
  await eventually(() => expect(mark().revision).toBe(40));
  await Promise.all(tabs.map((tab) => tab.close()));
  expect(await (await open(name)).device.lastLoss()).toBeUndefined();
});

it('LOSS-6: two databases have marks of their own', async () => {
  const [lost, kept] = [await remembered(1), await remembered(2)];
  await lose(lost);
  expect(await (await open(kept)).device.lastLoss()).toBeUndefined();
  expect(await (await open(lost)).device.lastLoss()).toMatchObject({ kind: 'gone', missingChanges: 1 });
});

it('LOSS-7: a database that is lost while it is open is reported at the next call', async () => {
  const name = newId();
  const warnings: Warning[] = [];
  const memory = await open(name, warnings);
  await remember(memory, 2, name);
  await lose(name);
  expect(await memory.history()).toEqual([]);
  await eventually(() => expect(warnings.map((each) => each.code)).toContain('data-lost'));
  expect(await memory.device.lastLoss()).toMatchObject({ kind: 'gone', missingChanges: 2 });
});

it('LOSS-8: what is kept outside the database is an id, a number and a time', async () => {
  const name = await remembered(2);
  const entry = JSON.parse(localStorage.getItem(`mnemora:mark:${name}`) ?? '') as object;
  expect(entry).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    revision: 2,
    at: expect.any(Number) as number,
  });
});
