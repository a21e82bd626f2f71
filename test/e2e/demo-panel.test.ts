import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectNoFinding } from './demo-axe.ts';
import {
  askToForget,
  connectModel,
  dumpStorage,
  openDemoBrowser,
  openPanel,
  recalledFor,
  say,
  turn,
  workDone,
} from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const DOG = 'My dog is called Max.';
const CITY = 'I live in Paris.';
const QUESTION = 'Where do I live?';

const { servers, browser } = await openDemo();

it('DEMO-13: facts appear with source and date, and background work ends', async () => {
  const { page } = browser;
  await open(page, 'panel-facts');
  const facts = await openPanel(page, 'Facts');
  await page.getByText('Facts are found by rules, in this browser').waitFor();
  await say(page, DOG);
  await fact(facts, 'Max').waitFor();
  await fact(facts, 'Max').getByText('said by you').waitFor();
  expect(
    await fact(facts, 'Max')
      .getByText(/^since /)
      .count(),
  ).toBe(1);
  await workDone(page);
  const entities = await openPanel(page, 'People and things');
  await entities.getByRole('heading', { name: 'Max' }).waitFor();

  await page.getByRole('button', { name: 'New chat' }).click();
  await openPanel(page, 'Facts');
  await fact(facts, 'Max').getByRole('link', { name: 'Source' }).click();
  await turn(page, DOG).locator('.is-revealed').waitFor();
});

it('DEMO-30: the context of an answer shows how its sections share the budget, as a bar and in words', async () => {
  const { page } = browser;
  await open(page, 'budget');
  await say(page, CITY);
  await workDone(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, QUESTION);
  await turn(page, QUESTION).locator('.context summary').click();
  const plot = turn(page, QUESTION).locator('.budget');
  await plot.getByText(/^recalled turns \d+$/).waitFor();
  await plot.getByText(/^question and frame \d+$/).waitFor();
  const widths = await plot
    .locator('rect')
    .evaluateAll((parts) => parts.map((part) => Number(part.getAttribute('width'))));
  expect(widths).toHaveLength(2);
  expect(widths.every((width) => width > 0)).toBe(true);
});

it('DEMO-14: the corrected fact is recalled, and the wrong one is shown as a past fact, also after a reload', async () => {
  const { page } = browser;
  await open(page, 'panel-correct');
  await say(page, CITY);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Paris').getByRole('button', { name: 'Correct' }).click();
  await facts.getByLabel('To what').fill('Rome');
  await page.keyboard.press('Enter');
  await fact(facts, 'Rome').getByText('corrected by you').waitFor();
  await expect.poll(() => fact(facts, 'Paris').count()).toBe(0);

  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, QUESTION);
  await recalledFor(page, QUESTION);
  const known = turn(page, QUESTION).locator('.known-context');
  expect((await known.allInnerTexts()).join()).toContain('Rome');
  expect((await known.allInnerTexts()).join()).not.toContain('Paris');

  await page.reload();
  await openPanel(page, 'Facts');
  await fact(facts, 'Rome').waitFor();
  await facts.getByLabel('Show past facts').check();
  await fact(facts, 'Paris').and(facts.locator('.is-past')).getByText('was never true').waitFor();
});

it('DEMO-15: a pinned fact is sent with every question until it is unpinned', async () => {
  const { page } = browser;
  await open(page, 'panel-pin');
  await say(page, DOG);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Max').getByRole('button', { name: 'Pin' }).click();
  await fact(facts, 'Max').getByText('Pinned').waitFor();
  expect(await page.evaluate(() => document.activeElement?.ariaPressed)).toBe('true');
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, 'What is nine times seven?');
  expect(await pinnedFor(page, 'nine times seven')).toContain('Max');

  await fact(facts, 'Max').getByRole('button', { name: 'Pin' }).click();
  await expect.poll(() => fact(facts, 'Max').getByText('Pinned').count()).toBe(0);
  await say(page, 'What is eight times six?');
  expect(await pinnedFor(page, 'eight times six')).toBe('');
});

it('DEMO-16: a fact forgotten with its messages is shown and stored nowhere, also after a reload', async () => {
  const { page } = browser;
  await open(page, 'panel-forget');
  await say(page, DOG);
  await say(page, CITY);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Paris').waitFor();
  await fact(facts, 'Max').first().getByRole('button', { name: 'Forget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Also forget \d+ message/).check();
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect.poll(() => page.locator('#app').innerText()).not.toContain('Max');
  expect(await page.locator('#app').innerText()).toContain('Paris');

  await workDone(page);
  await page.reload();
  for (const tab of ['Facts', 'People and things', 'Graph']) {
    const section = await openPanel(page, tab);
    await section.getByText('Paris').first().waitFor();
    expect(await section.innerText(), tab).not.toContain('Max');
  }
  const kept = await dumpStorage(page, 'panel-forget');
  expect(kept).toContain('Paris');
  expect(kept.toLowerCase()).not.toContain('max"');
  expect(kept).not.toContain('Max');
});

it('DEMO-17: forgetting an entity removes its facts, keeps its turns, and it is not learned again', async () => {
  const { page } = browser;
  await open(page, 'panel-entity');
  await say(page, DOG);
  await say(page, CITY);
  const { row: max, dialog } = await askToForget(page, 'Max');
  expect(await dialog.getByLabel(/^Also forget/).isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
  await max.waitFor({ state: 'detached' });
  await turn(page, DOG).waitFor();
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Paris').waitFor();
  expect(await fact(facts, 'Max').count()).toBe(0);

  await page.getByRole('button', { name: 'Rebuild' }).click();
  await page.getByText('were rebuilt.').waitFor();
  await fact(facts, 'Paris').waitFor();
  expect(await fact(facts, 'Max').count()).toBe(0);
});

it('DEMO-23: an import restores conversations and facts after site data was cleared, and a damaged file is refused with the line', async () => {
  const { page, context } = browser;
  await open(page, 'panel-backup');
  await say(page, DOG);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Max').waitFor();
  await workDone(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('mnemora-backup.jsonl');
  const bytes = await readFile(await download.path());
  expect(bytes.toString()).toContain('Max');

  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: new URL(servers.demoUrl).origin,
    storageTypes: 'all',
  });
  await open(page, 'panel-backup');
  await openPanel(page, 'Facts');
  await facts.getByText('No facts yet.').waitFor();

  const file = page.locator('#memory-panel input[type=file]');
  const name = 'mnemora-backup.jsonl';
  const mimeType = 'application/x-ndjson';
  await file.setInputFiles({ name, mimeType, buffer: bytes.subarray(0, bytes.length / 2) });
  await page.locator('.outcome-bad', { hasText: /line \d+|end/i }).waitFor();
  expect(await page.locator('.session-title').count()).toBe(0);
  await file.setInputFiles({ name, mimeType, buffer: bytes });
  await page.getByText('Imported: 2 messages, 1 conversation').waitFor();
  await fact(facts, 'Max').waitFor();
  await page.locator('.session').getByRole('link').first().click();
  await turn(page, DOG).waitFor();
});

it('LOSS-9 BAK-55 DEMO-59: the demo says that its memory was lost, an encrypted backup restores it, and wrong files and passphrases are named', async () => {
  const { page, context } = browser;
  await open(page, 'panel-loss');
  await say(page, DOG);
  await openPanel(page, 'Facts');
  await workDone(page);
  const passphrase = page.getByLabel('Passphrase of the backup file');
  await passphrase.fill('café au lait');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('mnemora-backup.bin');
  const buffer = await readFile(await download.path());
  expect(buffer.toString('latin1')).not.toContain('called Max');

  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: new URL(servers.demoUrl).origin,
    storageTypes: 'indexeddb',
  });
  await open(page, 'panel-loss');
  const note = page.locator('.backup').getByRole('note');
  await note.getByText('This browser has lost what was kept here until').waitFor();
  await expectNoFinding(page, 'a lost memory');

  const file = page.locator('#memory-panel input[type=file]');
  const backup = { name: 'mnemora-backup.bin', mimeType: 'application/octet-stream', buffer };
  await file.setInputFiles(backup);
  await page.getByText('This backup is encrypted.').waitFor();
  await passphrase.fill('café au thé');
  await file.setInputFiles(backup);
  await page.getByText('the passphrase is wrong or the file is damaged').waitFor();
  await passphrase.fill('café au lait');
  await file.setInputFiles(backup);
  await page.getByText('Imported: 2 messages, 1 conversation').waitFor();
  await note.waitFor({ state: 'hidden' });
  await passphrase.fill('');
  await file.setInputFiles({
    name: 'hello.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"hello":1}'),
  });
  await page.getByText('This is not a backup of Mnemora').waitFor();
  await passphrase.fill('a');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('at least 8 characters').waitFor();
  await fact(await openPanel(page, 'Facts'), 'Max').waitFor();
});

it('DEMO-24: a connected model extracts facts, and failed work is listed with its error', async () => {
  const page = await browser.context.newPage(); // a connection ends with its tab
  await open(page, 'panel-model');
  await page.getByLabel('Message', { exact: true }).fill('A draft that is kept');
  await connectModel(page, servers.llm.url);
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('A draft that is kept');
  servers.llm.enqueueBackground({
    kind: 'reply',
    text: '{"entities":[],"facts":[{"subject":"user","predicate":"has dog","object":"Max","message":"m1","quote":"My dog is called Max"}]}',
  });
  await say(page, DOG);
  const facts = await openPanel(page, 'Facts');
  await page.getByText('Facts are found by scripted, the model').waitFor();
  await fact(facts, 'Your dog is Max').waitFor();
  await expect.poll(() => servers.llm.backgroundRequests.length).toBe(1); // rules are faster than the model

  const failing = Array.from({ length: 40 }, () => ({ kind: 'error' as const, status: 401 }));
  servers.llm.enqueueBackground(...failing);
  await say(page, CITY);
  await page.getByRole('button', { name: 'See why' }).click();
  const settings = page.getByRole('dialog', { name: 'Connect a model' });
  await settings.locator('.known-item').getByText('401').first().waitFor();
  await page.close();
  servers.llm.clearBackground();
});

it('DEMO-28: the graph works offline and shows the facts of an entity; without WebGL the facts are listed', async () => {
  const drawing = await openDemoBrowser(servers.origins, [
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ]);
  const { page } = drawing;
  const policyViolations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) policyViolations.push(message.text());
  });
  await open(page, 'panel-graph');
  await say(page, DOG);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await drawing.context.setOffline(true);
  const graph = await openPanel(page, 'Graph');
  await graph.getByRole('button', { name: 'Max' }).click();
  await graph.locator('.node-details').getByText(DOG).first().waitFor();
  expect(await graph.locator('.graph-canvas canvas').count()).toBeGreaterThan(0);
  await graph.getByRole('button', { name: 'Max' }).click();
  await expect.poll(() => graph.locator('.node-details .known-item').count()).toBe(0);
  expect(await clickSomeNode(graph)).toBe(true);
  expect(policyViolations).toEqual([]);
  expect(drawing.outsideRequests).toEqual([]);
  await drawing.close();

  const without = await openDemoBrowser(servers.origins, ['--disable-3d-apis']);
  await open(without.page, 'panel-graph');
  await say(without.page, DOG);
  const listed = await openPanel(without.page, 'Graph');
  await listed.getByText('The graph cannot be drawn: This browser does not support WebGL.').waitFor();
  await listed.locator('.node-details .known-item', { hasText: 'Max' }).first().waitFor();
  await without.close();
});

it('DEMO-37: axe reports no serious violation in any tab of the panel, light and dark, on a desktop and a phone', async () => {
  const { page } = browser;
  await open(page, 'panel-axe');
  await say(page, DOG);
  await say(page, CITY);
  await workDone(page);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Max').first().getByRole('button', { name: 'Pin' }).click();
  await fact(facts, 'Paris').getByRole('button', { name: 'Correct' }).click();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const tab of ['Facts', 'People and things', 'Summary', 'Graph']) {
      await openPanel(page, tab);
      await expectNoFinding(page, `${tab}, ${width} wide`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

it('DEMO-38: the panel and its tabs work with the keyboard alone, and a source link closes the panel on a phone', async () => {
  const { page } = browser;
  await open(page, 'panel-keyboard');
  await say(page, DOG);
  const toggle = page.getByRole('button', { name: 'Memory', exact: true });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Facts' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-review');
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-entities');
  await page.getByRole('tabpanel', { name: 'People and things' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#memory-panel').waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-controls'))).toBe(
    'memory-panel',
  );

  await page.setViewportSize({ width: 360, height: 700 });
  const facts = await openPanel(page, 'Facts');
  expect(await page.locator('main').evaluate((element) => element.hasAttribute('inert'))).toBe(true);
  await fact(facts, 'Max').first().getByRole('link', { name: 'Source' }).click();
  await turn(page, DOG).locator('.is-revealed').waitFor();
  await page.locator('#memory-panel').waitFor({ state: 'hidden' });
  expect(await page.locator('main').evaluate((element) => element.hasAttribute('inert'))).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it('DEMO-29: hostile names in facts and graph are shown as text', async () => {
  const page = await browser.context.newPage();
  const hostile = '<img src=x onerror="window.hacked=1">';
  await open(page, 'panel-hostile');
  await say(page, CITY);
  const facts = await openPanel(page, 'Facts');
  await fact(facts, 'Paris').getByRole('button', { name: 'Correct' }).click();
  await facts.getByLabel('To what').fill(hostile);
  await page.keyboard.press('Enter');
  await fact(facts, hostile).getByText('corrected by you').waitFor();
  const graph = await openPanel(page, 'Graph');
  await graph.getByText(hostile).first().waitFor();
  expect(await page.locator('#memory-panel :is(img, script, iframe, svg:not(.icon))').count()).toBe(0);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await page.close();
});

/** Opens the page with a fresh database. */
async function open(page: Page, database: string): Promise<void> {
  await page.goto(`${servers.demoUrl}?database=${database}`);
  await page.locator('.empty').waitFor();
}

function fact(facts: Locator, words: string): Locator {
  return facts.locator('.known-item', { hasText: words });
}

async function pinnedFor(page: Page, text: string): Promise<string> {
  await recalledFor(page, text);
  const pinned = turn(page, text).locator('.known-context').filter({ hasText: 'pinned' });
  return (await pinned.allInnerTexts()).join();
}

/** Clicks on the picture in a grid until a node is selected. */
async function clickSomeNode(graph: Locator): Promise<boolean> {
  const canvas = graph.locator('.graph-canvas');
  const box = await canvas.boundingBox();
  const page = canvas.page();
  if (!box) return false;
  // Two nodes stand at the height of the middle or near it.
  const middle = box.height / 2;
  const rows = Array.from({ length: Math.floor(box.height / 12) - 1 }, (_, row) => (row + 1) * 12);
  for (const y of rows.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    for (let x = 12; x < box.width; x += 12) {
      await page.mouse.move(box.x + x, box.y + y);
      if ((await graph.locator('.graph-canvas').evaluate((element) => element.style.cursor)) === 'pointer') {
        await page.mouse.click(box.x + x, box.y + y);
        await graph.locator('.node-details .known-item').first().waitFor();
        return true;
      }
    }
  }
  return false;
}
