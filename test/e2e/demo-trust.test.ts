import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectInOrder } from './demo-axe.ts';
import { PHONE } from './demo-boxes.ts';
import { askToForget, closePanel, connectModel, openPanel, say, turn, workDone } from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const DOG = 'My dog is called Max.';
const CITY = 'I live in Paris.';

const { servers, browser } = await openDemo();

/** A page of its own, as a connection lasts as long as its tab. It is as narrow as a phone, where most is covered. */
async function open(database: string): Promise<Page> {
  const page = await browser.context.newPage();
  await page.setViewportSize(PHONE);
  await page.goto(`${servers.demoUrl}?database=${database}`);
  await page.getByLabel('Message', { exact: true }).waitFor();
  return page;
}

/** What the page answers to a message. */
async function answerTo(page: Page, message: string): Promise<string> {
  await say(page, message);
  return turn(page, message).locator('.message-assistant .message-text').innerText();
}

function known(list: Locator, text: string): Locator {
  return list.locator('.known-item').filter({ hasText: text });
}

it('DEMO-41: a fact that is corrected in the panel, or ended by a message, is answered as it is now', async () => {
  const page = await open('trust-correct');
  await say(page, CITY);
  await say(page, 'I work at Initech.');
  const facts = await openPanel(page, 'Facts');
  const home = known(facts, 'You live in Paris');
  await home.getByRole('button', { name: 'Correct' }).click();
  await facts.getByLabel('To what').fill('Lyon');
  await expectInOrder(page, 'correction');
  await facts.getByRole('button', { name: 'Save' }).click();
  await known(facts, 'You live in Lyon').first().waitFor();
  await closePanel(page);
  expect(await answerTo(page, 'Where do I live?')).toContain('You live in Lyon.');
  expect(await answerTo(page, 'Where do I work?')).toContain('You work at Initech.');
  await say(page, 'I no longer work at Initech.');
  expect(await answerTo(page, 'And where do I work now?')).toContain('You do not work at Initech.');
  await expectInOrder(page, 'conversation');
  await page.close();
});

it('DEMO-20: what an assistant claims waits under “Things to confirm”, and becomes a fact or goes as the person says', async () => {
  const page = await open('trust-review');
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
  await expectInOrder(page, 'review');
  await known(review, 'Acme')
    .getByRole('button', { name: /^That is right/ })
    .click();
  await known(review, 'Rex')
    .getByRole('button', { name: /^That is wrong/ })
    .click();
  await review.getByText('There is nothing to confirm.').waitFor();
  const facts = await openPanel(page, 'Facts');
  await known(facts, 'You work at Acme').waitFor();
  expect(await known(facts, 'Rex').count()).toBe(0);
  await page.close();
  servers.llm.clearBackground();
});

it('DEMO-21: who forgets somebody reads before what goes and in how many turns the name stands, and may forget these too', async () => {
  const page = await open('trust-forget');
  await say(page, DOG);
  await say(page, CITY);
  const { dialog } = await askToForget(page, 'Max');
  await dialog.getByText(/^This erases .*1 fact/).waitFor();
  await dialog.getByText('1 turn still contains the name.').waitFor();
  await expectInOrder(page, 'preview of forgetting');
  await dialog.getByLabel('Also forget this turn').check();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await turn(page, DOG).waitFor({ state: 'detached' });
  await turn(page, CITY).waitFor();
  await expect.poll(() => page.locator('#app').innerText()).not.toContain('Max');
  await page.close();
});

it('DEMO-22: after “Forget everything” a backup is read, and what was forgotten comes back where the person says so', async () => {
  const page = await open('trust-restore');
  await say(page, DOG);
  const facts = await openPanel(page, 'Facts');
  await known(facts, 'Max').waitFor();
  await closePanel(page);
  await workDone(page);
  await openPanel(page, 'Facts');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const buffer = await readFile(await download.path());
  await page.locator('#memory-panel').getByRole('button', { name: 'Forget everything' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only a backup that you exported before brings them back.').waitFor();
  await expectInOrder(page, 'warning before all is forgotten');
  await dialog.getByRole('button', { name: 'Forget everything' }).click();
  await facts.getByText('No facts yet.').waitFor();

  const file = page.locator('#memory-panel input[type=file]');
  const backup = { name: 'mnemora-backup.jsonl', mimeType: 'application/x-ndjson', buffer };
  await file.setInputFiles(backup);
  await page.getByRole('dialog', { name: 'Bring back what you had forgotten here?' }).waitFor();
  await expectInOrder(page, 'question about what was forgotten');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Imported: 0 messages').waitFor();
  expect(await known(facts, 'Max').count()).toBe(0);
  await file.setInputFiles(backup);
  await dialog.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Imported: 2 messages, 1 conversation').waitFor();
  await known(facts, 'Max').waitFor();
  await page.locator('.toast', { hasText: 'Forgotten:' }).waitFor({ state: 'detached' }); // it goes by itself
  await expectInOrder(page, 'restored');
  await page.close();
});
