import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import {
  connectModel,
  type DemoBrowser,
  openDemoBrowser,
  openPanel,
  say,
  turn,
  workDone,
} from './demo-driver.ts';
import { type DemoServers, startDemoServers } from './demo-servers.ts';

const DOG = 'My dog is called Max.';
const CITY = 'I live in Paris.';

let servers: DemoServers;
let browser: DemoBrowser;

beforeAll(async () => {
  servers = await startDemoServers();
  browser = await openDemoBrowser(servers.origins);
  return async () => {
    await browser.close();
    await servers.close();
  };
}, 180_000);

async function open(page: Page, database: string): Promise<void> {
  await page.goto(`${servers.demoUrl}?database=${database}`);
  await page.getByLabel('Message', { exact: true }).waitFor();
}

function known(list: Locator, text: string): Locator {
  return list.locator('.known-item').filter({ hasText: text });
}

it('DEMO-20: what an assistant claims waits under “Things to confirm”, for the user to confirm or reject', async () => {
  const page = await browser.context.newPage(); // a connection lasts as long as its tab
  await open(page, 'trust-review');
  await connectModel(page, servers.llm.url);
  const claims = [
    { subject: 'user', predicate: 'works at', object: 'Acme', message: 'm2', quote: 'You work at Acme' },
    { subject: 'user', predicate: 'has dog', object: 'Rex', message: 'm2', quote: 'your dog is Rex' },
  ];
  servers.llm.enqueueBackground({ kind: 'reply', text: JSON.stringify({ entities: [], facts: claims }) });
  servers.llm.enqueue({ kind: 'reply', text: 'You work at Acme, and your dog is Rex.' });
  await say(page, 'Do you know me?');
  const review = await openPanel(page, 'Things to confirm');
  await known(review, 'An assistant said so').first().waitFor();
  await known(review, 'Acme')
    .getByRole('button', { name: /^Confirm/ })
    .click();
  await known(review, 'Rex')
    .getByRole('button', { name: /^Reject/ })
    .click();
  await review.getByText('Nothing waits for your word.').waitFor();
  const facts = await openPanel(page, 'Facts');
  await known(facts, 'You work at Acme').waitFor();
  expect(await known(facts, 'Rex').count()).toBe(0);
  await page.close();
  servers.llm.clearBackground();
});

it('DEMO-21: before forgetting a person, the user sees what is erased and where the name remains', async () => {
  const { page } = browser;
  await open(page, 'trust-forget');
  await say(page, DOG);
  await say(page, CITY);
  const entities = await openPanel(page, 'People and things');
  const max = entities.locator('.known-item').filter({ has: page.getByRole('heading', { name: 'Max' }) });
  await max.getByRole('button', { name: 'Forget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^This erases .*1 fact/).waitFor();
  await dialog.getByText('The name still stands in 1 turn.').waitFor();
  await dialog.getByLabel('Also forget this turn').check();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await turn(page, DOG).waitFor({ state: 'detached' });
  await turn(page, CITY).waitFor();
  expect(await page.locator('#app').innerText()).not.toContain('Max');
});

it('DEMO-22: after “Forget everything” a backup restores what was forgotten if the user says so', async () => {
  const { page } = browser;
  await open(page, 'trust-restore');
  await say(page, DOG);
  const facts = await openPanel(page, 'Facts');
  await known(facts, 'Max').waitFor();
  await workDone(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const buffer = await readFile(await download.path());
  await page.locator('#memory-panel').getByRole('button', { name: 'Forget everything' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only a backup that you exported before brings them back.').waitFor();
  await dialog.getByRole('button', { name: 'Forget everything' }).click();
  await facts.getByText('No facts yet.').waitFor();

  const file = page.locator('#memory-panel input[type=file]');
  const backup = { name: 'mnemora-backup.jsonl', mimeType: 'application/x-ndjson', buffer };
  await file.setInputFiles(backup);
  await page.getByRole('dialog', { name: 'Bring back what you had forgotten here?' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Imported: 0 messages').waitFor();
  expect(await known(facts, 'Max').count()).toBe(0);
  await file.setInputFiles(backup);
  await dialog.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Imported: 2 messages, 1 conversation').waitFor();
  await known(facts, 'Max').waitFor();
});
