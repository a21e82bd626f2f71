import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { CHROMIUM_FLAGS, requireEngine } from '../../../scripts/engines.ts';
import type { KillServer } from './kill-server.ts';
import type { StopPoint } from './page/page.ts';

/** How a tab is ended: by a crash, by a signal to its process, or as a user closes it. */
export type Ending = 'crash' | 'sigkill' | 'close';

/** A Chromium whose tabs can be stopped in the middle of a transaction, and ended there. */
export interface KillBrowser {
  openTab(): Promise<DoomedTab>;
  close(): Promise<void>;
}

export interface DoomedTab {
  readonly page: Page;
  /** Resolves when the tab is told; what it returns resolves when the tab stands there. */
  stopAt(point: StopPoint): Promise<{ reached: Promise<unknown> }>;
  end(how: Ending): Promise<void>;
}

export async function startKillBrowser(server: KillServer): Promise<KillBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-kills-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: requireEngine('chromium'),
    // Without a spare renderer every renderer belongs to a tab, so that one can be killed with certainty.
    args: [...CHROMIUM_FLAGS, '--process-per-tab', '--disable-features=SpareRendererForSitePerProcess'],
  });
  const root = await context.browser()?.newBrowserCDPSession();
  const renderers = async (): Promise<Set<number>> => {
    if (!root) return new Set();
    const { processInfo } = await root.send('SystemInfo.getProcessInfo');
    return new Set(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id));
  };
  let tabs = 0;
  return {
    async openTab() {
      tabs += 1;
      const name = `tab-${tabs}`;
      const before = await renderers();
      const page = await context.newPage();
      await page.goto(server.url(name));
      const added = [...(await renderers())].filter((pid) => !before.has(pid));
      const devtools = await context.newCDPSession(page);
      return {
        page,
        async stopAt(point) {
          await page.evaluate((stop) => window.killTab.stopAt(stop), point);
          return { reached: server.stopped(name) };
        },
        async end(how) {
          const [pid] = added;
          if (how === 'close') return page.close();
          const died = new Promise((resolve) => page.once('crash', resolve));
          if (how === 'sigkill' && pid !== undefined && added.length === 1) process.kill(pid, 'SIGKILL');
          else devtools.send('Page.crash').catch(() => undefined); // it never answers
          await died;
          await page.close();
        },
      };
    },
    async close() {
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
