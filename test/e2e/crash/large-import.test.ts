import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBrowser, type TestBrowser } from './browser.ts';
import { openDatabase } from './open-in-tab.ts';

/** More in the soak test. */
const TURNS = Number(process.env['MNEMORA_IMPORTED_TURNS'] ?? 1_000);
const SESSIONS = 20;
const TOLD = 100;
const SOURCE = 'import-source';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startTestBrowser();
  const page = await browser.openTab();
  if ((await openDatabase(page, SOURCE)) !== 'opened') throw new Error('The database was not opened.');
  await page.evaluate(
    async ([turns, sessions]) => {
      for (let session = 0; session < sessions; session += 1) {
        const history = window.tab.database?.chatHistory(`imported-${session}`);
        const ids = Array.from({ length: turns / sessions }, (_, n) => `${session}-${n}`);
        await history?.addMessages(ids.flatMap((id) => window.tab.turnMessages(id)));
      }
    },
    [TURNS, SESSIONS] as const,
  );
  await page.close();
}, 600_000);
afterAll(() => browser.close());

/** Opens a tab with a memory of this name. */
async function openTab(name: string): Promise<Page> {
  const page = await browser.openTab();
  await page.evaluate(async (database) => {
    window.tab.memory = await window.tab.createMemory({
      ...{ name: database, embedder: false, learning: false, sessionId: 'own' },
      onWarning: (warning) => window.tab.warnings.push(warning.code),
    });
  }, name);
  return page;
}

/** Imports the source. Resolves with the number of messages. `onBegun` is called when half of the bytes are written. */
async function importSource(page: Page, onHalf: () => void = () => undefined): Promise<number> {
  await page.exposeFunction('reportHalf', onHalf);
  return page.evaluate(async (source) => {
    const { memory, createMemory } = window.tab;
    const from = await createMemory({ name: source, embedder: false, learning: false });
    const file = await from.backup.export();
    await from.close();
    let isTold = false;
    const receipt = await memory?.backup.import(file, {
      onProgress({ done, total }) {
        // The file is read once to check it, and then again.
        if (!isTold && done > 0.75 * total) (window as unknown as { reportHalf(): void }).reportHalf();
        isTold ||= done > 0.75 * total;
      },
    });
    return receipt?.messages ?? 0;
  }, SOURCE);
}

const tell = (page: Page, turns: number): Promise<string[]> =>
  page.evaluate(async (count) => {
    const refused: string[] = [];
    for (let n = 0; n < count; n += 1) {
      await window.tab.memory
        ?.remember({ user: `Told ${n}.`, assistant: 'Noted.' })
        .catch((error: { code: string }) => refused.push(error.code));
    }
    return refused;
  }, turns);

/** What a memory contains, without what differs from one export to the next. */
const contentOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const file = await window.tab.memory?.backup.export();
    const [, ...lines] = ((await file?.text()) ?? '').trim().split('\n');
    return lines.slice(0, -1);
  });

it('BAK-76: while a large backup is imported, no turn of two other tabs is refused', async () => {
  const [tab, ...others] = await Promise.all([1, 2, 3].map(() => openTab('import-beside')));
  if (!tab) throw new Error('no tab was opened');
  const refused = new Array<Promise<string[]>>();
  const begun = new Promise<void>((resolve) => {
    void importSource(tab, resolve).then((messages) => expect(messages).toBe(2 * TURNS));
  });
  await begun;
  for (const other of others) refused.push(tell(other, TOLD));
  expect((await Promise.all(refused)).flat()).toEqual([]);
  const check = await tab.evaluate(async () => ({
    own: (await window.tab.memory?.history())?.length,
    problems: (await window.tab.memory?.backup.verify())?.problems,
  }));
  expect(check).toEqual({ own: 2 * 2 * TOLD, problems: [] });
  for (const page of [tab, ...others]) await page.close();
}, 900_000);

it('BAK-77: an import whose tab is killed leaves the old state whole, and a new one brings all of it', async () => {
  const other = await openTab('import-killed');
  expect(await tell(other, 10)).toEqual([]);
  const before = await contentOf(other);
  const doomed = await openTab('import-killed');
  const half = new Promise<void>((resolve) => {
    importSource(doomed, resolve).catch(() => undefined); // it is killed
  });
  await half;
  const died = new Promise((resolve) => doomed.once('crash', resolve));
  (await browser.devtools(doomed)).send('Page.crash').catch(() => undefined); // it never answers
  await died;
  expect(await contentOf(other)).toEqual(before);
  const next = await openTab('import-killed');
  expect(await importSource(next)).toBe(2 * TURNS);
  const after = await contentOf(next);
  for (const line of before.filter((each) => each.includes('Told'))) expect(after).toContain(line);
  const problems = await next.evaluate(async () => (await window.tab.memory?.backup.verify())?.problems);
  expect(problems).toEqual([]);
}, 900_000);
