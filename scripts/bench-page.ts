import { chromium, type Page } from 'playwright';
import { createServer } from 'vite';
import { CHROMIUM_FLAGS, requireChromium } from './chromium.ts';
import { compileWat } from './compile-wat.ts';
import { serveAssets } from './serve-assets.ts';

export interface BenchPage {
  /** From the root of the repository, as in `test/bench/context-page.html`. */
  path: string;
  /** What the page's script puts on `window` when it is ready. */
  global: string;
  /** Leaves Ctrl-C to the caller, who then ends what the page does. @default false: it closes the browser and ends */
  handlesInterrupt?: boolean;
}

/** Serves a page from source and opens it in a Chromium of its own, which is closed afterwards. */
export async function withBenchPage<T>(
  { path, global, handlesInterrupt = false }: BenchPage,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const server = await createServer({
    root: `${import.meta.dirname}/..`,
    configFile: false,
    logLevel: 'error',
    cacheDir: `node_modules/.vite-${global}`,
    plugins: [serveAssets(), compileWat()],
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
    optimizeDeps: { entries: [path] },
  });
  await server.listen();
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: [...CHROMIUM_FLAGS],
    handleSIGINT: !handlesInterrupt,
  });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    await page.goto(new URL(path, server.resolvedUrls?.local[0]).href);
    await page.waitForFunction((name) => name in window, global);
    return await use(page);
  } finally {
    await browser.close();
    await server.close();
  }
}
