import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { build } from 'vite';
import { buildAssets } from '../../../scripts/build-assets.ts';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type DemoBrowser, type DemoChromium, startDemoChromium } from '../demo-driver.ts';
import { serveFolder, type StaticServer } from '../package/static-server.ts';

const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const PAGE = join(import.meta.dirname, 'page');

let remembering: StaticServer;
let forgetful: StaticServer;
let chromium: DemoChromium;
let browser: DemoBrowser;
let page: Page;
/** What the page threw or reported as an error. */
let errors: string[];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-assistant-ui-'));
  await buildPage(join(folder, 'with'), 'runtime.tsx');
  await buildPage(join(folder, 'without'), 'runtime-without-memory.tsx');
  remembering = await serveFolder(join(folder, 'with'), POLICY);
  forgetful = await serveFolder(join(folder, 'without'), POLICY);
  chromium = await startDemoChromium([remembering, forgetful].map(({ url }) => new URL(url).origin));
  return async () => {
    await chromium.close();
    await remembering.close();
    await forgetful.close();
    await rm(folder, { recursive: true, force: true });
  };
}, 240_000);

beforeEach(async () => {
  browser = await chromium.openProfile();
  ({ page } = browser);
  errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
});

afterEach(async () => {
  await browser.close();
  // The policy of the page refuses what zod tries.
  const reported = errors.filter((text) => !text.includes('Content Security Policy'));
  const failures = [...reported, ...browser.outsideRequests];
  if (failures.length > 0) throw new Error(failures.join('\n'));
});

it('AUI-14: branches, edits and the branch that was written to last are there after a reload', async () => {
  await page.goto(remembering.url);
  await ask(page, 'My cat is called Zaphod.');
  await expect.poll(() => shown(page)).toEqual(['My cat is called Zaphod.', 'Answer 1.']);
  await page.getByRole('button', { name: 'Again' }).click();
  await expect.poll(() => shown(page)).toEqual(['My cat is called Zaphod.', 'Answer 2.', '2/2']);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edited message').fill('My cat is called Wolfram.');
  await page.getByRole('button', { name: 'Save' }).click();
  const edited = ['My cat is called Wolfram.', '2/2', 'Answer 3.'];
  await expect.poll(() => shown(page)).toEqual(edited);
  await ask(page, 'He is black.');
  await expect.poll(() => shown(page)).toEqual([...edited, 'He is black.', 'Answer 4.']);
  await stored(page, 'Answer 4.');

  await page.reload();
  await openThread(page, 0);
  await expect.poll(() => shown(page)).toEqual([...edited, 'He is black.', 'Answer 4.']);
  await page.getByRole('button', { name: 'Previous' }).first().click();
  // Of a branch that is not the newest, the runtime shows the first answer.
  await expect.poll(() => shown(page)).toEqual(['My cat is called Zaphod.', '1/2', 'Answer 1.', '1/2']);
  await page.getByRole('button', { name: 'Next' }).last().click();
  const first = ['My cat is called Zaphod.', '1/2', 'Answer 2.', '2/2'];
  await expect.poll(() => shown(page)).toEqual(first);
  await ask(page, 'She is white.');
  await expect.poll(() => shown(page)).toEqual([...first, 'She is white.', 'Answer 1.']);
  await stored(page, 'She is white.');

  await page.reload();
  await openThread(page, 0);
  await expect.poll(() => shown(page)).toEqual([...first, 'She is white.', 'Answer 1.']);
});

it('AUI-14: a thread that begins on the page has one session, and what it says is recalled in another thread', async () => {
  await page.goto(remembering.url);
  await ask(page, 'My sister Hannah lives in Oslo.');
  await expect.poll(() => titles(page)).toEqual(['My sister Hannah lives in Oslo.']);
  await stored(page, 'Answer 1.');
  await page.getByRole('button', { name: 'New thread' }).click();
  await expect.poll(() => shown(page)).toEqual([]);
  await ask(page, 'Where does my sister Hannah live?');
  await expect.poll(() => shown(page)).toEqual(['Where does my sister Hannah live?', 'Answer 2.']);
  expect(await page.evaluate(() => window.threadsPage.lastPrompt())).toContain('lives in Oslo');
  expect((await titles(page)).toSorted()).toEqual([
    'My sister Hannah lives in Oslo.',
    'Where does my sister Hannah live?',
  ]);
});

it('AUI-14: another tab continues a thread, and both parts are there after a reload', async () => {
  await page.goto(remembering.url);
  await ask(page, 'First tab.');
  await stored(page, 'Answer 1.');
  const other = await page.context().newPage();
  await other.goto(remembering.url);
  await openThread(other, 0);
  await expect.poll(() => shown(other)).toEqual(['First tab.', 'Answer 1.']);
  await ask(other, 'Second tab.');
  await stored(other, 'Second tab.');
  await page.reload();
  await openThread(page, 0);
  await expect.poll(() => shown(page)).toEqual(['First tab.', 'Answer 1.', 'Second tab.', 'Answer 1.']);
});

it('AUI-14: a name and the archive survive a reload', async () => {
  await page.goto(remembering.url);
  await ask(page, 'Something about boats.');
  await stored(page, 'Answer 1.');
  await page.getByLabel('Name').fill('Yachts');
  await page.getByRole('button', { name: 'Rename' }).click();
  await stored(page, 'Yachts', 'assistant-ui/threads');
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Yachts']);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await stored(page, 'isArchived', 'assistant-ui/threads');
  await page.reload();
  await expect.poll(() => titles(page, 'Archived')).toEqual(['Yachts']);
  expect(await titles(page)).toEqual([]);
  await page.getByRole('button', { name: 'Unarchive' }).click();
  await expect.poll(() => recordsWith(page, 'isArchived', 'assistant-ui/threads')).toEqual([]);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Yachts']);
});

it('AUI-14: no word of a deleted thread is left in any store', async () => {
  await page.goto(remembering.url);
  await ask(page, 'My friend Zaphod lives in Turin.');
  await stored(page, 'Answer 1.');
  await page.getByRole('button', { name: 'Again' }).click();
  await stored(page, 'Answer 2.');
  await page.getByLabel('Name').fill('Wolfram');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'New thread' }).click();
  await ask(page, 'I like tea.');
  await stored(page, 'tea.');
  await page.evaluate(() => window.threadsPage.settled());
  const words = ['Zaphod', 'Turin', 'Answer 1.', 'Answer 2.', 'Wolfram', 'tea.'];
  const count = (): Promise<number[]> => page.evaluate((all) => window.threadsPage.wordsStored(all), words);
  expect((await count()).every((times) => times > 0)).toBe(true);

  const named = page.getByLabel('Threads').getByRole('listitem').filter({ hasText: 'Wolfram' });
  await named.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => titles(page)).toEqual(['I like tea.']);
  await expect.poll(async () => (await count()).slice(0, -1)).toEqual([0, 0, 0, 0, 0]);
  expect((await count()).at(-1)).toBeGreaterThan(0);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['I like tea.']);
  expect((await count()).slice(0, -1)).toEqual([0, 0, 0, 0, 0]);
});

it('AUI-14: a thread that is deleted while it is being answered leaves no word', async () => {
  await page.goto(`${remembering.url}?endless`);
  await ask(page, 'My friend Zaphod lives in Turin.');
  await expect
    .poll(() => shown(page))
    .toEqual(['My friend Zaphod lives in Turin.', 'Answer without an end.']);
  await stored(page, 'Zaphod', 'ai-sdk/ui-messages');
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => titles(page)).toEqual([]);
  const count = (): Promise<number[]> =>
    page.evaluate(() => window.threadsPage.wordsStored(['Zaphod', 'Turin', 'without an end']));
  await expect.poll(count).toEqual([0, 0, 0]);
  await page.evaluate(() => window.threadsPage.settled());
  await page.reload();
  await page.getByLabel('Message', { exact: true }).waitFor();
  expect(await count()).toEqual([0, 0, 0]);
  expect(await titles(page)).toEqual([]);
});

it('AUI-40: a thread that is deleted in one tab does not come back from another that still shows it', async () => {
  await page.goto(remembering.url);
  await ask(page, 'My friend Zaphod lives in Turin.');
  await stored(page, 'Answer 1.');
  const other = await page.context().newPage();
  await other.goto(remembering.url);
  await openThread(other, 0);
  await expect.poll(() => shown(other)).toEqual(['My friend Zaphod lives in Turin.', 'Answer 1.']);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => titles(page)).toEqual([]);
  await ask(other, 'Where does he live?');
  await expect.poll(() => shown(other)).toContain('Where does he live?');
  // It answers again as soon as a thread is begun.
  await other.getByRole('button', { name: 'New thread' }).click();
  await ask(other, 'I like tea.');
  await stored(other, 'tea.');
  expect(await other.evaluate(() => window.threadsPage.lastPrompt())).not.toContain('Where does he');
  await other.evaluate(() => window.threadsPage.settled());
  const words = ['Zaphod', 'Turin', 'Where does he'];
  expect(await page.evaluate((all) => window.threadsPage.wordsStored(all), words)).toEqual([0, 0, 0]);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['I like tea.']);
});

it('AIX-81: an answer that is made again in one tab leaves what another tab has added', async () => {
  await page.goto(remembering.url);
  await ask(page, 'First tab.');
  await stored(page, 'Answer 1.');
  const other = await page.context().newPage();
  await other.goto(remembering.url);
  await openThread(other, 0);
  await expect.poll(() => shown(other)).toEqual(['First tab.', 'Answer 1.']);
  await ask(other, 'My brother keeps alpacas.');
  await stored(other, 'alpacas');
  await page.getByRole('button', { name: 'Again' }).click();
  await stored(page, 'Answer 2.');
  const found = await page.evaluate(() => window.threadsPage.search('alpacas'));
  expect(found).toEqual(['My brother keeps alpacas.']);
});

it('AUI-14: the same page without the adapters shows the same and keeps nothing', async () => {
  await page.goto(forgetful.url);
  await ask(page, 'My cat is called Zaphod.');
  await expect.poll(() => shown(page)).toEqual(['My cat is called Zaphod.', 'Answer 1.']);
  await page.getByRole('button', { name: 'Again' }).click();
  await expect.poll(() => shown(page)).toEqual(['My cat is called Zaphod.', 'Answer 2.', '2/2']);
  await page.reload();
  await page.getByLabel('Message', { exact: true }).waitFor();
  expect(await shown(page)).toEqual([]);
  expect(await titles(page)).toEqual([]);
  expect(await page.evaluate(() => window.threadsPage.wordsStored(['Zaphod']))).toEqual([0]);
});

/** Builds the page with one of the two files as its runtime: the only difference. */
async function buildPage(folder: string, runtime: string): Promise<void> {
  await build({
    configFile: false,
    root: PAGE,
    base: './',
    logLevel: 'error',
    plugins: [compileWat()],
    // Only the development build of React mounts twice under StrictMode.
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { tsconfigPaths: true, alias: { './runtime.tsx': join(PAGE, runtime) } },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  await cp(await buildAssets(), join(folder, 'mnemora'), { recursive: true });
}

async function ask(tab: Page, text: string): Promise<void> {
  await tab.getByLabel('Message', { exact: true }).fill(text);
  await tab.getByRole('button', { name: 'Send' }).click();
}

/** Resolves when a record of the adapters contains a text. */
async function stored(tab: Page, text: string, namespace = 'assistant-ui/messages'): Promise<void> {
  await expect.poll(() => recordsWith(tab, text, namespace)).not.toEqual([]);
}

async function recordsWith(tab: Page, text: string, namespace: string): Promise<string[]> {
  const records = await tab.evaluate((of) => window.threadsPage.records(of), namespace);
  return records.filter((record) => record.includes(text));
}

async function openThread(tab: Page, index: number): Promise<void> {
  await threads(tab).nth(index).getByRole('button').first().click();
}

function threads(tab: Page, list = 'Threads'): Locator {
  return tab.getByLabel(list, { exact: true }).getByRole('listitem');
}

/** What the page shows: the texts of the messages, each before the number of its branch if there are several. */
function shown(tab: Page): Promise<string[]> {
  return tab.locator('[data-text], [data-branch]').allTextContents();
}

function titles(tab: Page, list = 'Threads'): Promise<string[]> {
  return threads(tab, list).locator('[data-title]').allTextContents();
}
