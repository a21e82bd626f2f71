import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { build } from 'vite';
import { buildAssets } from '../../../scripts/build-assets.ts';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import { serveFolder, type StaticServer } from '../package/static-server.ts';

/** The page policy that the guide names. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

let server: StaticServer;
let browser: DemoBrowser;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-react-'));
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    base: './',
    logLevel: 'error',
    plugins: [compileWat()],
    resolve: { tsconfigPaths: true },
    // Only the development build of React mounts twice under StrictMode.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  await cp(await buildAssets(), join(folder, 'mnemora'), { recursive: true });
  server = await serveFolder(folder, POLICY);
  browser = await openDemoBrowser([new URL(server.url).origin]);
  return async () => {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}, 180_000);

it('DEMO-40: the React example streams an answer under StrictMode, keeps it across a reload and closes what it opened', async () => {
  const { page } = browser;
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(server.url);
  const input = page.getByLabel('Message');
  await input.and(page.locator(':enabled')).waitFor();
  await expect.poll(() => connections(page)).toEqual({ opened: 1, open: 1 });

  await input.fill('My name is Ada.');
  await input.press('Enter');
  await expect.poll(() => shown(page)).toEqual(['My name is Ada.', 'Nice to ']);
  expect(await input.isDisabled()).toBe(true);
  await page.evaluate(() => window.chat.finishAnswer());
  await input.and(page.locator(':enabled')).waitFor();
  expect(await shown(page)).toEqual(['My name is Ada.', 'Nice to meet you.']);

  await page.reload();
  await expect.poll(() => shown(page)).toEqual(['My name is Ada.', 'Nice to meet you.']);
  await expect.poll(() => connections(page)).toEqual({ opened: 1, open: 1 });
  await page.evaluate(() => window.chat.unmount());
  await expect.poll(() => connections(page)).toEqual({ opened: 1, open: 0 });
  expect(errors).toEqual([]);
  expect(server.violations).toEqual([]);
  expect(browser.outsideRequests).toEqual([]);
});

it('DEMO-40: the React example that is unmounted while it answers stops the model and closes the memory', async () => {
  const { page } = browser;
  await page.goto(server.url);
  const input = page.getByLabel('Message');
  await input.and(page.locator(':enabled')).waitFor();
  await input.fill('Are you still there?');
  await input.press('Enter');
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('Nice to ');
  await page.evaluate(() => window.chat.unmount());
  await expect.poll(() => connections(page)).toMatchObject({ open: 0 });
});

it('DEMO-40: its facts and search results follow what another tab remembers', async () => {
  const { page } = browser;
  await page.goto(server.url);
  const other = await page.context().newPage();
  await other.goto(server.url);
  await page.getByLabel('Search').fill('live');
  const input = other.getByLabel('Message');
  await input.and(other.locator(':enabled')).waitFor();
  await input.fill('I live in Lisbon.');
  await input.press('Enter');
  await expect.poll(async () => (await shown(other)).at(-1)).toBe('Nice to ');
  await other.evaluate(() => window.chat.finishAnswer());
  await expect.poll(() => page.locator('ol li').allTextContents()).toEqual(['I live in Lisbon.']);
  await expect.poll(() => page.locator('ul li').allTextContents()).toContain('lives in Lisbon');
  await other.close();
  await page.evaluate(() => window.chat.unmount());
  await expect.poll(() => connections(page)).toMatchObject({ open: 0 });
});

function shown(page: Page): Promise<string[]> {
  return page.locator('form p').allTextContents();
}

function connections(page: Page): Promise<{ opened: number; open: number }> {
  return page.evaluate(() => window.chat.connections());
}
