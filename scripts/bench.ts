import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import type { BenchResult } from '../test/bench/bench-result.ts';
import type { BenchName } from '../test/bench/page.ts';
import { CHROMIUM_FLAGS, requireChromium } from './chromium.ts';
import { compileWat } from './compile-wat.ts';

const BENCHES: readonly BenchName[] = ['appendTurn', 'tokenWindow', 'vectorSearch'];

// A page that is isolated from other origins gets a clock of 5 microseconds instead of 100.
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const server = await createServer({
  root: `${import.meta.dirname}/..`,
  configFile: false,
  logLevel: 'error',
  cacheDir: 'node_modules/.vite-bench',
  plugins: [compileWat()],
  server: { port: 0, host: '127.0.0.1', headers: ISOLATION, hmr: false, watch: null },
  optimizeDeps: {
    entries: ['test/bench/page.html'],
    include: [
      '@langchain/classic/memory',
      '@langchain/classic/vectorstores/memory',
      '@langchain/core/chat_history',
      '@langchain/core/documents',
      '@langchain/core/messages',
    ],
  },
});
await server.listen();
// A profile on disk: without one, Chromium keeps IndexedDB in RAM, and strict costs nothing.
const profile = await mkdtemp(join(tmpdir(), 'mnemora-bench-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: requireChromium(),
  args: [...CHROMIUM_FLAGS],
});
const summary: Record<string, unknown> = {};
try {
  const page = await browser.newPage();
  await page.goto(new URL('/test/bench/page.html', server.resolvedUrls?.local[0]).href);
  await page.waitForFunction(() => 'runBench' in window);
  for (const name of BENCHES) {
    try {
      const result = await page.evaluate((wanted) => window.runBench(wanted), name);
      printResult(result);
      summary[name] = { medianMs: mediansOf(result), ...result.ratios };
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name} failed: ${String(error)}\n`);
      summary[name] = { failed: String(error).split('\n')[0] };
    }
  }
} finally {
  await browser.close();
  await server.close();
  await rm(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(summary));

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
