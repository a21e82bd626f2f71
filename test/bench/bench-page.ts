import { chromium, type Page } from 'playwright';
import { createServer } from 'vite';
import { benchAddress, modelPlugins } from './measured-model.ts';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import { compileWat } from '../../scripts/compile-wat.ts';
import { serveAssets } from '../../scripts/serve-assets.ts';

export interface BenchPage {
  /** Path from the root of the repository, such as `test/bench/context/context-page.html`. */
  path: string;
  /** Name of the property that the page's script sets on `window` when it is ready. */
  global: string;
  /** Whether the caller handles Ctrl-C. @default false: it closes the browser and ends the process */
  handlesInterrupt?: boolean;
}

/** Serves a page from source, opens it in a new Chromium, and closes both afterwards. */
export async function withBenchPage<T>(
  { path, global, handlesInterrupt = false }: BenchPage,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const server = await createServer({
    root: `${import.meta.dirname}/../..`,
    configFile: false,
    logLevel: 'error',
    cacheDir: `node_modules/.vite-${global}`,
    plugins: [serveAssets(), compileWat(), ...modelPlugins()],
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
    optimizeDeps: { entries: [path] },
  });
  await server.listen();
  const browser = await chromium.launch({
    executablePath: requireEngine('chromium'),
    args: [...CHROMIUM_FLAGS],
    handleSIGINT: !handlesInterrupt,
  });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    await page.goto(benchAddress(path, server.resolvedUrls?.local[0]));
    await page.waitForFunction((name) => name in window, global);
    return await use(page);
  } finally {
    await browser.close();
    await server.close();
  }
}
