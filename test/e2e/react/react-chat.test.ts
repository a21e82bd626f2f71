import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { serveBuiltPage } from '../built-page.ts';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import type { StaticServer } from '../package/static-server.ts';

let server: StaticServer;
let browser: DemoBrowser;

beforeAll(async () => {
  // Only the development build of React mounts twice under StrictMode.
  const define = { 'process.env.NODE_ENV': '"development"' };
  server = await serveBuiltPage(join(import.meta.dirname, 'page'), { define });
  browser = await openDemoBrowser([new URL(server.url).origin]);
  return async () => {
    await browser.close();
    await server.close();
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
