import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { modelReady, openDemoBrowser, say, turn } from '../test/e2e/demo-driver.ts';
import { buildDemo } from './build-demo.ts';
import { serveDemo } from './serve-demo.ts';

/** Messages of an earlier conversation. The demo answers by itself: no model is connected. */
const EARLIER: readonly string[] = [
  'My daughter Nora is allergic to peanuts.',
  'My sister Amira lives in Lisbon.',
  'I prefer trains over flying when it takes less than six hours.',
];
const QUESTION = 'What is Nora allergic to?';

const output = process.argv[2] ?? join(import.meta.dirname, '../demo/screenshot.png');
const extras = process.argv[3];

const demo = await serveDemo(await buildDemo(), 5300);
try {
  await shoot();
} finally {
  await demo.close();
}

async function shoot(): Promise<void> {
  const browser = await openDemoBrowser([new URL(demo.url).origin]);
  const { page } = browser;
  // tsx wraps named functions in calls of this helper, including those that are sent to the page.
  await page.addInitScript('globalThis.__name = (named) => named');
  try {
    await page.clock.setSystemTime(new Date('2026-04-12T10:20:00'));
    if (extras) await shootFirstVisit(page, extras);
    await page.goto(demo.url);
    await page.locator('.empty').waitFor();
    for (const message of EARLIER) await say(page, message);
    await modelReady(page);
    await page.clock.setSystemTime(new Date('2026-05-01T18:05:00'));
    await page.getByRole('button', { name: 'New chat' }).click();
    await say(page, QUESTION);
    await turn(page, QUESTION).locator('.context summary').click();
    await page.locator('.conversation').evaluate((element) => element.scrollTo(0, 0));
    await page.locator('.composer textarea').focus();
    await page.screenshot({ path: output });
    if (extras) await shootExtras(page, extras);
  } finally {
    await browser.close();
  }
}

async function shootFirstVisit(page: Page, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.goto(`${demo.url}?database=first-visit`);
  await page.locator('.empty').waitFor();
  await page.screenshot({ path: join(folder, 'empty.png') });
}

async function shootExtras(page: Page, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const take = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  await take('dark');
  await page.locator('#connect').click();
  await take('dark-dialog');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(400);
  await take('phone-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await take('phone-light');
  await page.getByRole('button', { name: 'Conversations' }).click();
  await page.waitForTimeout(300);
  await take('phone-sidebar');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel('Search the memory').fill('Lisbon');
  await page.locator('.result').first().waitFor();
  await take('search');
  await page.getByLabel('Search the memory').fill('');
  await page.getByRole('button', { name: 'Forget this turn' }).first().click();
  await page.locator('.dialog-small').waitFor();
  await take('confirm');
  await page.getByRole('button', { name: 'Forget', exact: true }).click();
  await page.locator('.toast').waitFor();
  await page.waitForTimeout(300);
  await take('toast');
}
