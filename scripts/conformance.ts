/** `npm run conformance -- FILE`: plays a file of cases through the public API in a real Chromium. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { build } from 'vite';
import type { ConformanceCase } from '../test/conformance/case.ts';
import type { playFile as PlayFile } from '../test/conformance/page.ts';
import type { CaseResult } from '../test/conformance/player.ts';
import { CHROMIUM_FLAGS, requireEngine } from './engines.ts';
import { compileWat } from './compile-wat.ts';

const ROOT = resolve(import.meta.dirname, '..');

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

async function main(file: string | undefined): Promise<number> {
  if (file === undefined) {
    process.stderr.write('Usage: npm run conformance -- FILE\n');
    return 2;
  }
  const cases = JSON.parse(await readFile(file, 'utf8')) as ConformanceCase[];
  const folder = await mkdtemp(join(tmpdir(), 'mnemora-conformance-'));
  try {
    await buildPlayer(folder);
    const results = await playInChromium(folder, cases);
    const count = (status: CaseResult['status']): number =>
      results.filter((result) => result.status === status).length;
    process.stdout.write(
      `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`,
    );
    return count('failed') > 0 || results.length === 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildPlayer(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    plugins: [compileWat()],
    build: {
      outDir: folder,
      minify: false,
      emptyOutDir: true,
      lib: { entry: join(ROOT, 'test/conformance/page.ts'), formats: ['es'], fileName: 'page' },
    },
  });
}

async function playInChromium(folder: string, cases: readonly ConformanceCase[]): Promise<CaseResult[]> {
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: requireEngine('chromium'),
    args: [...CHROMIUM_FLAGS],
  });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    await page.exposeFunction('reportResult', report);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate(async (given) => {
      const address = '/page.js';
      const { playFile } = (await import(address)) as { playFile: typeof PlayFile };
      const { reportResult } = globalThis as unknown as { reportResult: (result: CaseResult) => void };
      return playFile(given, reportResult);
    }, cases);
  } finally {
    await browser.close();
    server.close();
  }
}

function report({ id, status, reason }: CaseResult): void {
  if (status !== 'passed') process.stdout.write(`${status.toUpperCase()} ${id}: ${reason ?? ''}\n`);
}

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Conformance</title>');
      return;
    }
    readFile(join(folder, path)).then(
      (body) =>
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

process.exitCode = await main(process.argv[2]);
