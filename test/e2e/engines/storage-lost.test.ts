import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../scripts/engines.ts';
import { type LaunchOptions, type LaunchedEngine, launchEngine } from '../../engines/launch-engine.ts';
import { processesOf } from '../../engines/process-group.ts';
import type { PuppetServer } from '../../engines/puppet-server.ts';
import { INSTALLED, servePage } from './engine-page.ts';

declare global {
  interface Window {
    /** How often each of the loops of a test has yielded. */
    yields: number[];
  }
}

const ROUNDS = Number(process.env['MNEMORA_STORAGE_KILLS'] ?? 3);
/** Refused calls, 20 ms apart, before writes have to go on. */
const MAX_REFUSED = 150;

const only = (engine: Engine): readonly Engine[] => INSTALLED.filter((each) => each === engine);

let server: PuppetServer;

beforeAll(async () => {
  const served = await servePage();
  server = served.server;
  return served.close;
}, 300_000);

async function open(engine: Engine, options: LaunchOptions = {}): Promise<LaunchedEngine> {
  const browser = await launchEngine(engine, options);
  onTestFinished(() => browser.close());
  await browser.open(`${server.url}index.html?tab=a`);
  return browser;
}

/** Kills the processes that store what pages write, when the page has none of its requests on its way. */
async function killStorage({ pid }: LaunchedEngine): Promise<void> {
  const processes = await processesOf(pid, 'WebKitNetworkProcess');
  expect(processes).toHaveLength(1);
  for (const each of processes) process.kill(each, 'SIGKILL');
}

const POLICIES = [
  ['any', ''],
  ['no', "frame-src 'none'; child-src 'none'"],
] as const;

it.each(only('webkit').flatMap((engine) => POLICIES.map((policy) => [...policy, engine] as const)))(
  'ENG-6: under a policy that allows %s frames (%s), a tab goes on without a reload after the storage process was killed, and nothing acknowledged is lost or doubled (%s)',
  async (_frames, policy, engine) => {
    const browser = await open(engine);
    await server.run(
      'a',
      async (content) => {
        const meta = document.createElement('meta');
        meta.httpEquiv = 'Content-Security-Policy';
        meta.content = content;
        document.head.append(meta);
        window.engineTab.writer.start(await window.engineTab.open());
        await window.engineTab.writer.goesOn(3);
      },
      policy,
    );
    const refused: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await killStorage(browser);
      refused.push(await server.run('a', () => window.engineTab.writer.goesOn(3), 0));
    }
    expect(refused.filter((calls) => calls > MAX_REFUSED)).toEqual([]);
    const after = await server.run(
      'a',
      async () => {
        const memory = await window.engineTab.open();
        await window.engineTab.writer.stop();
        await memory.work.settled();
        const { problems } = await memory.backup.verify();
        const stored = (await memory.history()).filter(({ role }) => role === 'user');
        const [found] = await memory.search('boat b1', { limit: 1 });
        const { acknowledged } = window.engineTab.writer;
        return {
          problems,
          acknowledged,
          stored: stored.map(({ turnId }) => turnId),
          found: found?.message.content,
          usesFrame: document.querySelector('iframe[aria-hidden]') !== null,
          uncaught: window.engineTab.uncaught,
        };
      },
      0,
    );
    expect(after.acknowledged.length).toBeGreaterThanOrEqual(3 * (ROUNDS + 1));
    expect(after.stored).toEqual(after.acknowledged);
    expect(after).toMatchObject({
      problems: [],
      found: 'I saw the boat b1.',
      usesFrame: true,
      uncaught: [],
    });
  },
  120_000 + 30_000 * ROUNDS,
);

it.each(only('webkit'))(
  'ENG-6: work that yields to the event loop goes on after the storage process was killed (%s)',
  async (engine) => {
    const browser = await open(engine);
    // Many at once, so that some messages are on their way whenever the process ends.
    await server.run(
      'a',
      (count) => {
        window.yields = Array.from({ length: count }, () => 0);
        const goOn = async (at: number): Promise<void> => {
          for (;;) {
            await window.engineTab.yieldToEventLoop();
            window.yields[at] = (window.yields[at] ?? 0) + 1;
          }
        };
        for (const at of window.yields.keys()) void goOn(at);
      },
      50,
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      await killStorage(browser);
      await server.run(
        'a',
        async () => {
          const before = [...window.yields];
          while (window.yields.some((count, at) => count <= (before[at] ?? 0))) {
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        },
        0,
      );
    }
  },
);

it.each(only('firefox'))(
  'ENG-7: each call that does not fit rejects with storage-full, and calls work again after something was forgotten (%s)',
  async (engine) => {
    await open(engine, { preferences: [['dom.quotaManager.temporaryStorage.fixedLimit', 10_240]] });
    const outcome = await server.run(
      'a',
      async () => {
        const memory = await window.engineTab.open();
        const codes: unknown[] = [];
        let kept = 0;
        for (let n = 0; n < 400 && codes.length < 7; n += 1) {
          const answer = crypto.getRandomValues(new Uint8Array(60_000)).join();
          await memory.remember({ user: `question ${n}`, assistant: answer }).then(
            () => (kept += 1),
            (error: unknown) => codes.push((error as { code?: string }).code),
          );
        }
        const stored = (await memory.history()).filter(({ role }) => role === 'user').length;
        await memory.forget({ sessionId: 'shared' });
        for (const user of ['one', 'two', 'three']) await memory.remember({ user, assistant: 'Yes.' });
        const after = (await memory.history()).length;
        return { codes, isAllKept: kept > 0 && kept === stored, after, uncaught: window.engineTab.uncaught };
      },
      0,
    );
    expect(outcome).toEqual({
      codes: Array.from({ length: 7 }, () => 'storage-full'),
      isAllKept: true,
      after: 6,
      uncaught: [],
    });
  },
);
