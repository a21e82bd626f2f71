import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPublicTypes } from './package/entry-types.ts';
import { installPackage, type InstalledProject } from './package/installed-project.ts';

/** Files of the entries that a program imports. */
const ENTRIES = ['index', 'langchain', 'langchain4j', 'graph', 'search', 'extract'];

let project: InstalledProject;

beforeAll(async () => {
  project = await installPackage();
}, 180_000);

afterAll(async () => {
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
