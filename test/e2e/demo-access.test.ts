import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectNoFinding } from './demo-axe.ts';
import { connectModel, say, turn } from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const QUESTION = 'When do the trains to Basel leave?';

const { servers, browser } = await openDemo();

it('DEMO-35: axe reports no serious violation in any view, light and dark', async () => {
  const { page } = browser;
  await page.goto(`${servers.demoUrl}?database=demo-access`);
  await page.locator('.empty').waitFor();
  await expectNoFinding(page, 'first visit');
  await connectModel(page, servers.llm.url);
  servers.llm.enqueue({
    kind: 'reply',
    text: 'At *seven*, see [here](https://example.org/).\n\n> `code`\n\n- one\n- two',
  });
  await say(page, 'I take the train to Basel on Monday.');
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, QUESTION);
  await turn(page, QUESTION).locator('.context summary').click();
  await expectNoFinding(page, 'conversation');

  await page.getByLabel('Search the memory').fill('Basel');
  await page.locator('.result').first().waitFor();
  await expectNoFinding(page, 'search');
  await page.locator('#connect').click();
  await expectNoFinding(page, 'connection dialog');
  await page.keyboard.press('Escape');
  await turn(page, QUESTION).getByRole('button', { name: 'Forget this turn' }).click();
  await page.getByRole('dialog').waitFor();
  await expectNoFinding(page, 'confirmation');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 360, height: 700 });
  await expectNoFinding(page, 'phone');
  await page.getByRole('button', { name: 'Conversations' }).click();
  await page.locator('.is-sidebar-open').waitFor();
  await expectNoFinding(page, 'phone sidebar');
  await page.setViewportSize({ width: 1280, height: 800 });
});

it('DEMO-36: writing, sending and the connection dialog work with the keyboard alone', async () => {
  const { page } = browser;
  await page.goto(`${servers.demoUrl}?database=demo-keyboard`);
  await page.locator('.empty').waitFor();
  await page.keyboard.type('First line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second line');
  await page.keyboard.press('Enter');
  await turn(page, 'second line').and(page.locator('.turn-complete')).waitFor();
  expect(await turn(page, 'second line').locator('.message-user .message-text').innerText()).toBe(
    'First line\nsecond line',
  );

  await tabTo(page, '#connect');
  expect(await page.locator('#connect').evaluate((element) => getComputedStyle(element).outlineStyle)).toBe(
    'solid',
  );
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Connect a model' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Connect a model' }).waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('connect');
});

it('DEMO-25: the connection dialog offers presets, keeps the key in the tab and shows what the endpoint answered', async () => {
  const { page, context } = browser;
  await page.goto(`${servers.demoUrl}?database=demo-connection`);
  await page.locator('#connect').click();
  await page.getByRole('button', { name: 'Ollama' }).click();
  expect(await page.getByLabel('Address').inputValue()).toBe('http://localhost:11434/v1');
  await page.getByLabel('Address').fill(servers.llm.url);
  await page.getByLabel('API key').fill('sk-very-secret');
  servers.llm.enqueue({ kind: 'error', status: 404, body: { error: { message: 'no such model' } } });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.locator('.outcome-bad', { hasText: '404' }).waitFor();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.locator('.outcome-good').waitFor();
  expect(servers.llm.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-very-secret');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();

  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('secret');
  const other = await context.newPage();
  await other.goto(`${servers.demoUrl}?database=demo-connection`);
  await other.getByText('No model is connected.').waitFor();
  await other.close();
});

it('DEMO-26: a key that was typed for one endpoint is not sent to a preset', async () => {
  const { page } = browser;
  const keys: (string | undefined)[] = [];
  await page.route('http://localhost:11434/**', async (route) => {
    keys.push(route.request().headers()['authorization']);
    await route.abort();
  });
  await page.goto(`${servers.demoUrl}?database=demo-presets`);
  await page.locator('#connect').click();
  await page.getByLabel('Address').fill(servers.llm.url);
  await page.getByLabel('API key').fill('sk-very-secret');
  await page.getByRole('button', { name: 'Ollama' }).click();
  await expect.poll(() => keys).toEqual([undefined]);
  expect(await page.getByLabel('API key').inputValue()).toBe('');
});

it('DEMO-44: a key is removed as soon as the address names another origin, and stays within one origin', async () => {
  const { page } = browser;
  const sent: (string | undefined)[] = [];
  await page.route('http://localhost:11435/**', async (route) => {
    sent.push(route.request().headers()['authorization']);
    await route.abort();
  });
  await page.goto(`${servers.demoUrl}?database=demo-key`);
  await page.locator('#connect').click();
  const [address, key] = [page.getByLabel('Address'), page.getByLabel('API key')];
  await key.fill('sk-very-secret'); // before any address: it is meant for the first one
  await address.fill(servers.llm.url);
  await page.getByLabel('Model', { exact: true }).fill('scripted');
  expect(await key.inputValue()).toBe('sk-very-secret');
  await address.fill(`${new URL(servers.llm.url).origin}/other/v1`);
  expect(await key.inputValue()).toBe('sk-very-secret');
  await address.fill(servers.llm.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('#connect', { hasText: 'scripted' }).waitFor();

  await page.locator('#connect').click();
  expect(await key.inputValue()).toBe('sk-very-secret');
  await address.press('ControlOrMeta+a');
  await address.pressSequentially('http://localhost:11435/v1');
  expect(await key.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.locator('.outcome-bad:visible').waitFor();
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.every((value) => value === undefined)).toBe(true);
});

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await page.locator(selector).evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${selector}.`);
}
