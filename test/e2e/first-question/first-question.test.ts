import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { build } from 'vite';
import { buildAssets } from '../../../scripts/build-assets.ts';
import { compileWat } from '../../../scripts/compile-wat.ts';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import { serveFolder, type StaticServer } from '../package/static-server.ts';

let server: StaticServer;
let browser: DemoBrowser;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-first-'));
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    base: './',
    logLevel: 'error',
    plugins: [compileWat()],
    resolve: { tsconfigPaths: true },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  await cp(await buildAssets(), join(folder, 'mnemora'), { recursive: true });
  server = await serveFolder(folder, "script-src 'self' 'wasm-unsafe-eval'");
  browser = await openDemoBrowser([new URL(server.url).origin]);
  const page = await browser.context.newPage();
  await page.goto(server.url);
  await page.evaluate(() => window.first.tell('My sister Hannah lives in Oslo.'));
  await page.close();
  return async () => {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}, 180_000);

it('MEM-96: a fresh page answers its first question with memory while any one of its assets is held back', async () => {
  const cold = await visit(() => false);
  expect(cold.recalled).toContain('Oslo');
  const assets = cold.requests.filter((path) => path.startsWith('/mnemora/'));
  // The bundle of the page is its own code; all else that it loads stands here.
  expect(assets.map((path) => path.slice('/mnemora/'.length)).toSorted()).toMatchInlineSnapshot(`
    [
      "embedding-worker.js",
      "models/use-lite/config.json",
      "models/use-lite/onnx/model_quantized.onnx",
      "models/use-lite/tokenizer.json",
      "models/use-lite/tokenizer_config.json",
      "ort-wasm-simd.wasm",
    ]
  `);
  for (const path of assets) {
    const held = await visit((each) => each === path);
    expect(held.recalled, path).toContain('Oslo');
  }
}, 120_000);

/** Opens the page with an empty cache, asks, and returns what it has asked the server for. */
async function visit(
  isHeld: (path: string) => boolean,
): Promise<{ requests: readonly string[]; recalled: string }> {
  const requests: string[] = [];
  const page = await browser.context.newPage();
  const held: Route[] = [];
  await browser.context.route('**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    requests.push(path);
    if (isHeld(path)) held.push(route);
    else await route.continue();
  });
  try {
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'first' in window);
    const recalled = await page.evaluate(() => window.first.ask('Where does my sister Hannah live?'));
    return { requests: [...new Set(requests)], recalled };
  } finally {
    await browser.context.unroute('**');
    for (const route of held) await route.abort().catch(() => undefined);
    await page.close();
  }
}
