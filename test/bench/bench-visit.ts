/**
 * `npm run bench:visit`: every request that a page with `createMemory` makes on its first visit, with its bytes as they
 * are and with brotli (quality 11), after each of the calls that load something.
 */
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import { serveBuiltPage } from '../e2e/built-page.ts';

interface Loaded {
  readonly file: string;
  readonly raw: number;
  readonly brotli: number;
}

const STEPS = ['remember', 'recall', 'rest'] as const;

const server = await serveBuiltPage(join(import.meta.dirname, 'visit'));
const browser = await chromium.launch({
  executablePath: requireEngine('chromium'),
  args: [...CHROMIUM_FLAGS],
});
try {
  const page = await browser.newPage();
  const served: [step: string, paths: readonly string[]][] = [];
  let seen = 0;
  const end = async (step: string): Promise<void> => {
    await page.waitForLoadState('networkidle');
    served.push([step, server.served.slice(seen)]);
    seen = server.served.length;
  };
  await page.goto(server.url);
  await page.waitForFunction(() => 'visit' in window);
  await end('createMemory');
  for (const step of STEPS) {
    await page.evaluate((name) => window.visit[name](), step);
    await end(step);
  }
  const all: Loaded[] = [];
  for (const [step, paths] of served) {
    const files = await Promise.all(paths.map(load));
    for (const file of files) print(file);
    print(sumOf(`  ${files.length} requests of ${step}`, files));
    all.push(...files);
  }
  print(sumOf(`  ${all.length} requests in all`, all));
} finally {
  await browser.close();
  await server.close();
}

async function load(path: string): Promise<Loaded> {
  const content = new Uint8Array(await (await fetch(new URL(path, server.url))).arrayBuffer());
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  return { file: path, raw: content.length, brotli: brotliCompressSync(content, { params }).length };
}

function sumOf(file: string, files: readonly Loaded[]): Loaded {
  const sum = (of: 'raw' | 'brotli'): number => files.reduce((total, each) => total + each[of], 0);
  return { file, raw: sum('raw'), brotli: sum('brotli') };
}

function print({ file, raw, brotli }: Loaded): void {
  const cells = [raw, brotli].map((bytes) => bytes.toLocaleString('en').padStart(12));
  process.stdout.write(`${cells.join('')}  ${file}\n`);
}
