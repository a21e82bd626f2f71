import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectNoFinding } from './demo-axe.ts';
import { expectInPlace, newestIsInView, PHONE, SIZES } from './demo-boxes.ts';
import { connectModel, dumpStorage, openPanel, say, turn, workDone } from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const WIDE_ANSWER = [
  'Here is `a_name_without_any_space_that_is_longer_than_a_phone_is_wide_and_goes_on_for_a_while()`:',
  `\`\`\`js\nconst line = [${Array.from({ length: 40 }, (_, index) => `'value ${index}'`).join(', ')}];\n\`\`\``,
  `| ${Array.from({ length: 9 }, (_, index) => `Heading ${index}`).join(' | ')} |`,
  `|${' --- |'.repeat(9)}`,
  `| ${Array.from({ length: 9 }, (_, index) => `a longer value ${index}`).join(' | ')} |`,
  `\nhttps://example.org/${'path-without-end/'.repeat(20)}`,
  '\n> > > > > > > > > > deep\n\n- a\n  - b\n    - c\n      - d\n        - e\n          - f',
].join('\n');
const WIDE_INPUT = `Look at this: ${'x'.repeat(300)} and https://example.org/${'y'.repeat(200)}`;

const { servers, browser } = await openDemo();

for (const size of SIZES) {
  it(`DEMO-39: nothing is too wide or covered at ${size.width} x ${size.height}`, async () => {
    const page = await browser.context.newPage();
    // DEMO-35 and DEMO-37 run it on a wide screen.
    const noFinding = size === PHONE ? expectNoFinding : () => Promise.resolve();
    await page.setViewportSize(size);
    await open(page, `layout-${size.width}`);
    await expectInPlace(page, 'first visit');
    await page.getByRole('button', { name: 'Close this note' }).click();
    await expectInPlace(page, 'note closed');
    await say(page, 'My dog is called Max.');
    await say(page, 'I live in Paris.');
    await say(page, 'Where do I live?');
    await expect.poll(() => newestIsInView(page)).toBe(true);
    await workDone(page);

    await connectModel(page, servers.llm.url);
    servers.llm.enqueue({ kind: 'reply', text: WIDE_ANSWER });
    await say(page, WIDE_INPUT);
    await expect.poll(() => newestIsInView(page)).toBe(true);
    await expectInPlace(page, 'wide answer');
    await turn(page, 'Look at this').locator('.context summary').click();
    await expectInPlace(page, 'context');
    servers.llm.enqueue({ kind: 'error', status: 400, body: { error: { message: 'w'.repeat(300) } } });
    await send(page, 'And now?');
    await turn(page, 'And now?').and(page.locator('.turn-failed')).waitFor();
    await expectInPlace(page, 'failed answer');
    await noFinding(page, 'failed answer');

    const facts = await openPanel(page, 'Facts');
    await facts.getByText('You live in Paris').waitFor();
    await expectInPlace(page, 'panel');
    const items = facts.locator('.known-item');
    await items.last().getByRole('button', { name: 'Correct' }).click();
    const save = facts.getByRole('button', { name: 'Save' });
    await expect.poll(() => isWithin(page, save, '.tabpanel:not([hidden])')).toBe(true);
    await expectInPlace(page, 'correction');
    await noFinding(page, 'correction');
    for (const tab of ['People and things', 'Summary', 'Graph']) {
      await openPanel(page, tab);
      await expectInPlace(page, tab);
    }
    await page.getByRole('button', { name: 'Close the memory panel' }).click();

    if (size.width <= 760) {
      await page.getByRole('button', { name: 'Conversations' }).click();
      await expect
        .poll(() => page.locator('.sidebar').evaluate((element) => element.getBoundingClientRect().x))
        .toBe(0);
    }
    await expectInPlace(page, 'sidebar');
    await page.getByLabel('Search the memory').fill('Paris');
    await page.locator('.result').first().waitFor();
    await expectInPlace(page, 'search');
    await noFinding(page, 'search');
    await page.close();
  });
}

it('DEMO-33: a streaming answer stays in view unless the user has scrolled up', async () => {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 390, height: 500 });
  await open(page, 'layout-stream');
  await connectModel(page, servers.llm.url);
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `Line ${index}.\n\n`);
  servers.llm.enqueue({ kind: 'reply', text: lines(40).join('') });
  await say(page, 'A long answer, please.');
  expect(await newestIsInView(page)).toBe(true);

  servers.llm.enqueue({ kind: 'stream', tokens: lines(300), delayMs: 20 });
  await send(page, 'And one that streams.');
  await page.getByText('Line 60.', { exact: true }).waitFor();
  expect(await newestIsInView(page)).toBe(true);
  await page.locator('.conversation').hover();
  await page.mouse.wheel(0, -300);
  await expect.poll(() => newestIsInView(page)).toBe(false);
  const top = await scrollTop(page);
  await page.getByText('Line 120.', { exact: true }).waitFor();
  expect(await scrollTop(page)).toBe(top);
  await page.getByRole('button', { name: 'Stop answering' }).click();
  await turn(page, 'one that streams').and(page.locator('.turn-cancelled')).waitFor();
  expect(await scrollTop(page)).toBe(top);
  await page.close();
});

it('DEMO-27: the note that no model is connected can be closed and stays closed', async () => {
  const page = await browser.context.newPage();
  await page.goto(`${servers.demoUrl}?database=layout-note`);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  const note = page.getByText('No model is connected.');
  await note.waitFor();
  await page.getByRole('button', { name: 'Close this note' }).click();
  await note.waitFor({ state: 'hidden' });
  await page.reload();
  await page.locator('.empty').waitFor();
  expect(await note.isVisible()).toBe(false);
  await page.close();
});

it('DEMO-34: while one tab answers, another tab says so and then shows the answer', async () => {
  const page = await browser.context.newPage();
  await open(page, 'layout-tabs');
  await connectModel(page, servers.llm.url);
  const tokens = Array.from({ length: 400 }, (_, index) => `word${index} `);
  servers.llm.enqueue({ kind: 'stream', tokens, delayMs: 50 });
  await send(page, 'Tell me something long.');
  await page.getByText('word3').waitFor();
  const other = await browser.context.newPage();
  await other.goto(page.url());
  await other.getByText('Another tab is answering this message.').waitFor();
  expect(await other.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Stop answering' }).click();
  await turn(other, 'something long').and(other.locator('.turn-cancelled')).waitFor();
  await other.close();
  await page.close();
});

it('DEMO-6: an interrupted answer keeps its text and shows the reason, also after a reload; forgetting it erases the reason', async () => {
  const page = await browser.context.newPage();
  await open(page, 'layout-cut');
  await connectModel(page, servers.llm.url);
  servers.llm.enqueue({ kind: 'cut', tokens: ['Half ', 'of ', 'it'], waits: true });
  await send(page, 'Will this end?');
  // A connection that breaks before the page has a word is tried again, and then answered.
  await turn(page, 'Will this end?').getByText('Half of it').waitFor();
  servers.llm.cut();
  const failed = turn(page, 'Will this end?').and(page.locator('.turn-failed'));
  await failed.getByText(/^This answer was interrupted: .{10}/).waitFor();
  const reason = (await failed.locator('.state-text').innerText()).replace(
    'This answer was interrupted: ',
    '',
  );
  await page.reload();
  await failed.getByText(reason).waitFor();
  expect(await failed.locator('.message-assistant').innerText()).toContain('Half of it');
  await failed.getByRole('button', { name: 'Forget this turn' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await failed.waitFor({ state: 'detached' });
  expect(await dumpStorage(page, 'layout-cut')).not.toContain(JSON.stringify(reason).slice(1, -1));
  await page.close();
});

it('DEMO-32: an answer that cannot be parsed is shown as plain text, also after a reload, and can be forgotten', async () => {
  const page = await browser.context.newPage();
  await open(page, 'layout-hostile');
  await connectModel(page, servers.llm.url);
  for (const text of ['> '.repeat(3000), '**a *b'.repeat(5000)]) {
    servers.llm.enqueue({ kind: 'reply', text });
    await say(page, `Begin with ${text.slice(0, 3)}`);
  }
  await page.reload();
  await turn(page, 'Begin with **a').locator('.message-assistant .plain-text').waitFor();
  expect(await page.locator('.message-assistant .plain-text').count()).toBe(2);
  await expectInPlace(page, 'hostile markdown');
  await turn(page, 'Begin with >').getByRole('button', { name: 'Forget this turn' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await expect.poll(() => page.locator('.turn').count()).toBe(1);
  await page.close();
});

it('DEMO-31: search shows facts first, highlights hits, works with the keyboard, and says when nothing is found', async () => {
  const page = await browser.context.newPage();
  await open(page, 'layout-search');
  await say(page, 'I live in Paris.');
  await workDone(page);
  await connectModel(page, servers.llm.url);
  servers.llm.enqueue({ kind: 'reply', text: 'Is **Paris** not [fine](https://example.org)?\n\n> `Oh`' });
  await say(page, 'Tell me about the city of Paris.');
  await workDone(page);
  await page.getByRole('button', { name: 'New chat' }).click();

  const search = page.getByLabel('Search the memory');
  await search.fill('paris');
  const results = page.locator('.result');
  await results.filter({ hasText: 'Is Paris not fine?' }).waitFor();
  expect(await results.first().locator('.result-text').innerText()).toBe('You live in Paris');
  expect(await results.first().locator('mark').allInnerTexts()).toEqual(['Paris']);
  expect(await page.locator('.results').innerText()).not.toMatch(/\*\*|\]\(|`|^>/mu);

  await search.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focusedResult(page)).toBe(1);
  await page.keyboard.press('ArrowUp');
  expect(await focusedResult(page)).toBe(0);
  await page.keyboard.press('Enter');
  await turn(page, 'I live in Paris.').locator('.is-revealed').waitFor();

  await page.getByRole('button', { name: 'New chat' }).click();
  await search.fill('city of Paris');
  await search.press('Enter');
  await page.locator('.is-revealed').waitFor();
  await search.fill('zzzz');
  await page.getByText(/^Nothing found/).waitFor();
  await page.close();
});

async function open(page: Page, database: string): Promise<void> {
  await page.goto(`${servers.demoUrl}?database=${database}`);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.locator('.empty').waitFor();
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

function scrollTop(page: Page): Promise<number> {
  return page.locator('.conversation').evaluate((element) => element.scrollTop);
}

function focusedResult(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.result')].indexOf(document.activeElement ?? document.body),
  );
}

/** Whether an element is fully visible within a scrolling ancestor. */
async function isWithin(page: Page, inner: ReturnType<Page['locator']>, outer: string): Promise<boolean> {
  const [box, view] = [await inner.boundingBox(), await page.locator(outer).boundingBox()];
  return (
    box !== null && view !== null && box.y >= view.y - 1 && box.y + box.height <= view.y + view.height + 1
  );
}
