/** `npm run size`: checks the compressed size of the package's entries, with two bundlers, against a budget. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { build } from 'vite';
import { buildPackage } from './build.ts';

/** An import of a page with the maximum size of its static closure, in compressed kilobytes (1,000 bytes). */
interface Case {
  readonly name: string;
  readonly source: string;
  /** esbuild cuts what is loaded later into more files, which compress less well. */
  readonly limits: { readonly vite: number; readonly esbuild: number };
}

const PRODUCT: Case = {
  name: 'createMemory, withMemory and fetchLLM',
  source: "export { createMemory, withMemory, fetchLLM } from 'mnemora';",
  limits: { vite: 67.8, esbuild: 69.5 },
};
const CASES: readonly Case[] = [
  {
    name: 'ConversationBufferMemory',
    source: "export { ConversationBufferMemory } from 'mnemora/langchain';",
    limits: { vite: 8.7, esbuild: 9.3 },
  },
  {
    name: 'openDatabase and a token buffer',
    source: "export { openDatabase, ConversationTokenBufferMemory } from 'mnemora/langchain';",
    limits: { vite: 21.3, esbuild: 21.5 },
  },
  {
    name: 'the same, the database from mnemora',
    source:
      "export { openDatabase } from 'mnemora'; export { ConversationTokenBufferMemory } from 'mnemora/langchain';",
    limits: { vite: 21.3, esbuild: 28.1 },
  },
  PRODUCT,
  {
    name: 'AI SDK integration, without ai',
    source: "export * from 'mnemora/ai-sdk';",
    limits: { vite: 6.6, esbuild: 6.2 },
  },
  {
    name: 'assistant-ui integration, without it',
    source: "export * from 'mnemora/assistant-ui';",
    limits: { vite: 6, esbuild: 6.2 },
  },
  {
    name: 'React integration, without react',
    source: "export * from 'mnemora/react';",
    limits: { vite: 6, esbuild: 6 },
  },
];
/** What the page that uses an integration has anyway. */
const HOST_PACKAGES = ['@assistant-ui/react', 'ai', 'react'];
/** Files of the package that a page loads by their address. */
const FILES: readonly { readonly name: string; readonly file: string; readonly limit: number }[] = [
  { name: 'script tag', file: 'mnemora.global.js', limit: 322 },
  { name: 'word classes of offlineExtractor', file: 'word-classes.js', limit: 115 },
  { name: 'embedding worker', file: 'embedding-worker.js', limit: 78.5 },
  { name: 'vocabulary o200k_base', file: 'ranks/o200k_base.js', limit: 975 },
  { name: 'vocabulary cl100k_base', file: 'ranks/cl100k_base.js', limit: 452 },
];
/** What a page can load from its assets when its bundler puts everything else into one file. */
const IN_ASSETS: Readonly<Record<string, string>> = {
  'compromise/two': '/mnemora/word-classes.js',
  'js-tiktoken/ranks/cl100k_base': '/mnemora/ranks/cl100k_base.js',
  'js-tiktoken/ranks/o200k_base': '/mnemora/ranks/o200k_base.js',
};

const ROOT = join(import.meta.dirname, '..');
const { exports: EXPORTS } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { default?: string }>;
};

interface Size {
  readonly minified: number;
  readonly brotli: number;
}

const { values } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } });
process.exitCode = await main(values.verbose);

async function main(isVerbose: boolean): Promise<number> {
  const folder = await buildPackage();
  let isOver = false;
  const line = (name: string, bundler: string, { minified, brotli }: Size, limit = Infinity): void => {
    const over = brotli > limit * 1000;
    isOver ||= over;
    const budget = limit === Infinity ? '' : `of ${limit}`;
    const cells = [name.padEnd(40), bundler.padEnd(8), kilobytes(minified), kilobytes(brotli), budget];
    process.stdout.write(`${cells.join('  ')}${over ? '  too large' : ''}\n`);
  };
  process.stdout.write(`${'kB of the static closure'.padEnd(50)}  minified    brotli\n`);
  for (const { name, source, limits } of CASES) {
    line(name, 'Vite', await viteSize(folder, source), limits.vite);
    line(name, 'esbuild', await esbuildSize(folder, source, isVerbose), limits.esbuild);
  }
  line('the same in one file', 'esbuild', await oneFileSize(folder, PRODUCT.source));
  const withAssets = await oneFileSize(folder, PRODUCT.source, IN_ASSETS);
  line('the same with vocabularies in the assets', 'esbuild', withAssets);
  for (const { name, file, limit } of FILES)
    line(name, '', sizeOf([await readFile(join(folder, file))]), limit);
  return isOver ? 1 : 0;
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(8);
}

function sizeOf(files: readonly Uint8Array[]): Size {
  const brotli = files.map((file) => brotliCompressSync(file).length);
  return {
    minified: files.reduce((sum, file) => sum + file.length, 0),
    brotli: brotli.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** Resolves a specifier by the package's exports, as if it were installed. */
function entryOf(folder: string, specifier: string): string {
  const { default: file } = EXPORTS[specifier.replace('mnemora', '.')] ?? {};
  if (file === undefined) throw new Error(`The package has no entry ${specifier}.`);
  return join(folder, relative('dist', file));
}

async function viteSize(folder: string, source: string): Promise<Size> {
  const entry = 'virtual:entry';
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : /^mnemora\b/.test(id) ? entryOf(folder, id) : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict', external: HOST_PACKAGES },
    },
  });
  const files = (Array.isArray(built) ? built : [built]).flatMap((part) =>
    'output' in part ? part.output : [],
  );
  const chunks = files.filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = chunks.find((chunk) => chunk.isEntry);
  if (!first) throw new Error('Vite built no entry.');
  const closure = reachable(first.fileName, (name) => byName.get(name)?.imports ?? []);
  return sizeOf(closure.map((name) => Buffer.from(byName.get(name)?.code ?? '')));
}

async function esbuildSize(folder: string, source: string, isVerbose: boolean): Promise<Size> {
  const { outputFiles, metafile } = await esbuild.build({
    ...esbuildOptions(folder, source),
    splitting: true,
    metafile: true,
  });
  const outputs = metafile.outputs;
  const first = Object.keys(outputs).find(
    (name) => outputs[name]?.entryPoint !== undefined && name.includes('stdin'),
  );
  if (first === undefined) throw new Error('esbuild built no entry.');
  const closure = reachable(first, (name) =>
    (outputs[name]?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
  );
  if (isVerbose) listInputs(closure.map((name) => outputs[name]?.inputs ?? {}));
  const codes = new Map(outputFiles.map((file) => [file.path, file.contents]));
  return sizeOf(closure.map((name) => codes.get(join(ROOT, name)) ?? new Uint8Array()));
}

/** Without splitting: what would be loaded later is part of the file, but for what `alias` says lies elsewhere. */
async function oneFileSize(
  folder: string,
  source: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<Size> {
  const external = Object.values(alias);
  const built = await esbuild.build({ ...esbuildOptions(folder, source), alias: { ...alias }, external });
  return sizeOf(built.outputFiles.map(({ contents }) => contents));
}

function esbuildOptions(folder: string, source: string): esbuild.BuildOptions & { write: false } {
  return {
    stdin: { contents: source, resolveDir: ROOT, sourcefile: 'entry.js' },
    bundle: true,
    external: HOST_PACKAGES,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
    logLevel: 'error',
    outdir: 'out',
    absWorkingDir: ROOT,
    plugins: [
      {
        name: 'package',
        setup({ onResolve }) {
          onResolve({ filter: /^mnemora\b/ }, ({ path }) => ({ path: entryOf(folder, path) }));
        },
      },
    ],
  };
}

/** Prints the largest modules of a bundle. */
function listInputs(inputs: readonly Record<string, { bytesInOutput: number }>[]): void {
  const all = inputs.flatMap((each) => Object.entries(each));
  for (const [path, { bytesInOutput }] of all.toSorted(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput))
    process.stdout.write(`${String(bytesInOutput).padStart(8)} ${path}\n`);
}

function reachable(first: string, importsOf: (name: string) => readonly string[]): string[] {
  const seen = new Set([first]);
  for (const name of seen) for (const next of importsOf(name)) seen.add(next);
  return [...seen];
}
