import { expect, it, onTestFinished, vi } from 'vitest';
import type { Warning } from '../../../src/model/warning.ts';
import { engineOf, type MemoryDatabase } from '../../../src/sessions/memory-database.ts';
import { openStores } from '../../../src/sessions/memory-stores.ts';
import { openDatabase } from '../../../src/sessions/open-database.ts';
import { MemoryEngine } from '../../../src/storage/memory-engine.ts';

const SETTINGS = { name: 'mnemora', clock: Date.now, storage: 'memory', scope: 'user' } as const;
const LOST: Warning = { code: 'data-lost', message: 'The database was lost.' };

/** A database in RAM that is said to be lost at each opening. */
async function losing(): Promise<{ database: MemoryDatabase; reopened: () => void }> {
  const database = await openDatabase({ storage: 'memory' });
  onTestFinished(() => database.close());
  const told = new Set<(warning: Warning) => void>();
  Object.assign(engineOf(database), {
    losses: {
      tell(listener: (warning: Warning) => void) {
        told.add(listener);
        return () => told.delete(listener);
      },
    },
  });
  return { database, reopened: () => told.forEach((listener) => listener(LOST)) };
}

/** Makes the first read of the next memory fail. */
function failingRead(): void {
  vi.spyOn(MemoryEngine.prototype, 'closed', 'get').mockReturnValueOnce(AbortSignal.abort());
  onTestFinished(() => void vi.restoreAllMocks());
}

it('MEM-18: a memory that fails to open closes the database that it has opened', async () => {
  const closes = vi.spyOn(MemoryEngine.prototype, 'close');
  failingRead();
  await expect(openStores(SETTINGS, () => undefined)).rejects.toMatchObject({ code: 'storage-closed' });
  expect(closes.mock.calls).toHaveLength(1);
});

it('MEM-18: it leaves a shared database open, and gets no warnings of it', async () => {
  const { database, reopened } = await losing();
  failingRead();
  const warnings: Warning[] = [];
  const opening = openStores({ ...SETTINGS, database }, (warning) => warnings.push(warning));
  await expect(opening).rejects.toMatchObject({ code: 'storage-closed' });
  reopened();
  expect(warnings).toEqual([]);
  expect(await database.sessions()).toEqual([]);
});

it('LOSS-11: a memory on a shared database gets its losses until it is closed', async () => {
  const { database, reopened } = await losing();
  const [first, second]: [Warning[], Warning[]] = [[], []];
  const stores = await openStores({ ...SETTINGS, database }, (warning) => first.push(warning));
  await openStores({ ...SETTINGS, database }, (warning) => second.push(warning));
  reopened();
  stores.close();
  reopened();
  expect([first, second]).toEqual([[LOST], [LOST, LOST]]);
});
