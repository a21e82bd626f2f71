import { join } from 'node:path';
import type { Route } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { serveBuiltPage } from '../built-page.ts';
import { type DemoBrowser, openDemoBrowser } from '../demo-driver.ts';
import type { StaticServer } from '../package/static-server.ts';

let server: StaticServer;
let browser: DemoBrowser;

beforeAll(async () => {
  server = await serveBuiltPage(join(import.meta.dirname, 'page'));
  browser = await openDemoBrowser([new URL(server.url).origin]);
  const page = await browser.context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'first' in window);
  await page.evaluate(() => window.first.tell('My sister Hannah lives in Oslo.'));
  await page.close();
  return async () => {
    await browser.close();
    await server.close();
  };
}, 180_000);

/** What a visit loads beside the bundle of the page, which is its own code. */
const ASSETS = [
  'embedding-worker.js',
  'models/use-lite/config.json',
  'models/use-lite/onnx/model_quantized.onnx',
  'models/use-lite/tokenizer.json',
  'models/use-lite/tokenizer_config.json',
];

it('MEM-96: a fresh page answers its first question with memory while any one of its assets is held back', async () => {
  const cold = await visit(undefined, ASSETS);
  expect(cold.recalled).toContain('Oslo');
  expect([...cold.requests].toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ASSETS);
  for (const asset of ASSETS) {
    const { recalled, requests } = await visit(asset, [asset]);
    expect(recalled, asset).toContain('Oslo');
    expect(requests, asset).toContain(asset);
  }
}, 120_000);

/**
 * Opens the page with an empty cache, asks, and returns what was recalled and the assets that were asked for.
 *
 * @param held asset that the server does not answer
 * @param awaited assets that are waited for after the answer
 */
async function visit(
  held: string | undefined,
  awaited: readonly string[],
): Promise<{ requests: ReadonlySet<string>; recalled: string }> {
  const requests = new Set<string>();
  const waiting: Route[] = [];
  const page = await browser.context.newPage();
  const onRequest = async (route: Route): Promise<void> => {
    const [, asset = ''] = /\/mnemora\/(.+)$/u.exec(new URL(route.request().url()).pathname) ?? [];
    if (asset !== '') requests.add(asset);
    if (asset !== '' && asset === held) waiting.push(route);
    else await route.continue();
  };
  await browser.context.route('**', onRequest);
  try {
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'first' in window);
    const recalled = await page.evaluate(() => window.first.ask('Where does my sister Hannah live?'));
    await expect.poll(() => awaited.every((asset) => requests.has(asset)), { timeout: 30_000 }).toBe(true);
    return { requests, recalled };
  } finally {
    await browser.context.unroute('**', onRequest);
    for (const route of waiting) await route.abort().catch(() => undefined);
    await page.close();
  }
}
