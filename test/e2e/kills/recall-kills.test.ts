import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKillBrowser, type Ending, type KillBrowser } from './kill-browser.ts';
import { startKillServer, type KillServer } from './kill-server.ts';
import type { Moment, WrittenTransaction } from './page/watch-transactions.ts';
import { SEED } from '../seed.ts';

/** In the soak test each kind of transaction is met at each moment. Otherwise half of KINDS, chosen by MNEMORA_SEED, once. */
const IS_SOAK = process.env['MNEMORA_KILLS'] === 'all';
const PARTS = 2;
const MOMENTS: readonly Moment[] = ['before', 'inside', 'after'];
const ENDINGS: readonly Ending[] = ['crash', 'sigkill', 'close'];
/** The transactions that save a part, merge parts, drop the vectors of another embedder, and forget. */
const KINDS: readonly string[] = [
  ': put postings',
  ': delete postings',
  ': delete vectors',
  ': delete messages',
];

let server: KillServer;
let browser: KillBrowser;

beforeAll(async () => {
  server = await startKillServer();
  browser = await startKillBrowser(server);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

it(
  'CRA-8: killed while saving, merging, dropping vectors or forgetting, a memory answers like one built from scratch',
  async () => {
    const first = await browser.openTab();
    const written = await first.page.evaluate(async () => {
      const { recall, written: transactions } = window.killTab;
      await recall.prepare('prepared');
      await recall.begin('prepared', 'undisturbed');
      await recall.work();
      return transactions();
    });
    expect(await first.page.evaluate(() => window.killTab.recall.finish('undisturbed'))).toEqual([]);
    await first.page.close();
    const kinds = written.map((transaction) => transaction.written.kind);
    expect(kinds).toEqual(expect.arrayContaining([...KINDS]));
    const rounds = roundsOf(written);
    const missed: string[] = [];
    for (const [index, { moment, which }] of rounds.entries()) {
      const name = `round-${index}`;
      const where = `${moment} ${which.kind} (${which.nth}), MNEMORA_SEED=${SEED}`;
      const tab = await browser.openTab();
      await tab.page.evaluate((database) => window.killTab.recall.begin('prepared', database), name);
      const { reached } = await tab.stopAt({ moment, which });
      const working = tab.page.evaluate(() => window.killTab.recall.work());
      const ended = await Promise.race([
        reached.then(() => 'stopped'),
        working.then(
          () => 'done',
          () => 'stopped',
        ),
      ]);
      if (ended === 'done') missed.push(where);
      await tab.end(ENDINGS[index % ENDINGS.length] ?? 'crash');
      const heir = await browser.openTab();
      expect(
        await heir.page.evaluate((database) => window.killTab.recall.finish(database), name),
        where,
      ).toEqual([]);
      await heir.page.close();
    }
    const played = `${rounds.length - missed.length} rounds; not reached: ${missed.join()}`;
    process.stdout.write(`recall kills, MNEMORA_SEED=${SEED}: ${played}\n`);
    expect(missed.length).toBeLessThan(Math.max(1, rounds.length / 10));
  },
  IS_SOAK ? 3_600_000 : 900_000,
);

/** The last of each chosen kind, moments taking turns; in the soak test the first and the last of all, and some in between. */
function roundsOf(
  written: readonly WrittenTransaction[],
): { moment: Moment; which: WrittenTransaction['written'] }[] {
  const chosen = written.filter(({ written: { kind, nth } }, index) => {
    const isLast = !written.slice(index + 1).some((later) => later.written.kind === kind);
    return IS_SOAK ? nth % 10 === 1 || isLast : KINDS.includes(kind) && isLast;
  });
  return chosen.flatMap((transaction, index) => {
    const turn = index + SEED;
    if (!IS_SOAK && turn % PARTS > 0) return [];
    const moments = IS_SOAK ? MOMENTS : [MOMENTS[turn % MOMENTS.length] ?? 'inside'];
    return moments.map((moment) => ({
      moment,
      which: moment === 'before' ? transaction.before : transaction.written,
    }));
  });
}
