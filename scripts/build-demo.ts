import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'vite';
import { buildAssets } from './build-assets.ts';
import { compileWat } from './compile-wat.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'demo');
const ASSETS = 'mnemora-assets';
/** Built because the library can count by it, which the page never asks for. */
const UNUSED_VOCABULARY = /\/cl100k_base-[^/]+\.js$/u;

/** Default folder of the built demo. */
export const DEMO_FOLDER: string = join(ROOT, 'dist-demo');

export interface BuildDemoOptions {
  /** Folder of the built demo. @default `dist-demo` */
  outputFolder?: string;
  /** Called with a line of text before each step. */
  onStep?: (line: string) => void;
}

/** Builds the demo: page, workers, model, and a service worker that caches them. Returns the folder. */
export async function buildDemo(options: BuildDemoOptions = {}): Promise<string> {
  const { outputFolder = DEMO_FOLDER, onStep = () => undefined } = options;
  onStep('Building the offline model and its worker (the first time takes a while)');
  const assets = await buildAssets();
  onStep('Building the page');
  await rm(outputFolder, { recursive: true, force: true });
  await buildPage(outputFolder);
  await cp(assets, join(outputFolder, ASSETS), {
    recursive: true,
    // Only other models than the offline one need it, and the service worker would cache it.
    filter: (path) => !path.endsWith('.wasm'),
  });
  await buildServiceWorker(outputFolder);
  return outputFolder;
}

async function buildPage(outputFolder: string): Promise<void> {
  await build({
    configFile: false,
    root: SOURCE,
    base: './',
    logLevel: 'error',
    plugins: [compileWat()],
    build: {
      outDir: outputFolder,
      emptyOutDir: true,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // the first versions with light-dark()
      assetsInlineLimit: 0, // the page's policy allows data: addresses only for images
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4000,
      // The file that the tagging worker loads as well. The path is relative to the folder of the page's scripts.
      rolldownOptions: {
        external: ['compromise/two'],
        output: { paths: { 'compromise/two': `../${ASSETS}/word-classes.js` } },
      },
    },
  });
}

async function buildServiceWorker(outputFolder: string): Promise<void> {
  const files = (await hashFiles(outputFolder)).filter(({ path }) => !UNUSED_VOCABULARY.test(path));
  await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'error',
    publicDir: false,
    define: { PRECACHED_FILES: JSON.stringify(files) },
    build: {
      outDir: outputFolder,
      emptyOutDir: false,
      target: 'es2022',
      lib: {
        entry: join(SOURCE, 'service-worker.ts'),
        formats: ['iife'],
        name: 'serviceWorker',
        fileName: () => 'service-worker.js',
      },
    },
  });
}

async function hashFiles(folder: string): Promise<{ path: string; hash: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      path: relative(folder, path).split(sep).join('/'),
      hash: createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
        .slice(0, 16),
    })),
  );
}
