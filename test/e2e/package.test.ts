import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, requireChromium } from '../../scripts/chromium.ts';
import type { Memory } from '../../src/index.ts';
import { tiktokenTokenizer } from '../../src/tokens/tiktoken.ts';
import {
  buildBundlerPage,
  installPackage,
  layOutScriptPage,
  type InstalledProject,
} from './package/installed-project.ts';
import { serveFolder } from './package/static-server.ts';

declare global {
  /** Defined by both pages. */
  var openMemory: (() => Promise<Memory>) | undefined;
}

/** The policy under which the library promises to work. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types mnemora";

let project: InstalledProject;
let browser: Browser;

beforeAll(async () => {
  project = await installPackage();
  browser = await chromium.launch({ executablePath: requireChromium(), args: [...CHROMIUM_FLAGS] });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

describe('in a browser', () => {
  it('G1: a page that imports the packed library remembers by meaning under the strict policy', async () => {
    await expectMemoryToWork(await buildBundlerPage(project), POLICY);
  });

  it('G2: a page that loads the packed library by a script tag remembers by meaning under the strict policy', async () => {
    await expectMemoryToWork(await layOutScriptPage(project), POLICY);
  });

  it('G3: both pages work under Trusted Types with the one policy mnemora', async () => {
    const policy = `${POLICY}; ${TRUSTED_TYPES}`;
    await expectMemoryToWork(await buildBundlerPage(project), policy);
    await expectMemoryToWork(await layOutScriptPage(project), policy);
  });

  it('G4: without leave to run wasm the worker breaks the policy, keyword search serves, and a warning says so', async () => {
    const visit = await openPage(await layOutScriptPage(project), POLICY.replace(" 'wasm-unsafe-eval'", ''));
    const seen = await visit.page.evaluate(async () => {
      const memory = await globalThis.openMemory?.();
      if (!memory) throw new Error('The page has no library.');
      const warnings = new Set<string>();
      memory.addEventListener('warning', ({ detail }) => warnings.add(detail.code));
      await memory.remember({ user: 'My dog is called Rex.', assistant: 'What a good name!' });
      await memory.settled();
      const found = await memory.search('Which dog?');
      await memory.close();
      return { warnings: [...warnings], found: found.map((message) => message.content) };
    });
    expect(seen).toEqual({ warnings: ['model-unavailable'], found: ['My dog is called Rex.'] });
    // The report comes from the worker, so these tests see what happens there, too.
    await expect.poll(() => visit.violations).toContainEqual(expect.stringContaining('wasm-eval'));
    await visit.close();
  });
});

describe('in Node', () => {
  it('G5: importing does nothing; without IndexedDB createMemory says storage-unavailable or keeps all in memory', async () => {
    const { stdout, stderr } = await project.runNode(['import.mjs']);
    expect(stderr).toBe('');
    const { tokens, ...seen } = JSON.parse(stdout);
    expect(seen).toEqual({
      added: [],
      handles: [],
      refusal: 'storage-unavailable',
      found: 'My sister lives in Lisbon.',
      context: expect.stringContaining('My sister lives in Lisbon.'),
    });
    expect(tokens).toBeGreaterThan(0);
  });

  it.each([
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
    ['node', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
  ])('G6: the packed types are whole for a strict project (%s resolution)', async (_name, resolution) => {
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--skipLibCheck', 'false'];
    const world = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--types', ''];
    const checked = await project
      .runNode([compiler, ...strict, ...world, ...resolution, 'types.ts'])
      .catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });
});

describe('the package', () => {
  it('G7: installing it brings what SPEC.md names and no more', async () => {
    const installed = await readdir(join(project.folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.')).toSorted()).toEqual([
      '@noble',
      'base64-js',
      'compromise',
      'efrt',
      'events',
      'grad-school',
      'graphology',
      'graphology-types',
      'idb',
      'js-tiktoken',
      'mnemora',
      'stemmer',
      'suffix-thumb',
    ]);
  });

  it('G8: it holds the worker, the wasm, the model, the vocabularies and their licenses, and no source', async () => {
    const files = await readdir(project.packageFolder, { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining(
        [
          'index.js',
          'langchain.js',
          'langchain4j.js',
          'graph.js',
          'search.js',
          'extract.js',
          'mnemora.global.js',
          'mnemora.global.LICENSES.txt',
          'embedding-worker.js',
          'embedding-worker.LICENSES.txt',
          'ort-wasm-simd.wasm',
          'models/use-lite/onnx/model_quantized.onnx',
          'models/use-lite/LICENSE',
          'models/use-lite/NOTICE',
          'ranks/o200k_base.js',
          'ranks/cl100k_base.js',
          'word-classes.js',
          'types/index.d.ts',
        ].map((file) => join('dist', file)),
      ),
    );
    expect(files.filter((file) => /^(src|test|scripts|demo|node_modules)\b/.test(file))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(project.packageFolder, 'package.json'), 'utf8'));
    expect(Object.keys(manifest.scripts ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$|^prepare$/)]),
    );
  });
});

/** Tells a memory three things and asks for one of them in other words. */
async function expectMemoryToWork(folder: string, policy: string): Promise<void> {
  const visit = await openPage(folder, policy);
  const seen = await visit.page.evaluate(async () => {
    const memory = await globalThis.openMemory?.();
    if (!memory) throw new Error('The page has no library.');
    const warnings: string[] = [];
    memory.addEventListener('warning', ({ detail }) => warnings.push(`${detail.code}: ${detail.message}`));
    await memory.remember({ user: 'My dog is called Rex.', assistant: 'What a good name!' });
    await memory.remember({ user: 'The car needs new tyres.', assistant: 'I will remind you in May.' });
    await memory.remember({ user: 'Bread dough rests overnight.', assistant: 'That gives it flavour.' });
    await memory.settled();
    const [found] = await memory.search('What pets do I have?');
    const context = await memory.session('another').recall('What pets do I have?');
    await memory.close();
    return { warnings, found, context };
  });
  expect(seen.warnings).toEqual([]);
  expect(seen.found?.content).toBe('My dog is called Rex.');
  expect(seen.found?.parts['vector']).toBeGreaterThan(0);
  expect(seen.found?.parts['keyword'] ?? 0).toBe(0);
  expect(seen.context.text).toContain('My dog is called Rex.');
  const tokenizer = await tiktokenTokenizer();
  const counts = seen.context.messages.map((message) => tokenizer.countMessage(message));
  expect(seen.context.tokens).toBe(3 + counts.reduce((sum, count) => sum + count));
  // Reports arrive late. One that is caused on purpose comes after all others, and shows that reports come at all.
  await visit.page.evaluate(() => fetch('https://last.invalid/').catch(() => undefined));
  await expect.poll(() => visit.violations).toContainEqual(expect.stringContaining('https://last.invalid'));
  expect(visit.violations).toHaveLength(1);
  await visit.close();
  expect(visit.requests.filter((url) => !url.startsWith(visit.url))).toEqual([]);
  expect(visit.requests).toContain(`${visit.url}mnemora/models/use-lite/onnx/model_quantized.onnx`);
  expect(visit.failures).toEqual([]);
}

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Addresses that were asked for, by the page or its worker; those of other origins got no answer. */
  readonly requests: readonly string[];
  readonly violations: readonly string[];
  readonly failures: readonly string[];
  close(): Promise<void>;
}

async function openPage(folder: string, policy: string): Promise<Visit> {
  const server = await serveFolder(folder, policy);
  const context = await browser.newContext();
  const requests: string[] = [];
  const failures: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });
  await context.route('**/*', (route) =>
    route.request().url().startsWith(server.url) ? route.continue() : route.abort(),
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(server.url);
  return {
    page,
    url: server.url,
    requests,
    failures,
    violations: server.violations,
    async close() {
      await context.close();
      await server.close();
    },
  };
}
