import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, requireEngine } from '../../scripts/engines.ts';
import type * as Graph from '../../src/graph.ts';
import type { Memory, RecalledContext, SearchResult } from '../../src/index.ts';
import { tiktokenTokenizer } from '../../src/tokens/tiktoken.ts';
import { installPackage, type InstalledProject } from './package/installed-project.ts';
import { layOutSite, type Site } from './package/site.ts';
import { visitPage } from './package/visit.ts';

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
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await project?.remove();
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
