import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENGINES, findEngine } from '../../../scripts/engines.ts';
import { HAS_PROCESS_LIST } from '../../engines/browser-processes.ts';
import { hasTornLog } from '../../engines/torn-log.ts';
import { PowerCutDisk, whyNoPowerCut } from '../../engines/power-cut-disk.ts';
import { seededRandom } from '../../bench/recall/seeded-random.ts';
import { WritingBrowser } from './writing-browser.ts';
import { startWritingTabs, type WritingTabs } from './writing-tabs.ts';
import { SEED } from '../seed.ts';

const IS_SOAK = process.env['MNEMORA_KILLS'] === 'all';
const CUTS = Number(process.env['MNEMORA_CUTS'] ?? (IS_SOAK ? 30 : 0));
const CUTS_PER_DATABASE = 5;
const MIN_TURNS = 20;

const WHY_NOT = CUTS === 0 ? 'it is part of npm run test:soak' : whyNoPowerCut();
const INSTALLED = ENGINES.filter((engine) => HAS_PROCESS_LIST && findEngine(engine) !== undefined);

let tabs: WritingTabs;

beforeAll(async () => {
  if (WHY_NOT !== undefined) return void process.stdout.write(`No power cuts were made: ${WHY_NOT}.\n`);
  tabs = await startWritingTabs();
}, 300_000);
afterAll(() => (tabs as WritingTabs | undefined)?.close());

it.for(INSTALLED)(
  'CRA-9: a power cut loses no acknowledged turn (%s)',
  { timeout: 36_000_000 },
  async (engine, { skip }) => {
    skip(WHY_NOT !== undefined, WHY_NOT);
    const random = seededRandom(SEED);
    const folder = await mkdtemp(join(tmpdir(), `mnemora-power-${engine}-`));
    const disk = PowerCutDisk.create(folder);
    const profile = join(disk.path, 'profile');
    const browser = new WritingBrowser(engine, tabs.server, profile);
    const before = tabs.total;
    let [unsynced, made, torn] = [0, 0, 0];
    let [name, isTorn] = ['', false];
    const bareRows = { written: 0, lost: 0 };
    try {
      for (let cut = 0; cut < CUTS; cut += 1) {
        if (cut % CUTS_PER_DATABASE === 0 || isTorn) {
          tabs.startDatabase();
          name = `cuts-${cut}`;
        }
        const memory = { name, extractor: 'rules' } as const;
        const where = `cut ${cut}, MNEMORA_SEED=${SEED}`;
        const opened = await browser.openTabs(2);
        const writers = new Map(opened.map((tab, n) => [tab, `${cut}${'ab'[n]}`]));
        await tabs.open(opened, memory);
        await tabs.write(writers);
        const control = await browser.openElsewhere();
        const bare = `bare-${cut}`;
        await tabs.server.run(control, (rows) => window.roundTab.writeRows(rows), bare);
        const least = MIN_TURNS + Math.floor(random() * MIN_TURNS);
        const isTime = (): boolean =>
          tabs.written.count(...writers.values()) >= least && tabs.written.rows(bare) > 0;
        await tabs.written.until(isTime, where);
        await delay(random() * 3000); // at any point between two flushes of the file system
        browser.stop();
        writeFileSync(join(disk.path, 'unsynced'), where);
        disk.cut();
        await browser.close();
        disk.restart();
        made += 1;
        isTorn = hasTornLog(profile, 'http_127.0.0.1');
        if (readIfThere(join(disk.path, 'unsynced')) !== where) unsynced += 1;

        // What is lost here, on a page that only uses IndexedDB, the browser has lost. It is counted, and told below.
        const counting = await browser.openElsewhere();
        const kept = await tabs.server.run(counting, (rows) => window.roundTab.countRows(rows), bare);
        bareRows.written += tabs.written.rows(bare);
        bareRows.lost += Math.max(0, tabs.written.rows(bare) - kept);
        if (isTorn) {
          torn += 1;
          continue; // The browser drops the database, whoever has written it.
        }
        const [checking = ''] = await browser.openTabs(2);
        await tabs.open([checking], memory);
        for (const writer of writers.values()) await tabs.resend(checking, writer);
        expect(await tabs.check(checking), where).toEqual([]);
      }
      // Without a loss the cuts would show nothing.
      expect(unsynced).toBeGreaterThan(0);
      // Nor would they if the browser dropped most of what is to be checked.
      expect(torn, 'cuts after which nothing was checked').toBeLessThan(CUTS / 2);
    } finally {
      await browser.close();
      disk.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      process.stdout.write(
        `power cuts in ${engine}, MNEMORA_SEED=${SEED}: ${made}, ${torn} of them left a database that the browser drops; ${tabs.total - before} turns acknowledged; without Mnemora: ${bareRows.lost} of ${bareRows.written} flushed rows and ${unsynced} unsynced files lost\n`,
      );
    }
  },
);

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
