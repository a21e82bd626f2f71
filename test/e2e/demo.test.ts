import { expect, it } from 'vitest';
import {
  connectModel,
  dumpStorage,
  forgetTurn,
  modelReady,
  openDemoBrowser,
  recalledFor,
  say,
  turn,
  workDone,
} from './demo-driver.ts';
import { openDemo } from './demo-servers.ts';

const DATABASE = 'demo-e2e';
const EARLY = 'My daughter is allergic to peanuts.';
const LATER = [
  'The car needs new tires before the winter.',
  'I started to learn the cello in September.',
  'Our landlord wants to raise the rent by four percent.',
  'The meeting with the architects moved to Thursday.',
  'I finished reading a history of the Roman roads.',
  'Please help me name a small yellow sailing boat.',
  'My bicycle was stolen in front of the library.',
  'The tomatoes on the balcony have white spots.',
  'I need a password that is long and easy to type.',
];
const QUESTION = 'What food should my child avoid?';

const { servers, browser } = await openDemo();

it('DEMO-1: an early turn is recalled by meaning after a reload, and is stored nowhere after it was forgotten', async () => {
  const { page } = browser;
  await page.goto(`${servers.demoUrl}?database=${DATABASE}`);
  await connectModel(page, servers.llm.url);
  for (const text of [EARLY, ...LATER]) await say(page, text);
  await page.reload();
  await modelReady(page);
  // Until a summary covers it, a turn stays in the window and need not be recalled.
  await workDone(page);
  await page.keyboard.press('Escape');

  await say(page, QUESTION);
  const [best] = await recalledFor(page, QUESTION);
  expect(best).toContain(EARLY);
  expect(newestRequest()).toContain('peanuts');

  await turn(page, QUESTION).locator('.recalled-item').first().getByRole('link').click();
  await turn(page, EARLY).locator('.is-revealed').waitFor();
  await forgetTurn(page, EARLY);
  await page.getByText('Forgotten: 2 messages in 1 turn, 2 embeddings').waitFor();

  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, QUESTION);
  expect((await recalledFor(page, QUESTION)).join()).not.toContain('peanuts');
  expect(newestRequest()).not.toContain('peanuts');
  const kept = await dumpStorage(page, DATABASE);
  expect(kept).toContain(LATER[0]);
  expect(kept).not.toContain('peanuts');
});

it('DEMO-2: page, workers and service worker send no request to other addresses', async () => {
  expect(browser.outsideRequests).toEqual([]);

  const control = await openDemoBrowser(servers.origins);
  await control.page.goto(servers.demoUrl);
  await control.page.evaluate(() => fetch('http://outside.example/').catch(() => undefined));
  expect(control.outsideRequests).toEqual(['http://outside.example/']);
  await control.close();
});

it('DEMO-63: the service worker keeps no vocabulary that the page does not use, and the word classes once', async () => {
  const { page } = browser;
  const kept = await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const cache = await caches.open('mnemora-demo');
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/index.html');
  const named = (part: RegExp): string[] => kept.filter((path) => part.test(path));
  expect(named(/k_base/u)).toEqual([expect.stringMatching(/^\/assets\/o200k_base-/u)]);
  expect(named(/word-classes|\/two-|compromise/u)).toEqual(['/mnemora-assets/word-classes.js']);
  // Where the worker cannot be started, the page imports the same file.
  const imported = `import('/mnemora-assets/word-classes.js').then(({ default: parse }) => parse('I live in Rome.').text())`;
  expect(await page.evaluate(imported)).toBe('I live in Rome.');
});

it('DEMO-3: without its server the page loads from the service worker, with history and search by words and meaning', async () => {
  const { page } = browser;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await servers.stopDemo();
  await page.reload();
  await turn(page, QUESTION).waitFor();
  await modelReady(page);

  await page.getByLabel('Search the memory').fill('landlord');
  await page.locator('.result', { hasText: 'raise the rent' }).first().waitFor();
  await page.getByLabel('Search the memory').fill('musical instrument');
  await page.locator('.result', { hasText: 'learn the cello' }).click();
  await turn(page, 'learn the cello').locator('.is-revealed').waitFor();
  expect(browser.outsideRequests).toEqual([]);
});

function newestRequest(): string {
  return JSON.stringify(servers.llm.requests.at(-1)?.body.messages);
}
