import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, ENGINES, findEngine } from '../../../scripts/engines.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { HAS_PROCESS_LIST } from '../../engines/browser-processes.ts';
import { SEED } from '../seed.ts';
import { startWritingTabs, type WritingTabs } from './writing-tabs.ts';
import { WritingBrowser } from './writing-browser.ts';

/** Kills in each engine. */
const KILLS: Readonly<Record<Engine, number>> =
  process.env['MNEMORA_KILLS'] === 'all'
    ? { chromium: 100, firefox: 30, webkit: 30 }
    : { chromium: 2, firefox: 1, webkit: 1 };
/** Longer than a step mostly takes, so that some kills come while it is learned from. */
const LATEST_MS = 60;
/** Without a list of processes no process of a page can be found. */
const INSTALLED = ENGINES.filter((engine) => HAS_PROCESS_LIST && findEngine(engine) !== undefined);

let tabs: WritingTabs;

beforeAll(async () => {
  tabs = await startWritingTabs();
}, 300_000);
afterAll(() => tabs.close());

it.each(INSTALLED)(
  'CLM-18: after a page was killed while it learned, corrected, ended, forgot or rebuilt, claims, facts and contexts are those of an undisturbed life (%s)',
  { timeout: 3_600_000 },
  async (engine: Engine) => {
    const { server } = tabs;
    const random = seededRandom(SEED);
    const below = (limit: number): number => Math.floor(random() * limit);
    const profile = await mkdtemp(join(tmpdir(), `mnemora-claims-${engine}-`));
    const browser = new WritingBrowser(engine, server, profile);
    const open = async (name: string, extractor: 'rules' | 'model', step: number): Promise<string> => {
      const tab = (await browser.openTabs(1))[0] ?? '';
      await server.run(tab, (options) => window.claimTab.open(options), { name, extractor, step });
      return tab;
    };
    const state = (tab: string): Promise<readonly string[]> =>
      server.run(tab, () => window.claimTab.state(), 0);
    const take = (tab: string, step: number): Promise<void> =>
      server.run(tab, (n) => window.claimTab.take(n), step);
    const kills = Number(process.env['MNEMORA_ROUNDS'] ?? KILLS[engine]);
    const killed: string[] = [];
    try {
      for (let life = 0; killed.length < kills; life += 1) {
        const extractor = (SEED + life) % 2 === 0 ? 'rules' : 'model';
        const calm = await open(`calm-${life}`, extractor, 0);
        const steps = await server.run(calm, () => window.claimTab.steps(), 0);
        const expected: (readonly string[])[] = [];
        for (let step = 0; step < steps; step += 1) {
          await take(calm, step);
          expected.push(await state(calm));
        }
        expect(expected.at(-1), 'rebuilt').toEqual(expected.at(-2));

        let tab = await open(`killed-${life}`, extractor, 0);
        // All steps of a life are met in the soak, some of them in a sample.
        const isMet = Array.from({ length: steps }, (_, step) => step)
          .toSorted(() => random() - 0.5)
          .slice(0, kills - killed.length);
        for (let step = 0; step < steps; step += 1) {
          const where = `step ${step} of life ${life} by ${extractor}, MNEMORA_SEED=${SEED}`;
          if (isMet.includes(step)) {
            await server.run(tab, (n) => window.claimTab.begin(n), step);
            await delay(below(LATEST_MS));
            await browser.kill('page', tab);
            killed.push(where);
            tab = await open(`killed-${life}`, extractor, step);
          }
          await take(tab, step);
          if (isMet.includes(step) || step === steps - 1)
            expect(await state(tab), where).toEqual(expected[step]);
        }
      }
    } finally {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
      process.stdout.write(`claims, pages killed in ${engine}: ${killed.join('; ')}\n`);
    }
  },
);
