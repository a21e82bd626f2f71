import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBrowser, type TestBrowser } from '../crash/browser.ts';
import { startRawBrowser, type RawBrowser, type RawTab } from './raw-browser.ts';

let server: TestBrowser;
let browser: RawBrowser;

beforeAll(async () => {
  server = await startTestBrowser(); // for its pages
  browser = await startRawBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function openJobTab(name: string): Promise<RawTab> {
  const tab = await browser.openTab(`${server.origin}/test/e2e/jobs/page/index.html`);
  await until(() => tab.run<boolean>(`return 'jobTab' in window`));
  await tab.run(`jobTab.open('${name}')`);
  return tab;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come about.');
    await delay(50);
  }
}

const settle = (tab: RawTab): Promise<unknown> =>
  tab.run('await jobTab.settled(); return [await jobTab.jobsLeft(), await jobTab.effects()]');

it('CRA-3: a working tab that the browser froze is replaced, and changes nothing when it resumes', async () => {
  const frozen = await openJobTab('frozen-at-work');
  const other = await openJobTab('frozen-at-work');
  expect(await frozen.run('return document.visibilityState')).toBe('hidden');
  await frozen.run(`
    window.reachStep = async (step) => {
      window.step = step;
      if (step === 'before-effect') await new Promise((resolve) => { window.goOn = resolve; });
    };
    jobTab.serve();
    await jobTab.remember('a', 's');`);
  await until(() => frozen.run<boolean>(`return window.step === 'before-effect'`));
  await frozen.setState('frozen');
  await other.run('jobTab.serve()');
  expect(await settle(other)).toEqual([0, { a: 1 }]);
  await frozen.setState('active');
  await frozen.run('goOn()');
  await until(() => frozen.run<boolean>('return jobTab.outcomes.length > 0'));
  expect(await frozen.run('return [jobTab.outcomes, jobTab.terms.map((term) => term.aborted)]')).toEqual([
    ['leadership-lost'],
    [true],
  ]);
  expect(await settle(other)).toEqual([0, { a: 1 }]);
});

it('CRA-4: a frozen tab starts no transaction for new work and does not block others', async () => {
  const frozen = await openJobTab('frozen-idle');
  const other = await openJobTab('frozen-idle');
  await frozen.run(`jobTab.serve(); await jobTab.remember('a', 's'); await jobTab.settled();`);
  await delay(500); // its leader looks for more once, then sleeps
  await frozen.setState('frozen');
  // Frozen tabs do get messages: each of these would wake the leader.
  for (const turn of ['b', 'c', 'd']) await other.run(`await jobTab.remember('${turn}', 's')`);
  await other.run('jobTab.serve()');
  expect(await settle(other)).toEqual([0, { a: 1, b: 1, c: 1, d: 1 }]);
  await frozen.setState('active');
  expect(await frozen.run('return jobTab.calls.length')).toBe(1);
});
