import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import type * as Graph from '../../src/graph.ts';
import type { Memory, RecalledContext, SearchResult } from '../../src/index.ts';
import { tiktokenTokenizer } from '../../src/tokens/tiktoken.ts';
import { checkPublicTypes } from './package/entry-types.ts';
import { installPackage, type InstalledProject } from './package/installed-project.ts';
import { layOutSite, type Site } from './package/site.ts';
import { visitPage } from './package/visit.ts';

/** Files of the entries that a program imports. */
const ENTRIES = ['index', 'langchain', 'langchain4j', 'graph', 'search', 'extract'];

/** What `package/pages/scenario.js` returns. */
interface Seen {
  readonly warnings: readonly string[];
  readonly found: SearchResult | undefined;
  readonly context: Pick<RecalledContext, 'text' | 'messages' | 'tokens'>;
}

declare global {
  /** Defined by every page. */
  var tellAndAsk: (() => Promise<Seen>) | undefined;
  /** Defined by the page with a script tag. */
  var openMemory: (() => Promise<Memory>) | undefined;
}

/** The policy under which the library promises to work. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types mnemora";

let project: InstalledProject;
let site: Site;
let browser: Browser;

beforeAll(async () => {
  project = await installPackage();
  site = await layOutSite(project);
  browser = await chromium.launch({ executablePath: requireEngine('chromium'), args: [...CHROMIUM_FLAGS] });
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

describe('in Node', () => {
  it('PKG-5: importing any entry does nothing; without IndexedDB createMemory says storage-unavailable or keeps all in memory', async () => {
    const { stdout, stderr } = await project.run('node', ['import.mjs']);
    expect(stderr).toBe('');
    const { tokens, ...seen } = JSON.parse(stdout);
    expect(seen).toEqual({
      added: [],
      handles: [],
      values: Array.from({ length: 5 }, () => 'function'),
      refusal: 'storage-unavailable',
      found: 'My sister lives in Lisbon.',
      context: expect.stringContaining('My sister lives in Lisbon.'),
    });
    expect(tokens).toBeGreaterThan(0);
  });

  it.each([
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
    ['node', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
  ])('PKG-6: the packed types compile in a strict project (%s resolution)', async (_name, resolution) => {
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const checked = await project
      .run('node', [compiler, '--project', '.', ...resolution])
      .catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });
});

describe('the types', () => {
  it('PKG-23: no type in a public signature is any', () => {
    expect(checkPublicTypes(project, ENTRIES).anyTypes).toEqual([]);
  });

  it('PKG-22: an entry exports every type that a public signature names', () => {
    expect(checkPublicTypes(project, ENTRIES).notExported).toEqual([]);
  });
});

describe('the package', () => {
  it('PKG-7: installing the package installs what SPEC.md names and nothing else', async () => {
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

  it('PKG-8: the package contains worker, wasm, model, vocabularies and their licenses, and no source', async () => {
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
          'tagging-worker.js',
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

  it('PKG-40: the files that a page or a worker loads by their address are ASCII', async () => {
    const folder = join(project.packageFolder, 'dist');
    const ranks = (await readdir(join(folder, 'ranks'))).map((name) => `ranks/${name}`);
    const scripts = [
      'mnemora.global.js',
      'embedding-worker.js',
      'tagging-worker.js',
      'word-classes.js',
      ...ranks,
    ];
    const texts = await Promise.all(
      scripts.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
    );
    expect(texts.filter(([, text]) => /[^\0-\x7f]/.test(text ?? '')).map(([name]) => name)).toEqual([]);
  });
});

describe('a page that imports the packed library', () => {
  it.each([
    ['built by Vite', 'vite/'],
    ['built by esbuild with splitting', 'esbuild/'],
    ['built by esbuild into one file', 'esbuild-one-file/'],
    ['built by webpack', 'webpack/'],
  ])('PKG-1: %s remembers by meaning under the strict policy', async (_name, path) => {
    await expectMemoryToWork(path, POLICY);
  });

  it('PKG-1: built by esbuild into one file that takes the vocabularies from the assets does the same', async () => {
    const served = await expectMemoryToWork('esbuild-with-assets/', POLICY);
    expect(served).toContain('/mnemora/ranks/o200k_base.js');
    expect(served).toContain('/mnemora/word-classes.js');
  });

  it('PKG-19: without a bundler, by an import map, remembers by meaning under the strict policy', async () => {
    const policy = POLICY.replace("script-src 'self'", `$& ${site.importMapSource}`);
    const served = await expectMemoryToWork('modules/', policy);
    expect(served).toContain('/modules/mnemora/index.js');
    expect(served).toContain('/mnemora/ranks/o200k_base.js');
  });

  it('PKG-20: in a module worker remembers by meaning under the strict policy', async () => {
    await expectMemoryToWork('vite/worker.html', POLICY);
  });
});

describe('a page with a script tag', () => {
  it('PKG-2: remembers by meaning under the strict policy', async () => {
    await expectMemoryToWork('script/', POLICY);
  });

  it('PKG-4: where WebAssembly is forbidden, search uses keywords and a warning is raised', async () => {
    const policy = POLICY.replace(" 'wasm-unsafe-eval'", '');
    const visit = await visitPage(browser, site.folder, 'script/', policy);
    const seen = await visit.page.evaluate(async () => {
      const memory = await globalThis.openMemory?.();
      if (!memory) throw new Error('The page has no library.');
      const warnings = new Set<string>();
      memory.addEventListener('warning', ({ detail }) => warnings.add(detail.code));
      await memory.remember({ user: 'My dog is called Rex.', assistant: 'What a good name!' });
      await memory.work.settled();
      const found = await memory.search('Which dog?');
      await memory.close();
      return { warnings: [...warnings], found: found.map(({ message }) => message.content) };
    });
    expect(seen).toEqual({ warnings: ['model-unavailable'], found: ['My dog is called Rex.'] });
    // The report comes from the worker, so these tests see what happens there, too.
    await expect.poll(() => visit.violations).toContainEqual(expect.stringContaining('wasm-eval'));
    await visit.close();
  });
});

describe('under Trusted Types with the one policy mnemora', () => {
  it.each([
    ['built by Vite', 'vite/'],
    ['with a script tag', 'script/'],
  ])('PKG-3: a page %s remembers by meaning', async (_name, path) => {
    await expectMemoryToWork(path, `${POLICY}; ${TRUSTED_TYPES}`);
  });

  it('GRPH-80: a graph is read from GraphML and GEXF', async () => {
    const visit = await visitPage(browser, site.folder, 'script/', `${POLICY}; ${TRUSTED_TYPES}`);
    const found = await visit.page.evaluate(() => {
      const { KnowledgeGraph, fromGEXF, fromGraphML, toGEXF, toGraphML } = (
        globalThis as unknown as { Mnemora: typeof Graph }
      ).Mnemora;
      const graph = new KnowledgeGraph();
      graph.addTriple({ subject: 'Sam', predicate: 'lives in', object: 'Lima' });
      return [fromGraphML(toGraphML(graph)), fromGEXF(toGEXF(graph))].map((read) =>
        read.triples().map(({ object }) => object),
      );
    });
    expect(found).toEqual([['Lima'], ['Lima']]);
    expect(visit.violations).toEqual([]);
    await visit.close();
  });
});

/**
 * Has a page do what `package/pages/scenario.js` says, and checks that it finds by meaning and asks no other origin.
 * Returns the paths that it asked for.
 */
async function expectMemoryToWork(path: string, policy: string): Promise<readonly string[]> {
  const visit = await visitPage(browser, site.folder, path, policy);
  const seen = await visit.page.evaluate(() => globalThis.tellAndAsk?.());
  expect(visit.failures).toEqual([]);
  if (!seen) throw new Error(`The page ${path} has no library.`);
  expect(seen.warnings).toEqual([]);
  expect(seen.found?.message.content).toBe('My dog is called Rex.');
  expect(seen.found?.why['vector']).toBeGreaterThan(0);
  expect(seen.found?.why['keyword'] ?? 0).toBe(0);
  expect(seen.context.text).toContain('My dog is called Rex.');
  const tokenizer = await tiktokenTokenizer();
  const counts = seen.context.messages.map((message) => tokenizer.countMessage(message));
  expect(seen.context.tokens).toBe(3 + counts.reduce((sum, count) => sum + count));
  expect(visit.outside).toEqual([]);
  expect(visit.served).toContain('/mnemora/models/use-lite/onnx/model_quantized.onnx');
  // Reports arrive late. One that is caused on purpose comes after all others, and shows that reports come at all.
  await visit.page.evaluate(() => fetch('https://last.invalid/').catch(() => undefined));
  await expect.poll(() => visit.violations).toContainEqual(expect.stringContaining('https://last.invalid'));
  expect(visit.violations).toHaveLength(1);
  await visit.close();
  return visit.served;
}
