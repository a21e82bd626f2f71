import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { connectModel, modelReady, openDemoBrowser, say, turn } from '../test/e2e/demo-driver.ts';
import {
  type RecordedRequest,
  type ScriptedReply,
  startScriptedLLMServer,
} from '../test/fakes/scripted-llm-server.ts';
import { buildDemo } from './build-demo.ts';
import { serveDemo } from './serve-demo.ts';

/** Messages of an earlier conversation, with their answers. */
const EARLIER: readonly (readonly [question: string, answer: string])[] = [
  [
    'My daughter Nora is allergic to peanuts, she had a bad reaction last week.',
    'I am sorry to hear that. I will keep Nora’s peanut allergy in mind whenever food comes up.',
  ],
  [
    'We booked flights to Lisbon for the 3rd of May, coming back on the 9th.',
    'Six days in Lisbon, 3 to 9 May. Noted.',
  ],
  [
    'The spare key is with our neighbor Amira on the second floor.',
    'Got it: Amira, second floor, has the spare key.',
  ],
  [
    'I prefer trains over flying when it takes less than six hours.',
    'Understood: trains first under six hours.',
  ],
];
const QUESTION = 'What should I watch out for when we order food in Lisbon?';
const ANSWER = `Two things from what you told me:

1. **Nora cannot have peanuts.** Ask about *amendoim* before ordering. It turns up in desserts, satay sauces and some chocolate.
2. You are there from the **3rd to the 9th of May**, so book early for the Saturday evening.

A sentence to show the waiter: *“A minha filha é alérgica a amendoim.”*`;

const output = process.argv[2] ?? join(import.meta.dirname, '../demo/screenshot.png');
const extras = process.argv[3];

const server = await startScriptedLLMServer({ respond });
const demo = await serveDemo(await buildDemo(), 5300);
try {
  await shoot();
} finally {
  await demo.close();
  await server.close();
}

async function shoot(): Promise<void> {
  const browser = await openDemoBrowser([new URL(demo.url).origin, new URL(server.url).origin]);
  const { page } = browser;
  // tsx wraps named functions in calls of this helper, including those that are sent to the page.
  await page.addInitScript('globalThis.__name = (named) => named');
  try {
    await page.clock.setSystemTime(new Date('2026-04-12T10:20:00'));
    if (extras) await shootFirstVisit(page, extras);
    await page.goto(demo.url);
    await page.locator('.empty').waitFor();
    await connectModel(page, server.url, 'llama3.2');
    for (const [question] of EARLIER) await say(page, question);
    await modelReady(page);
    await page.clock.setSystemTime(new Date('2026-05-01T18:05:00'));
    await page.getByRole('button', { name: 'New chat' }).click();
    await say(page, QUESTION);
    await turn(page, QUESTION).locator('.context summary').click();
    await page.locator('.conversation').evaluate((element) => element.scrollTo(0, 0));
    await page.locator('.composer textarea').focus();
    await page.screenshot({ path: output });
    await shootPhone(page);
    if (extras) await shootExtras(page, extras);
  } finally {
    await browser.close();
  }
}

/** Takes a screenshot of the same answer on a phone, with its context closed. */
async function shootPhone(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await turn(page, QUESTION).locator('.context summary').click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.sidebar').waitFor({ state: 'hidden' });
  await page.locator('.conversation').evaluate((element) => element.scrollTo(0, 0));
  await page.screenshot({ path: output.replace(/(\.\w+)$/, '-phone$1') });
  await page.setViewportSize({ width, height });
  await turn(page, QUESTION).locator('.context summary').click();
}

async function shootFirstVisit(page: Page, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.goto(`${demo.url}?database=first-visit`);
  await page.locator('.empty').waitFor();
  await page.screenshot({ path: join(folder, 'empty.png') });
  await say(page, 'My daughter is allergic to peanuts.');
  await modelReady(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  await say(page, 'What food should my child avoid?');
  await page.screenshot({ path: join(folder, 'offline.png') });
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
  await page.getByLabel('Search the memory').fill('spare key');
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

function respond({ body }: RecordedRequest): ScriptedReply {
  // Background requests contain the conversation as quoted data.
  if (JSON.stringify(body.messages).includes('<data>')) {
    return { kind: 'reply', text: '{"entities":[],"facts":[]}' };
  }
  const asked = JSON.stringify(body.messages.at(-1)?.content);
  const known = [...EARLIER, [QUESTION, ANSWER] as const].find(([question]) =>
    asked.endsWith(`${question}"`),
  );
  return { kind: 'reply', text: known?.[1] ?? 'Ready.' };
}
