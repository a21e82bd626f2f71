import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBrowser, type TestBrowser } from './browser.ts';
import { openDatabase } from './open-in-tab.ts';

let browser: TestBrowser;
let page: Page;
let devtools: CDPSession;

beforeAll(async () => {
  browser = await startTestBrowser();
  page = await browser.openTab();
  devtools = await browser.devtools(page);
});
afterAll(() => browser.close());

it('STO-11: a full disk rejects with storage-full, also at the first opening, and nothing is half-written', async () => {
  await setQuota(1); // before the origin touches IndexedDB
  expect(await openDatabase(page, 'full')).toBe('storage-full');
  await setQuota(3_000_000);
  expect(await openDatabase(page, 'full')).toBe('opened');
  const filled = await page.evaluate(async () => {
    const history = window.tab.database?.chatHistory('big');
    const codes: string[] = [];
    for (let n = 0; n < 60 && codes.length < 3; n += 1) {
      const noise = crypto.getRandomValues(new Uint8Array(50_000)).toString();
      await history
        ?.addMessages([
          { role: 'user', content: `question ${n}` },
          { role: 'assistant', content: noise },
        ])
        .catch((error: { code: string }) => codes.push(error.code));
    }
    const rows = (await history?.list()) ?? [];
    const { database } = window.tab;
    const session = database && (await window.tab.rowsOf(database).transcript.session(['user', 'big']));
    return {
      codes,
      seqs: rows.map((row) => row.seq),
      roles: rows.map((row) => row.role),
      counted: session?.messageCount,
    };
  });
  const { length } = filled.seqs;
  expect(filled.codes).toEqual(['storage-full', 'storage-full', 'storage-full']);
  expect(length).toBeGreaterThan(10);
  expect(filled.seqs).toEqual(Array.from({ length }, (_, n) => n));
  expect(filled.roles).toEqual(Array.from({ length }, (_, n) => (n % 2 === 0 ? 'user' : 'assistant')));
  expect(filled.counted).toBe(length);
});

it('STO-12: on a full disk forgetting works and frees space, and other tabs notice it', async () => {
  const other = await browser.openTab();
  await openDatabase(other, 'full');
  const seen = await other.evaluate(async () => {
    const { database } = window.tab;
    const changes =
      database && (await window.tab.rowsOf(database).search.readChanges('user', undefined, undefined));
    return { cursor: changes?.cursor, messages: changes?.messages.length };
  });
  const after = await page.evaluate(async () => {
    const { database } = window.tab;
    const receipt =
      database && (await window.tab.rowsOf(database).transcript.forget({ sessionId: 'big' }, 'user'));
    await database?.chatHistory('small').addUserMessage('there is room');
    return { receipt, sessions: (await database?.sessions())?.map(({ id }) => id) };
  });
  expect(after.receipt).toMatchObject({ messages: seen.messages, sessions: 1 });
  expect(after.sessions).toEqual(['small']);
  const missed = await other.evaluate((cursor) => {
    const { database } = window.tab;
    return database && window.tab.rowsOf(database).search.readChanges('user', undefined, cursor);
  }, seen.cursor);
  expect(missed).toMatchObject({ reset: true, messages: [{ content: 'there is room' }] });
  await other.close();
});

it('STO-13: once there is space again, writing works', async () => {
  await setQuota(3_000_000);
  expect(await writeNoise(60)).toBe('storage-full');
  await setQuota(300_000_000);
  expect(await writeNoise(1)).toBe('written');
});

it('STO-14: after clearing data under an open page, connection-lost is raised and the next call opens an empty database', async () => {
  expect(await openDatabase(page, 'cleared')).toBe('opened');
  await page.evaluate(() => window.tab.database?.chatHistory('s').addUserMessage('before'));
  await clearData();
  const after = await page.evaluate(async () => {
    const { database, warnings } = window.tab;
    const history = database?.chatHistory('s');
    const found = await history?.list();
    await history?.addUserMessage('after');
    return { found, kept: (await history?.getMessages())?.map(({ content }) => content), warnings };
  });
  expect(after).toMatchObject({ found: [], kept: ['after'] });
  expect(after.warnings).toContain('connection-lost');
});

it('STO-15: after clearing data during writes, every write settles and acknowledged ones are kept', async () => {
  expect(await openDatabase(page, 'cleared')).toBe('opened');
  await page.evaluate(() => {
    const history = window.tab.database?.chatHistory('stream');
    window.tab.stream = (async () => {
      const codes = new Set<string>();
      while (!window.tab.halt) {
        await history
          ?.addMessages([{ role: 'user', content: 'q' }])
          .catch((error: { code: string }) => codes.add(error.code));
      }
      return [...codes];
    })();
  });
  for (let time = 0; time < 3; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await clearData();
  }
  const result = await page.evaluate(async () => {
    window.tab.halt = true;
    const codes = await window.tab.stream;
    const history = window.tab.database?.chatHistory('stream');
    // The last clearing may still abort what begins right after it.
    const settled = async (): Promise<number> =>
      history?.list().then(
        (rows) => rows.length,
        () => settled(),
      ) ?? 0;
    const from = await settled();
    await history?.addMessages([{ role: 'user', content: 'last' }]);
    const rows = (await history?.list()) ?? [];
    return { codes, from, seqs: rows.map((row) => row.seq) };
  });
  // Chromium sometimes never answers a request that it gets while it clears: that settles as `storage-blocked`.
  const settled = ['storage-failed', 'storage-closed', 'storage-blocked'];
  for (const code of result.codes ?? []) expect(settled).toContain(code);
  expect(result.seqs).toEqual(Array.from({ length: result.from + 1 }, (_, n) => n));
});

/** Writes a number of long messages, or until one fails. Returns 'written' or the code of the error. */
function writeNoise(messages: number): Promise<string> {
  return page.evaluate(async (count) => {
    try {
      for (let n = 0; n < count; n += 1) {
        const noise = crypto.getRandomValues(new Uint8Array(50_000)).toString();
        await window.tab.database?.chatHistory('noise').addUserMessage(noise);
      }
      return 'written';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }, messages);
}

function setQuota(quotaSize: number): Promise<unknown> {
  return devtools.send('Storage.overrideQuotaForOrigin', { origin: browser.origin, quotaSize });
}

function clearData(): Promise<unknown> {
  return devtools.send('Storage.clearDataForOrigin', { origin: browser.origin, storageTypes: 'indexeddb' });
}

it('LOSS-10: pages whose site data are cleared while they are open say so at their next call', async () => {
  const other = await browser.openTab();
  for (const tab of [page, other]) {
    expect(await openDatabase(tab, 'cleared')).toBe('opened');
    await tab.evaluate(() => window.tab.database?.chatHistory('kept').addUserMessage('I keep bees.'));
  }
  await devtools.send('Storage.clearDataForOrigin', {
    origin: new URL(page.url()).origin,
    storageTypes: 'indexeddb',
  });
  await page.evaluate(() => localStorage.clear()); // as the browser does, where it clears all data of a site
  for (const tab of [page, other]) {
    await expect.poll(() => tab.evaluate(() => window.tab.warnings)).toContain('connection-lost');
    await tab.evaluate(() => window.tab.database?.chatHistory('kept').list());
    await expect.poll(() => tab.evaluate(() => window.tab.warnings)).toContain('data-lost');
  }
  await other.close();
});
