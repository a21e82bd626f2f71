import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBrowser, type TestBrowser } from './browser.ts';
import { openDatabase } from './open-in-tab.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startTestBrowser();
});
afterAll(() => browser.close());

it('TAB-14: two tabs that add 500 messages each to one session lose nothing and agree on the order', async () => {
  const tabs = [await browser.openTab(), await browser.openTab()] as const;
  for (const tab of tabs) expect(await openDatabase(tab, 'two-tabs')).toBe('opened');
  await Promise.all(
    tabs.map((tab, index) =>
      tab.evaluate(async (name) => {
        const history = window.tab.database?.chatHistory('shared');
        // Both ways of appending: one after the other, and many at once.
        for (let n = 0; n < 250; n += 1) await history?.addUserMessage(`${name}-${n}`);
        const rest = Array.from({ length: 250 }, (_, n) => history?.addUserMessage(`${name}-${250 + n}`));
        await Promise.all(rest);
      }, `tab${index}`),
    ),
  );
  const lists = await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async () => (await window.tab.database?.chatHistory('shared').list()) ?? []),
    ),
  );
  const [rows = [], rowsOfOther] = lists;
  expect(rows).toHaveLength(1_000);
  expect(rowsOfOther).toEqual(rows);
  expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  expect(new Set(rows.map((row) => row.id)).size).toBe(1_000);
  expect(new Set(rows.map((row) => row.turn)).size).toBe(1_000);
  for (const name of ['tab0', 'tab1']) {
    const own = rows.map((row) => String(row.content)).filter((text) => text.startsWith(`${name}-`));
    expect(own).toEqual(Array.from({ length: 500 }, (_, n) => `${name}-${n}`));
  }
  // They did take turns: neither waited for the other to end.
  expect(rows.slice(0, 500).some((row) => String(row.content).startsWith('tab0'))).toBe(true);
  expect(rows.slice(0, 500).some((row) => String(row.content).startsWith('tab1'))).toBe(true);
  for (const tab of tabs) await tab.close();
});

it('TAB-15: a turn id that two tabs use at the same time is stored as one turn', async () => {
  const tabs = [await browser.openTab(), await browser.openTab()] as const;
  for (const tab of tabs) expect(await openDatabase(tab, 'one-turn')).toBe('opened');
  await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async () => {
        const history = window.tab.database?.chatHistory('shared');
        for (let n = 0; n < 50; n += 1) {
          await history?.addMessages(window.tab.turnMessages(`t-${n}`), { turnId: `t-${n}` });
        }
      }),
    ),
  );
  const rows = await tabs[0].evaluate(
    async () => (await window.tab.database?.chatHistory('shared').list()) ?? [],
  );
  expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(new Set(rows.map((row) => row.turnId)).size).toBe(50);
  for (const tab of tabs) await tab.close();
});

it('TAB-16: while a tab holds a write open, the others reject after a while, and continue afterwards', async () => {
  const [holding, other] = [await browser.openTab(), await browser.openTab()];
  for (const tab of [holding, other]) expect(await openDatabase(tab, 'held', 1_500)).toBe('opened');
  await holding.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('held');
      request.addEventListener('success', () => resolve(request.result));
    });
    const store = database.transaction(['messages'], 'readwrite').objectStore('messages');
    const ask = (): void => {
      if (!window.tab.halt) store.count().addEventListener('success', ask);
    };
    ask();
  });
  const write = (): Promise<string> =>
    other.evaluate(
      async () =>
        (await window.tab.database
          ?.chatHistory('s')
          .addUserMessage('hi')
          .then(
            () => 'written',
            (error: { code: string }) => error.code,
          )) ?? '',
    );
  expect(await write()).toBe('storage-blocked');
  await holding.evaluate(() => {
    window.tab.halt = true;
  });
  expect(await write()).toBe('written');
  expect(await other.evaluate(async () => (await window.tab.database?.chatHistory('s').list())?.length)).toBe(
    1,
  );
});
