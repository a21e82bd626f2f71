/**
 * `npm run bench:speed [-- PART… [--texts=NAME,NAME]]`: speed against other libraries and raw primitives, in one real
 * Chromium. `--texts` limits the part `longTexts` to some of `test/fixtures/long-texts.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { build, createServer, type Plugin } from 'vite';
import type { BenchResult } from './speed/bench-result.ts';
import type { Bench } from './speed/page.ts';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import { compileWat } from '../../scripts/compile-wat.ts';
import { entrySizes } from '../../scripts/entry-sizes.ts';
import { ASSETS_PATH, serveAssets } from '../../scripts/serve-assets.ts';
import { installPeers } from './install-peers.ts';

const ROOT = join(import.meta.dirname, '../..');
const BARE_WORKER_PATH = '/bare-pipeline.js';
const ASSETS = { assetsUrl: ASSETS_PATH, bareWorkerUrl: BARE_WORKER_PATH };

const BENCHES: readonly Bench[] = [
  { name: 'appendTurn' },
  { name: 'tokenWindow' },
  { name: 'tokens' },
  { name: 'vectorSearch', size: 1_000, assetsUrl: ASSETS_PATH },
  { name: 'vectorSearch', size: 10_000, assetsUrl: ASSETS_PATH },
  { name: 'vectorSearch', size: 100_000, assetsUrl: ASSETS_PATH },
  { name: 'embedding', ...ASSETS },
  { name: 'longTasks', ...ASSETS },
  { name: 'learnedTurns', size: 1_000, assetsUrl: ASSETS_PATH },
  { name: 'learnedTurns', size: 10_000, assetsUrl: ASSETS_PATH },
  { name: 'longTexts', calls: 'functions' },
  { name: 'longTexts', calls: 'memory' },
  { name: 'longTexts', calls: 'chat' },
  { name: 'longTexts', calls: 'components' },
  { name: 'largeGraph' },
  { name: 'firstQuestion', size: 10_000 },
  { name: 'coldOpen', size: 10_000 },
  { name: 'coldOpen', size: 100_000 },
];

// A cross-origin isolated page has a clock resolution of 5 microseconds instead of 100.
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

await installPeers();
const server = await createServer({
  root: ROOT,
  configFile: false,
  logLevel: 'error',
  cacheDir: 'node_modules/.vite-bench',
  plugins: [compileWat(), isolated(), serveAssets(), serveBarePipeline()],
  server: { port: 0, host: '127.0.0.1', headers: ISOLATION, hmr: false, watch: null },
  resolve: { alias: { '@xenova/transformers': join(ROOT, 'test/bench/speed/no-model.ts') } },
  optimizeDeps: {
    entries: ['test/bench/speed/page.html'],
    include: [
      '@langchain/classic/memory',
      '@langchain/classic/vectorstores/memory',
      '@langchain/core/chat_history',
      '@langchain/core/documents',
      '@langchain/core/messages',
      'compromise/two',
      'js-tiktoken/lite',
      'js-tiktoken/ranks/o200k_base',
    ],
    exclude: ['voy-search'],
  },
});
await server.listen();
// A profile on disk: without one, Chromium keeps IndexedDB in RAM, and strict costs nothing.
const profile = await mkdtemp(join(tmpdir(), 'mnemora-bench-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: requireEngine('chromium'),
  args: [...CHROMIUM_FLAGS],
});
const TEXTS = '--texts=';
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith(TEXTS));
const texts = process.argv
  .find((argument) => argument.startsWith(TEXTS))
  ?.slice(TEXTS.length)
  .split(',');
const summary: Record<string, unknown> = {};
try {
  for (const bench of BENCHES) {
    const label = labelOf(bench);
    if (wanted.length > 0 && !wanted.some((part) => label === part || bench.name === part)) continue;
    // A new page for each part, so that none includes the garbage collection of the previous one.
    const page = await browser.newPage();
    try {
      const result = await runInPage(page, bench.name === 'longTexts' && texts ? { ...bench, texts } : bench);
      printResult(result);
      summary[label] = { medianMs: mediansOf(result), ...result.ratios };
    } catch (error) {
      process.exitCode = 1;
      console.error(`${label} failed: ${String(error)}\n`);
      summary[label] = { failed: String(error).split('\n')[0] };
    }
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
  await rm(profile, { recursive: true, force: true });
}
if (wanted.length === 0 || wanted.includes('entrySizes')) {
  const sizes = await entrySizes();
  summary['entrySizes'] = sizes;
  console.log('Bytes of each entry of the package, brotli:');
  for (const [file, size] of Object.entries(sizes)) console.log(`  ${file.padEnd(24)} ${size}`);
}
console.log(JSON.stringify(summary));

function labelOf(bench: Bench): string {
  if ('size' in bench) return `${bench.name}${bench.size}`;
  return bench.name === 'longTexts' ? `${bench.name}/${bench.calls}` : bench.name;
}

async function runInPage(page: Page, bench: Bench): Promise<BenchResult> {
  await page.goto(new URL('/test/bench/speed/page.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'runBench' in window);
  return page.evaluate((asked) => window.runBench(asked), bench);
}

function printResult({ task, rows, ratios }: BenchResult): void {
  console.log(`${task[0]?.toUpperCase()}${task.slice(1)}, median ms:`);
  const width = Math.max(...rows.map((row) => row.who.length));
  for (const { who, medianMs, note } of rows) {
    console.log(`  ${who.padEnd(width)}  ${formatMs(medianMs).padStart(10)}${note && `  ${note}`}`);
  }
  for (const [name, value] of Object.entries(ratios)) console.log(`  ${name}: ${value}`);
  console.log('');
}

function mediansOf({ rows }: BenchResult): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.who, Number(formatMs(row.medianMs))]));
}

function formatMs(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 1 ? 3 : milliseconds < 100 ? 2 : 0);
}

/** Adds the headers of cross-origin isolation: such a page loads only files that allow it. */
function isolated(): Plugin {
  return {
    name: 'mnemora-isolated',
    configureServer: ({ middlewares }) => {
      middlewares.use((_request, response, next) => {
        for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
        response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
        next();
      });
    },
  };
}

/** Serves the worker with the bare pipeline, which must not get the page's replacement. */
function serveBarePipeline(): Plugin {
  let code: Promise<string> | undefined;
  return {
    name: 'mnemora-bare-pipeline',
    configureServer: ({ middlewares }) => {
      middlewares.use(BARE_WORKER_PATH, (_request, response, next) => {
        code ??= bundleBarePipeline();
        code.then((text) => response.setHeader('Content-Type', 'text/javascript').end(text), next);
      });
    },
  };
}

async function bundleBarePipeline(): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: join(ROOT, 'test/bench/speed/bare-pipeline.ts'),
        formats: ['es'],
        fileName: 'bare-pipeline',
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((part) =>
    'output' in part ? part.output : [],
  );
  const [file] = outputs;
  if (file?.type !== 'chunk') throw new Error('The bare pipeline became no script.');
  return file.code;
}
