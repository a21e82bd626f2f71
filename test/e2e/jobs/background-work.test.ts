import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBrowser, type TestBrowser } from '../crash/browser.ts';
import type { Step } from './page/page.ts';

const STEPS: readonly Step[] = [
  'queued',
  'before-term',
  'before-claim',
  'claimed',
  'before-effect',
  'inside-effect',
  'after-effect',
  'before-finish',
  'finished',
];

let browser: TestBrowser;
/** Tabs that stop for good at a step, and whom to tell. */
const stops = new Map<Page, { step: Step; reached: () => void; goOn: Promise<void> }>();

beforeAll(async () => {
  browser = await startTestBrowser();
  await browser.context.exposeBinding('reachStep', async ({ page }, step: Step) => {
    const stop = stops.get(page);
    if (stop?.step !== step) return;
    stop.reached();
    await stop.goOn;
  });
});
afterAll(() => browser.close());

async function openJobTab(name: string): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto(`${browser.origin}/test/e2e/jobs/page/index.html`);
  await page.waitForFunction(() => 'jobTab' in window);
  await page.evaluate((database) => window.jobTab.open(database), name);
  return page;
}

/** Makes the tab stop at a step. */
function stopAt(page: Page, step: Step): { reached: Promise<void>; goOn: () => void } {
  let reached: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const reaching = new Promise<void>((resolve) => (reached = resolve));
  const going = new Promise<void>((resolve) => (goOn = resolve));
  stops.set(page, { step, reached, goOn: going });
  return { reached: reaching, goOn };
}

const remember = (page: Page, turnId: string, sessionId = 's', delayMs = 0): Promise<void> =>
  page.evaluate(([turn, session, delay]) => window.jobTab.remember(turn, session, delay), [
    turnId,
    sessionId,
    delayMs,
  ] as const);

const serve = (page: Page): Promise<void> => page.evaluate(() => window.jobTab.serve());

/** Kills the tab's renderer and waits until the browser has noticed. */
async function kill(page: Page): Promise<void> {
  const died = new Promise((resolve) => page.once('crash', resolve));
  const devtools = await browser.devtools(page);
  devtools.send('Page.crash').catch(() => undefined); // it never answers
  await died;
  await page.close();
}

/** What is left and what was done, once all is settled. */
function settle(page: Page): Promise<{ left: number; effects: Record<string, number> }> {
  return page.evaluate(async () => {
    await window.jobTab.settled();
    return { left: await window.jobTab.jobsLeft(), effects: await window.jobTab.effects() };
  });
}

it('CRA-2: a tab that is killed at any step leaves no job undone and no effect twice', async () => {
  for (const step of STEPS) {
    const name = `killed-${step}`;
    const dying = await openJobTab(name);
    const { reached } = stopAt(dying, step);
    // Two jobs, so that one may be done and the other not.
    void remember(dying, 'a', 's1').catch(() => undefined);
    if (step !== 'queued') {
      await remember(dying, 'b', 's2');
      await serve(dying);
    }
    await reached;
    await kill(dying);
    const next = await openJobTab(name);
    await serve(next);
    const expected = step === 'queued' ? { a: 1 } : { a: 1, b: 1 };
    expect(await settle(next), step).toEqual({ left: 0, effects: expected });
    await next.close();
  }
});

it('CRA-2: a waiting tab takes over at once when the leader is killed', async () => {
  const name = 'heir';
  const [dying, heir] = [await openJobTab(name), await openJobTab(name)];
  const { reached } = stopAt(dying, 'before-effect');
  await serve(dying);
  await remember(dying, 'a');
  await reached;
  await serve(heir);
  await kill(dying);
  expect(await settle(heir)).toEqual({ left: 0, effects: { a: 1 } });
  expect(await heir.evaluate(() => window.jobTab.outcomes)).toEqual(['stored']);
  await heir.close();
});

it('CRA-3: a leader whose process is stopped is replaced, and changes nothing when it resumes', async () => {
  const name = 'halted';
  const other = await openJobTab(name);
  const before = await browser.renderers();
  const halted = await openJobTab(name);
  const added = [...(await browser.renderers())].filter((pid) => !before.has(pid));
  expect(added).toHaveLength(1);
  const [pid = 0] = added;
  const { reached, goOn } = stopAt(halted, 'before-effect');
  await serve(halted);
  await remember(halted, 'a');
  await reached;
  process.kill(pid, 'SIGSTOP');
  await serve(other);
  await remember(other, 'b', 's2');
  expect(await settle(other)).toEqual({ left: 0, effects: { a: 1, b: 1 } });
  process.kill(pid, 'SIGCONT');
  goOn();
  await halted.waitForFunction(() => window.jobTab.outcomes.length > 0);
  expect(
    await halted.evaluate(() => ({
      outcomes: window.jobTab.outcomes,
      aborted: window.jobTab.terms.map((term) => term.aborted),
    })),
  ).toEqual({ outcomes: ['leadership-lost'], aborted: [true] });
  // The new leader goes on undisturbed.
  await remember(halted, 'c');
  expect(await settle(halted)).toEqual({ left: 0, effects: { a: 1, b: 1, c: 1 } });
  expect(await other.evaluate(() => window.jobTab.outcomes)).toEqual(['stored', 'stored', 'stored']);
  await halted.close();
  await other.close();
});

it('JOB-2: ten quick turns in two tabs are one call of the handler', async () => {
  const name = 'coalesced';
  const tabs = [await openJobTab(name), await openJobTab(name)] as const;
  for (const tab of tabs) await serve(tab);
  for (let n = 0; n < 10; n += 1) await remember(tabs[n % 2 ? 1 : 0], `t${n}`, 's', 60_000);
  const { left, effects } = await settle(tabs[0]);
  expect(left).toBe(0);
  expect(Object.values(effects)).toEqual(Array.from({ length: 10 }, () => 1));
  const calls = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.jobTab.calls)));
  expect(calls.flat()).toHaveLength(1);
  for (const tab of tabs) await tab.close();
});
