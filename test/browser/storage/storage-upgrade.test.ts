import { expect, it, vi } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import type { UpgradeDatabase, UpgradeTransaction } from '../../../src/storage/migrations.ts';
import { makeFrozenDatabase } from '../../fixtures/databases/frozen-database.ts';
import { dump, openRaw } from '../../fixtures/databases/raw-database.ts';

const failing = vi.hoisted(() => ({ upgrade: false }));

// A version after the present ones, so that there is something to upgrade to.
vi.mock(import('../../../src/storage/migrations.ts'), async (importOriginal) => {
  const { MIGRATIONS } = await importOriginal();
  const next = [
    ...MIGRATIONS,
    (_database: UpgradeDatabase, transaction: UpgradeTransaction): void => {
      if (failing.upgrade) transaction.abort();
      else void transaction.objectStore('meta').put({ key: 'upgraded', value: 'yes' } as never);
    },
  ];
  return { MIGRATIONS: next, DATABASE_VERSION: next.length } as never;
});

it('UPG-3: a database of a newer version is rejected and not changed', async () => {
  const name = newId();
  const newer = await openRaw(name, 99, (database) => {
    database.createObjectStore('messages', { keyPath: 'id' }).put({ id: 'from the future' });
    database.createObjectStore('unheard-of');
  });
  newer.close();
  const before = await dump(name);
  await expect(openDatabase({ name })).rejects.toMatchObject({ name: 'MnemoraError', code: 'storage-newer' });
  expect(await dump(name)).toEqual(before);
  const again = await openRaw(name);
  expect([again.version, [...again.objectStoreNames]]).toEqual([99, ['messages', 'unheard-of']]);
});

it('UPG-7: an upgrade that an older connection blocks rejects with storage-blocked, and blocks nobody later', async () => {
  const name = newId();
  await makeFrozenDatabase(1, name);
  const before = await dump(name);
  const older = await openRaw(name, 1); // it ignores `versionchange`
  await expect(openDatabase({ name, blockedTimeoutMs: 800 })).rejects.toMatchObject({
    code: 'storage-blocked',
  });
  expect([older.version, before]).toEqual([1, await dumpThrough(older)]);
  older.close();
  const database = await openDatabase({ name });
  expect((await database.chatHistory('spring').list()).length).toBeGreaterThan(10);
  // The connection that was given up on must be gone, or this upgrade would wait for ever.
  (await openRaw(name, 99)).close();
});

it('UPG-8: the upgrade starts when the old tab closes, which is told to reload', async () => {
  const name = newId();
  await makeFrozenDatabase(1, name);
  const older = await openRaw(name, 1);
  older.addEventListener('versionchange', () => older.close());
  const database = await openDatabase({ name });
  expect((await dump(name))['meta']).toContainEqual({ key: 'upgraded', value: 'yes' });
  expect((await database.chatHistory('spring').list()).length).toBeGreaterThan(10);
  database.close();
});

it('UPG-9: a migration that fails leaves the old version', async () => {
  const name = newId();
  await makeFrozenDatabase(1, name);
  const before = await dump(name);
  failing.upgrade = true;
  await expect(openDatabase({ name })).rejects.toMatchObject({ code: 'storage-failed' });
  failing.upgrade = false;
  const old = await openRaw(name);
  expect([old.version, await dumpThrough(old)]).toEqual([1, before]);
  old.close();
});

async function dumpThrough(database: IDBDatabase): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  const transaction = database.transaction([...database.objectStoreNames]);
  await Promise.all(
    [...database.objectStoreNames].map(
      (store) =>
        new Promise<void>((resolve) => {
          const request = transaction.objectStore(store).getAll();
          request.addEventListener('success', () => {
            rows[store] = request.result;
            resolve();
          });
        }),
    ),
  );
  return rows;
}
