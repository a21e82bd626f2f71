import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRawBrowser, type RawBrowser, type RawTab } from '../jobs/raw-browser.ts';
import { startKillBrowser, type DoomedTab, type KillBrowser } from './kill-browser.ts';
import { startKillServer, type KillServer } from './kill-server.ts';
import type { StopPoint } from './page/page.ts';

const POINTS: readonly StopPoint[] = [
  { moment: 'inside', which: { kind: 'learn/user: put triples', nth: 1 } },
  { moment: 'after', which: { kind: 'learn/user: put jobs', nth: 1 } },
  { moment: 'after', which: { kind: 'learn/user: put triples', nth: 2 } },
  { moment: 'inside', which: { kind: 'summarize/user: put summaries', nth: 2 } },
  { moment: 'after', which: { kind: 'rebuild/user: delete triples', nth: 1 } },
  { moment: 'inside', which: { kind: 'rebuild/user: put packedKnowledge', nth: 2 } },
];

let server: KillServer;
let browser: KillBrowser;
let raw: RawBrowser;
/** What comes of the work where nothing goes wrong. */
let undisturbed: unknown;

beforeAll(async () => {
  server = await startKillServer();
  [browser, raw] = await Promise.all([startKillBrowser(server), startRawBrowser()]);
  const { page } = await browser.openTab();
  undisturbed = await page.evaluate(async () => {
    await window.killTab.open('undisturbed', 'model');
    await window.killTab.remember();
    await window.killTab.settled();
    return window.killTab.state();
  });
  await page.close();
});
afterAll(async () => {
  await Promise.all([browser.close(), raw.close()]);
  await server.close();
});

const open = (tab: DoomedTab, name: string): Promise<void> =>
  tab.page.evaluate((database) => window.killTab.open(database, 'model'), name);

it('CRA-6: an open tab continues the work of a killed one and starts one term per queue', async () => {
  for (const [index, point] of POINTS.entries()) {
    const name = `takeover-${index}`;
    const [dying, heir] = [await browser.openTab(), await browser.openTab()];
    await open(dying, name);
    await dying.page.evaluate(() => window.killTab.remember());
    await dying.page.waitForFunction(() => window.killTab.terms().length >= 3);
    await open(heir, name);
    const { reached } = await dying.stopAt(point);
    void dying.page.evaluate(() => window.killTab.work()).catch(() => undefined); // it is killed
    await reached;
    const settling = heir.page.evaluate(() => window.killTab.settled());
    await dying.end('crash');
    await settling;
    const where = `${point.moment} ${point.which.kind}`;
    expect(await heir.page.evaluate(() => window.killTab.state()), where).toEqual(undisturbed);
    const terms = await heir.page.evaluate(() => window.killTab.terms());
    expect(new Set(terms).size, where).toBe(terms.length);
    expect(terms.length, where).toBeGreaterThan(0);
    await heir.page.close();
  }
});

async function openRawTab(name: string): Promise<RawTab> {
  const tab = await raw.openTab(server.url(name));
  const deadline = Date.now() + 60_000;
  while (!(await tab.run<boolean>(`return 'killTab' in window`))) {
    if (Date.now() > deadline) throw new Error('The page was not loaded.');
    await delay(20);
  }
  return tab;
}

it('CRA-7: a tab frozen while it waits for the model is replaced, and changes nothing when it resumes', async () => {
  const frozen = await openRawTab('frozen');
  await frozen.run(`
    killTab.waitInCalls = true;
    await killTab.open('frozen', 'model');
    await killTab.remember();
    await killTab.begin();`);
  const learned = await server.stopped('frozen');
  learned();
  // With what was learned first, the summary was queued: one call that learns and one that summarizes are under way.
  const goOn = [await server.stopped('frozen'), await server.stopped('frozen')];
  const effects = await frozen.run('return killTab.effects()');
  await raw.openTab('about:blank'); // a browser freezes hidden tabs only
  await delay(500); // nor those in the middle of a transaction
  await frozen.setState('frozen');
  const other = await openRawTab('other');
  await other.run(`await killTab.open('frozen', 'model'); await killTab.settled();`);
  const state = 'return killTab.state()';
  expect(await other.run(state)).toEqual(undisturbed);
  await frozen.setState('active');
  for (const answer of goOn) answer();
  await frozen.run('killTab.waitInCalls = false; await killTab.answered();');
  await frozen.run('await killTab.settled()');
  expect(await frozen.run(state)).toEqual(undisturbed);
  expect(await other.run(state)).toEqual(undisturbed);
  expect(await frozen.run('return killTab.effects()')).toEqual(effects);
});
