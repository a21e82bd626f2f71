import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { createServer } from 'vite';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import { compileWat } from '../../scripts/compile-wat.ts';
import { serveAssets } from '../../scripts/serve-assets.ts';
import { benchAddress, modelPlugins } from './measured-model.ts';

/** Opens the page of the recall bench in a fresh profile of Chromium, and closes everything after its use. */
export async function withRecallPage(use: (page: Page) => Promise<void>): Promise<void> {
  const server = await createServer({
    root: `${import.meta.dirname}/../..`,
    configFile: false,
    logLevel: 'error',
    cacheDir: 'node_modules/.vite-bench-recall',
    plugins: [serveAssets(), compileWat(), ...modelPlugins()],
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
    optimizeDeps: { entries: ['test/bench/recall/recall-page.html'] },
  });
  await server.listen();
  const profile = await mkdtemp(join(tmpdir(), 'mnemora-bench-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: requireEngine('chromium'),
    args: [...CHROMIUM_FLAGS],
  });
  try {
    const page = await browser.newPage();
    await page.goto(benchAddress('/test/bench/recall/recall-page.html', server.resolvedUrls?.local[0]));
    await page.waitForFunction(() => 'benchRecall' in window);
    await use(page);
  } finally {
    await browser.close();
    await server.close();
    await rm(profile, { recursive: true, force: true });
  }
}
