import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright';
import { build } from 'vite';
import { CHROMIUM_FLAGS, requireEngine } from '../../../scripts/engines.ts';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { startPuppetServer } from '../../engines/puppet-server.ts';

/** A Chromium with a profile of its own, and a server of the tests' pages. */
export interface TestBrowser {
  context: BrowserContext;
  /** A new tab with the library loaded. */
  openTab(): Promise<Page>;
  /** Talks to the tab's renderer. */
  devtools(page: Page): Promise<CDPSession>;
  /** Process ids of all renderers. */
  renderers(): Promise<Set<number>>;
  origin: string;
  close(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');

export async function startTestBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-e2e-'));
  // As few files, because the pages are opened very often.
  await build({
    root: ROOT,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [compileWat()],
    build: {
      outDir: join(folder, 'site'),
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: ['crash', 'jobs'].map((name) => join(ROOT, `test/e2e/${name}/page/index.html`)),
      },
    },
  });
  const server = await startPuppetServer({ '/': join(folder, 'site') });
  const { origin } = new URL(server.url);
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: requireEngine('chromium'),
    // Without a spare renderer every renderer belongs to a tab, so that one can be killed with certainty.
    args: [...CHROMIUM_FLAGS, '--process-per-tab', '--disable-features=SpareRendererForSitePerProcess'],
  });
  const browser = context.browser();
  const root = await browser?.newBrowserCDPSession();
  return {
    context,
    origin,
    async openTab() {
      const page = await context.newPage();
      await page.goto(`${origin}/test/e2e/crash/page/index.html`);
      await page.waitForFunction(() => 'tab' in window);
      return page;
    },
    devtools: (page) => context.newCDPSession(page),
    async renderers() {
      if (!root) return new Set();
      const { processInfo } = await root.send('SystemInfo.getProcessInfo');
      return new Set(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id));
    },
    async close() {
      await context.close();
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
