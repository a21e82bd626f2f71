import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { connectModel, modelReady, openPanel, say, turn } from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const HOSTILE_ANSWER = [
  '<img src="http://outside.example/a.png" onerror="window.hacked = 1">',
  '<script>window.hacked = 2</script>',
  '<svg onload="window.hacked = 3"><a xlink:href="javascript:window.hacked=3"><text>x</text></a></svg>',
  '<iframe src="http://outside.example/frame"></iframe><style>@import "http://outside.example/s.css";</style>',
  '<video src="http://outside.example/v.mp4" autoplay></video>',
  '![a picture](http://outside.example/b.png)',
  '![by reference][pic]',
  '[a script](javascript:window.hacked=4) [more](  JaVaScRiPt&#58;window.hacked=5) [data](data:text/html,x)',
  '<a href="javascript:window.hacked=6">raw</a>',
  '[fine](https://example.org/page)',
  '',
  '[pic]: http://outside.example/c.png',
].join('\n\n');
const HOSTILE_INPUT = '<img src="http://outside.example/u.png" onerror="window.hacked = 7"> **bold**';

const { servers, browser } = await openDemo();
await browser.page.goto(`${servers.demoUrl}?database=demo-safety`);
await connectModel(browser.page, servers.llm.url);

it('DEMO-4: hostile markdown from the model, the user or the memory runs nothing and loads nothing', async () => {
  const { page } = browser;
  servers.llm.enqueue({ kind: 'reply', text: HOSTILE_ANSWER });
  await say(page, HOSTILE_INPUT);
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, 'What did you show me in bold?');
  const details = turn(page, 'What did you show me in bold?').locator('.context');
  await details.locator('summary').click();
  await details.getByText('window.hacked = 7').waitFor();
  await page.getByLabel('Search the memory').fill('bold');
  await page.locator('.result', { hasText: 'window.hacked = 7' }).click();
  const answer = turn(page, 'bold').locator('.message-assistant .message-text');
  await answer.getByText('a picture').waitFor();

  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(
    await page
      .locator('#app :is(script, style, iframe, video, object, embed, form.message-text form)')
      .count(),
  ).toBe(0);
  expect(
    await page.locator('.conversation :is(img, picture, source, link, svg:not(.icon, .budget svg))').count(),
  ).toBe(0);
  expect(
    await answer.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(expect.arrayContaining(['https://example.org/page']));
  const addresses = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(addresses.filter((address) => /^\s*(javascript|data|vbscript):/i.test(address ?? ''))).toEqual([]);
  expect(browser.outsideRequests).toEqual([]);
});

it('DEMO-42: answers, worker, service worker and graph work under enforced Trusted Types, and other strings are refused', async () => {
  const page = await browser.context.newPage();
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.violatedDirective} ${event.sourceFile}`);
    });
  });
  await page.goto(`${servers.demoUrl}?database=demo-types`);
  await connectModel(page, servers.llm.url);
  servers.llm.enqueue(
    { kind: 'reply', text: 'A **first** one.' },
    { kind: 'reply', text: 'A *second* one.' },
  );
  await say(page, 'My dog is called Max.');
  await say(page, 'And again?');
  expect(await turn(page, 'And again?').locator('.message-assistant em').innerText()).toBe('second');
  await modelReady(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await openPanel(page, 'Graph');
  expect(await violationsOf(page)).toEqual([]);

  const refused = await page.evaluate(() => {
    const errors: string[] = [];
    const attempts: (() => unknown)[] = [
      () => (document.createElement('p').innerHTML = '<b>x</b>'),
      () => new Worker('embedding-worker.js'),
      () => (document.createElement('script').text = '1'),
      () => Reflect.get(globalThis, 'trustedTypes').createPolicy('mine', {}),
      () => Reflect.get(globalThis, 'trustedTypes').createPolicy('dompurify', {}),
    ];
    for (const attempt of attempts) {
      try {
        attempt();
      } catch (error) {
        errors.push(error instanceof Error ? error.name : 'unknown');
      }
    }
    return errors;
  });
  expect(refused).toEqual(Array.from({ length: 5 }, () => 'TypeError'));
  await page.close();
});

it('DEMO-43: neither another origin nor the demo’s own can show the demo in a frame', async () => {
  // Without the demo's service worker, which answers every address of its origin with the demo.
  const context = await browser.context.browser()?.newContext({ serviceWorkers: 'block' });
  const page = await context?.newPage();
  for (const origin of servers.origins) {
    const address = `${origin}/frame.html`;
    const body = `<iframe src="${servers.demoUrl}"></iframe>`;
    await page?.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page?.goto(address);
    await expect.poll(() => page?.frames()[1]?.url()).toMatch(/^chrome-error:/);
  }
  await context?.close();
});

it('DEMO-45: an answer without end is interrupted, and its beginning is kept', async () => {
  const page = await browser.context.newPage();
  await page.goto(`${servers.demoUrl}?database=demo-endless`);
  await connectModel(page, servers.llm.url);
  servers.llm.enqueue({
    kind: 'stream',
    // Far more than is sent before the page hangs up, also where it is slow to do so.
    tokens: Array.from({ length: 5_000 }, () => 'word '.repeat(200)),
    delayMs: 1,
  });
  await page.getByLabel('Message', { exact: true }).fill('Never stop.');
  await page.keyboard.press('Enter');
  const failed = turn(page, 'Never stop.').and(page.locator('.turn-failed'));
  await failed.getByText(/^This answer was interrupted: .*more than 200,?000 characters/u).waitFor();
  expect(await failed.locator('.message-assistant .plain-text').innerText()).toHaveLength(100_000);
  await expect.poll(() => servers.llm.requests.at(-1)?.wasAborted).toBe(true);
  await page.close();
});

it('DEMO-5: the stop button aborts the request and keeps the partial answer in a turn that the model does not see', async () => {
  const { page } = browser;
  const tokens = Array.from({ length: 200 }, (_, index) => `partial${index} `);
  servers.llm.enqueue({ kind: 'stream', tokens, delayMs: 50 });
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Tell me a very long story.');
  await page.keyboard.press('Enter');
  await page.getByText('partial3').waitFor();
  await page.getByRole('button', { name: 'Stop answering' }).click();

  const cancelled = turn(page, 'very long story').and(page.locator('.turn-cancelled'));
  await cancelled.getByText('You stopped this answer').waitFor();
  expect(await cancelled.locator('.message-assistant').innerText()).toContain('partial3');
  await expect.poll(() => servers.llm.requests.at(-1)?.wasAborted).toBe(true);

  await page.reload();
  await cancelled.getByText('partial3').waitFor();
  await say(page, 'And now something short.');
  expect(JSON.stringify(servers.llm.requests.at(-1)?.body.messages)).not.toContain('partial3');
});

it('DEMO-6: a failed answer shows the reason in its turn, also after a reload, and can be retried', async () => {
  const { page } = browser;
  servers.llm.enqueue({ kind: 'error', status: 401, body: { error: { message: 'no such key' } } });
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Is anybody there?');
  await page.keyboard.press('Enter');
  const failed = turn(page, 'Is anybody there?').and(page.locator('.turn-failed'));
  const reason = failed.getByText(/^The model did not answer: .*401/);
  await reason.waitFor();
  expect(await page.locator('.toast').count()).toBe(0); // a toast would cover the chat
  await page.reload();
  await reason.waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await turn(page, 'Is anybody there?')
    .and(page.locator('.turn-complete'))
    .locator('.message-assistant', { hasText: 'Understood.' })
    .waitFor();
  expect(await page.locator('.turn').count()).toBe(1);
});

it('DEMO-7: without a model the page says so and quotes from the memory with the date', async () => {
  const { page } = browser;
  await page.goto(`${servers.demoUrl}?database=demo-offline`);
  await page.locator('#connect').click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No model is connected.').waitFor();
  const before = servers.llm.requests.length;

  await say(page, 'The spare key is with our neighbor Amira.');
  await turn(page, 'spare key').getByText('Noted: your neighbor is Amira.').waitFor();
  await modelReady(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, 'Who has the spare key?');
  const answer = turn(page, 'Who has').locator('.message-assistant .message-text');
  expect(await answer.innerText()).toMatch(
    /^You said on \d+ \w+: “The spare key is with our neighbor Amira.”$/u,
  );
  expect(servers.llm.requests.length).toBe(before);

  // The answer is based on the first turn, so forgetting that turn must offer to forget the answer as well.
  await turn(page, 'Who has').locator('.context summary').click();
  await page.getByRole('link', { name: 'Go to this turn' }).first().click();
  await turn(page, 'spare key').getByRole('button', { name: 'Forget this turn' }).click();
  await page.getByLabel('Also forget 1 other message with the same words in it').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await page.getByText('Forgotten: 3 messages').waitFor();
});

function violationsOf(page: Page): Promise<unknown> {
  return page.evaluate(() => Reflect.get(globalThis, 'violations') as unknown);
}
