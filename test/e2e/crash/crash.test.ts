import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredMessage } from '../../../src/model/message.ts';
import type { SessionRecord } from '../../../src/storage/schema.ts';
import type { ChangeCursor } from '../../../src/storage/transcript-store.ts';
import { startTestBrowser, type TestBrowser } from './browser.ts';
import { checkSession } from './check-session.ts';
import { seededRandom } from './random.ts';

const ROUNDS = Number(process.env['MNEMORA_ROUNDS'] ?? 60);
const SEED = Number(process.env['MNEMORA_SEED'] ?? Date.now() % 1_000_000);
const DATABASE = 'crash';

/** A tab that writes, and how to kill it. */
interface WritingTab {
  page: Page;
  /** Its renderer, where that is certain. */
  pid: number | undefined;
}

/** A session as a tab that opens the database again finds it. */
interface Found {
  rows: StoredMessage[];
  session: SessionRecord | undefined;
  /** Ids that the log of changes names since the round before. */
  logged: string[];
  cursor: ChangeCursor;
}

const random = seededRandom(SEED);
const acknowledged = new Map<string, number>();
let browser: TestBrowser;

beforeAll(async () => {
  browser = await startTestBrowser();
  await browser.context.exposeBinding('acknowledge', (_source, turnId: string) => {
    const prefix = turnId.slice(0, turnId.lastIndexOf('-'));
    acknowledged.set(prefix, (acknowledged.get(prefix) ?? 0) + 1);
  });
});
afterAll(() => browser.close());

it(
  `CRA-1: no acknowledged turn is lost, duplicated, torn or out of order when a tab is killed (${ROUNDS} rounds, MNEMORA_SEED=${SEED})`,
  async () => {
    process.stdout.write(`crash test: MNEMORA_SEED=${SEED}, ${ROUNDS} rounds\n`);
    const kills = { crash: 0, sigkill: 0 };
    const sizes: number[] = [];
    let cursor: ChangeCursor | undefined;
    let tabs: [WritingTab, WritingTab] = [await openWritingTab(), await openWritingTab()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = `round-${round}`;
      const prefixes = [`${round}a`, `${round}b`] as const;
      for (const prefix of prefixes) acknowledged.set(prefix, 0);
      await Promise.all(tabs.map(({ page }, index) => write(page, session, prefixes[index] ?? '')));
      await until(() => prefixes.every((prefix) => count(prefix) > 0));
      await delay(random() * 250);

      const victim = random() < 0.5 ? 0 : 1;
      const [dying, surviving] = [tabs[victim], tabs[1 - victim] as WritingTab];
      kills[await kill(dying, random() < 0.5 ? 'crash' : 'sigkill')] += 1;
      const written = count(prefixes[1 - victim] ?? '');
      await until(() => count(prefixes[1 - victim] ?? '') > written + 1); // the survivor goes on
      await surviving.page.evaluate(() => window.tab.writer?.stop());

      const fresh = await openWritingTab();
      const found = await read(fresh.page, session, cursor);
      const known = { acknowledged: acknowledgedOf(prefixes), killed: prefixes[victim] };
      const where = `round ${round}, MNEMORA_SEED=${SEED}`;
      expect(checkSession({ ...found, ...known }), where).toEqual([]);
      expect(found.logged.sort(), where).toEqual(found.rows.map((row) => row.id).sort());

      // Sending again what was not acknowledged, as a chat does that has been reloaded, makes it one turn.
      await resend(fresh.page, session, known.killed);
      const settled = await read(fresh.page, session, cursor);
      const resent = new Map(known.acknowledged).set(known.killed, count(known.killed) + 1);
      expect(checkSession({ ...settled, acknowledged: resent, killed: '' }), where).toEqual([]);
      sizes.push(settled.rows.length);
      cursor = settled.cursor;
      await dying.page.close();
      tabs = [surviving, fresh];
    }
    const stored = await tabs[1].page.evaluate(async () =>
      (await window.tab.database?.sessions())?.map(({ id, messageCount }) => [id, messageCount]),
    );
    expect(new Map(stored as [string, number][])).toEqual(
      new Map(sizes.map((size, round) => [`round-${round}`, size])),
    );
    process.stdout.write(
      `crash test: ${kills.crash} crashed, ${kills.sigkill} killed, ${sizes.reduce((a, b) => a + b, 0)} messages kept\n`,
    );
    expect(kills.crash + kills.sigkill).toBe(ROUNDS);
    if (ROUNDS >= 20) expect(Math.min(kills.crash, kills.sigkill)).toBeGreaterThan(0);
  },
  60_000 + ROUNDS * 10_000,
);

async function openWritingTab(): Promise<WritingTab> {
  const before = await browser.renderers();
  const page = await browser.openTab();
  const added = [...(await browser.renderers())].filter((pid) => !before.has(pid));
  await page.evaluate(async (name) => {
    window.tab.database = await window.tab.openDatabase({ name });
  }, DATABASE);
  return { page, pid: added.length === 1 ? added[0] : undefined };
}

function write(page: Page, session: string, prefix: string): Promise<void> {
  return page.evaluate(
    ([id, name]) => {
      const { database, Writer } = window.tab;
      if (database) window.tab.writer = new Writer(database, id, name);
    },
    [session, prefix] as const,
  );
}

/** Kills the tab's renderer and waits until the browser has noticed. Returns how it was done. */
async function kill({ page, pid }: WritingTab, how: 'crash' | 'sigkill'): Promise<'crash' | 'sigkill'> {
  const died = new Promise((resolve) => page.once('crash', resolve));
  if (how === 'sigkill' && pid !== undefined) {
    process.kill(pid, 'SIGKILL');
    await died;
    return 'sigkill';
  }
  const devtools = await browser.devtools(page);
  devtools.send('Page.crash').catch(() => undefined); // it never answers
  await died;
  return 'crash';
}

function read(page: Page, id: string, since: ChangeCursor | undefined): Promise<Found> {
  return page.evaluate(
    async ([sessionId, cursor]) => {
      const { database } = window.tab;
      if (!database) throw new Error('The tab has no database.');
      const { transcript } = database;
      const changes = await transcript.readChanges('user', undefined, cursor);
      return {
        rows: await transcript.listMessages(sessionId),
        session: await transcript.session(sessionId),
        logged: changes.messages.map((message) => message.id),
        cursor: changes.cursor,
      };
    },
    [id, since] as const,
  );
}

/** Writes the first turn that was not acknowledged, twice. */
function resend(page: Page, session: string, prefix: string): Promise<void> {
  return page.evaluate(
    async ([sessionId, turnId]) => {
      const { database, turnMessages } = window.tab;
      const history = database?.chatHistory(sessionId);
      for (let time = 0; time < 2; time += 1) await history?.addMessages(turnMessages(turnId), { turnId });
    },
    [session, `${prefix}-${count(prefix)}`] as const,
  );
}

function count(prefix: string): number {
  return acknowledged.get(prefix) ?? 0;
}

function acknowledgedOf(prefixes: readonly string[]): Map<string, number> {
  return new Map(prefixes.map((prefix) => [prefix, count(prefix)]));
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('A tab has stopped writing.');
    await delay(5);
  }
}
