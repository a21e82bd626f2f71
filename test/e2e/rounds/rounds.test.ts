import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, ENGINES, findEngine } from '../../../scripts/engines.ts';
import { HAS_PROCESS_LIST } from '../../engines/browser-processes.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { type Victim, victimsOf, WritingBrowser } from './writing-browser.ts';
import { startWritingTabs, type WritingTabs } from './writing-tabs.ts';
import { SEED } from '../seed.ts';

const IS_SOAK = process.env['MNEMORA_KILLS'] === 'all';
/**
 * In `npm test`, a kill of each process in Chromium, and of a page in the others, whose browser and storage process are
 * killed in `test/e2e/engines`.
 */
const ROUNDS: Readonly<Record<Engine, number>> = IS_SOAK
  ? { chromium: 500, firefox: 100, webkit: 100 }
  : { chromium: 3, firefox: 1, webkit: 1 };
const NAMES = ['a', 'b', 'c'];
/** Rounds after which a new database is taken, so that databases stay small. */
const ROUNDS_PER_DATABASE = 5;
const MIN_TURNS = 20;

/** Without a list of processes no process of a page can be found. */
const INSTALLED = ENGINES.filter((engine) => HAS_PROCESS_LIST && findEngine(engine) !== undefined);

let tabs: WritingTabs;

beforeAll(async () => {
  tabs = await startWritingTabs();
}, 300_000);
afterAll(() => tabs.close());

it.each(INSTALLED)(
  'CRA-1: kills of pages, of the browser and of its storage lose, double, tear and reorder no acknowledged turn (%s)',
  { timeout: 36_000_000 },
  async (engine) => {
    const rounds = Number(process.env['MNEMORA_ROUNDS'] ?? ROUNDS[engine]);
    const random = seededRandom(SEED);
    const below = (limit: number): number => Math.floor(random() * limit);
    const profile = await mkdtemp(join(tmpdir(), `mnemora-rounds-${engine}-`));
    const browser = new WritingBrowser(engine, tabs.server, profile);
    const victims = victimsOf(engine);
    const kills = new Map(victims.map((victim) => [victim, 0]));
    const before = tabs.total;
    let extractor: 'rules' | 'model' = 'rules';
    // Each is killed once before any is killed again, so that few rounds meet all of them.
    let next: Victim[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        if (round % ROUNDS_PER_DATABASE === 0) {
          tabs.startDatabase();
          extractor = random() < 0.5 ? 'rules' : 'model';
        }
        const memory = { name: `rounds-${Math.floor(round / ROUNDS_PER_DATABASE)}`, extractor };
        if (next.length === 0) next = [...victims];
        const [victim = 'page'] = next.splice(IS_SOAK ? below(next.length) : 0, 1);
        const where = `round ${round}, ${victim} killed, facts by ${extractor}, MNEMORA_SEED=${SEED}`;

        const opened = await browser.openTabs(NAMES.length);
        const writers = new Map(opened.map((tab, n) => [tab, `${round}${NAMES[n]}`]));
        await tabs.open(opened, memory);
        await tabs.write(writers);
        const least = MIN_TURNS + below(MIN_TURNS);
        await tabs.written.until(() => tabs.written.count(...writers.values()) >= least, where);
        await delay(below(30)); // at any point of a turn
        const killed = await browser.kill(victim, opened[below(opened.length)] ?? '');
        kills.set(victim, (kills.get(victim) ?? 0) + 1);

        const living = opened.filter((tab) => !killed.includes(tab));
        const goals = living.map((tab) => {
          const writer = writers.get(tab) ?? '';
          return { writer, count: tabs.written.count(writer) + 2 };
        });
        const go = (): boolean => goals.every(({ writer, count }) => tabs.written.count(writer) >= count);
        await tabs.written.until(go, `${where}, the other tabs`);
        await tabs.stop(living);

        const checking = (await browser.openTabs(NAMES.length)).at(-1) ?? '';
        await tabs.open([checking], memory);
        for (const tab of killed) await tabs.resend(checking, writers.get(tab) ?? '');
        expect(await tabs.check(checking), where).toEqual([]);
      }
    } finally {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
      const counts = [...kills].map(([victim, count]) => `${victim} ${count}`).join(', ');
      process.stdout.write(
        `kills in ${engine}, MNEMORA_SEED=${SEED}: ${counts}; ${tabs.total - before} turns acknowledged\n`,
      );
    }
  },
);
