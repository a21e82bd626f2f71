import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import { outputOfExample, startExample } from './example-server.ts';

it('DEMO-48: npm run example lists the examples when it gets no name, and fails with the list for an unknown one', async () => {
  const output = 'npm run example NAME, where NAME is one of: ai-sdk, react\n';
  expect(await outputOfExample()).toEqual({ code: 0, output });
  expect(await outputOfExample('../ai-sdk')).toEqual({ code: 1, output });
});

it('DEMO-49: the AI SDK example shows its chat after a reload, and answers from what it remembers, in another chat too', async () => {
  const { url, browser, errors } = await openExample('ai-sdk');
  const { page } = browser;
  const told = ['My sister Nora lives in Oslo.', 'I will remember that.'];
  const asked = ['Where does my sister live?', 'You told me: “My sister Nora lives in Oslo.”'];
  await ask(page, 'My sister Nora lives in Oslo.');
  await expect.poll(() => shown(page)).toEqual(told);
  await answered(page);

  await page.reload();
  await expect.poll(() => shown(page)).toEqual(told);
  await ask(page, 'Where does my sister live?');
  await expect.poll(() => shown(page)).toEqual([...told, ...asked]);

  await page.getByRole('link', { name: 'Second chat' }).click();
  await page.waitForURL(`${url}?chat=second`);
  await ask(page, 'Where does my sister live?');
  await expect.poll(() => shown(page)).toEqual(asked);
  expect(errors).toEqual([]);
  expect(browser.outsideRequests).toEqual([]);
});

it('DEMO-49: the React example shows its chat after a reload, and answers from what it remembers', async () => {
  const { browser, errors } = await openExample('react');
  const { page } = browser;
  const told = ['I live in Lisbon.', 'I will remember that.'];
  await ask(page, 'I live in Lisbon.');
  await expect.poll(() => shown(page)).toEqual(told);
  await expect.poll(() => page.locator('ul li').allTextContents()).toContain('lives in Lisbon');

  await page.reload();
  await expect.poll(() => shown(page)).toEqual(told);
  await ask(page, 'In which city do I live?');
  await expect.poll(async () => (await shown(page)).at(-1)).toBe('You told me: “I live in Lisbon.”');
  expect(errors).toEqual([]);
  expect(browser.outsideRequests).toEqual([]);
});

interface OpenedExample {
  readonly url: string;
  readonly browser: DemoBrowser;
  /** Errors that nothing has caught, and what the page policy has refused. */
  readonly errors: readonly string[];
}

async function openExample(name: string): Promise<OpenedExample> {
  const { url, close } = await startExample(name);
  onTestFinished(close);
  const browser = await openDemoBrowser([new URL(url).origin]);
  onTestFinished(() => browser.close());
  const errors: string[] = [];
  browser.page.on('pageerror', (error) => errors.push(error.message));
  browser.page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await browser.page.goto(url);
  return { url, browser, errors };
}

async function ask(page: Page, text: string): Promise<void> {
  await answered(page);
  const input = page.getByLabel('Message');
  await input.fill(text);
  await input.press('Enter');
}

/** An answer has ended when it is stored, a little after its last words are shown. */
async function answered(page: Page): Promise<void> {
  await page.getByLabel('Message').and(page.locator(':enabled')).waitFor();
}

function shown(page: Page): Promise<string[]> {
  return page.locator('form p').allTextContents();
}
