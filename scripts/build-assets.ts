import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { ASSETS_FOLDER, isStamped, stamp, writeWhole } from './asset-cache.ts';
import { mitLicense } from './bundled-licenses.ts';
import { buildModel } from './build-model.ts';
import { compileWat } from './compile-wat.ts';

/** File names of the assets, as the worker and the page request them. */
const WORKER_FILE = 'embedding-worker.js';
/** File with the license texts that must be distributed with the bundled packages. */
const LICENSES_FILE = 'embedding-worker.LICENSES.txt';
const LICENSE_TEXTS = join(import.meta.dirname, 'bundled-licenses.ts');
const BUNDLED_PACKAGES = ['@xenova/transformers', '@huggingface/jinja', '@noble/hashes'];
/** Runtime for one thread, without WebGL, proxies and threads: a third of the full size, and without `eval`. */
const RUNTIME_FILE = 'ort.wasm-core.min.js';
/** The only variant that is used: one thread, and SIMD, which every supported browser has. */
const WASM_FILE = 'ort-wasm-simd.wasm';

const ROOT = join(import.meta.dirname, '..');
/** Folders from which the worker's source may import. */
const WORKER_SOURCES = ['src/embedding', 'src/search', 'src/model'];

/**
 * Builds the assets that are served with the library: the embedding worker, its wasm runtime and the offline model.
 * Unchanged assets are not built again. Returns their folder.
 */
export async function buildAssets(): Promise<string> {
  const model = await buildModel();
  const wasm = join(runtimeFolder(), WASM_FILE);
  const hashes = JSON.stringify({ [WASM_FILE]: await hashOf(wasm), ...(await hashModel(model)) });
  const inputs = await hashInputs(hashes);
  if (await isStamped('worker', inputs)) return ASSETS_FOLDER;
  await writeWhole(join(ASSETS_FOLDER, WASM_FILE), await readFile(wasm));
  await writeWhole(join(ASSETS_FOLDER, WORKER_FILE), new TextEncoder().encode(await bundleWorker(hashes)));
  await writeWhole(join(ASSETS_FOLDER, LICENSES_FILE), new TextEncoder().encode(await licenses()));
  await stamp('worker', inputs);
  return ASSETS_FOLDER;
}

function runtimeFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('onnxruntime-web'));
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Returns the hashes of the model's files, by their paths among the assets. */
async function hashModel(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes = files
    .toSorted()
    .map(async (file) => [relative(ASSETS_FOLDER, file).replaceAll(sep, '/'), await hashOf(file)] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

/**
 * Bundles the worker into one ES module, with the hashes of the files that it fetches. The wasm stays a file: as base64
 * it would be a third larger.
 */
async function bundleWorker(hashes: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [compileWat()],
    define: { ASSET_HASHES: hashes },
    resolve: { alias: { 'onnxruntime-web': join(runtimeFolder(), RUNTIME_FILE) } },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: join(ROOT, 'src/embedding/worker.ts'), formats: ['es'], fileName: 'embedding-worker' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((part) =>
    'output' in part ? part.output : [],
  );
  const [file, ...others] = outputs;
  if (file?.type !== 'chunk' || others.length > 0)
    throw new Error(`The worker became ${outputs.length} files; it must be one.`);
  return file.code;
}

async function licenses(): Promise<string> {
  const found = BUNDLED_PACKAGES.map(async (name) => {
    const text = await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  // The packages of the runtime name their license but do not contain its text.
  const runtime = `onnxruntime-web, onnxruntime-common\n\n${mitLicense('Microsoft Corporation')}`;
  const texts = [...(await Promise.all(found)), runtime];
  return `${WORKER_FILE} and ${WASM_FILE} contain these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function hashInputs(assets: string): Promise<string> {
  const hash = createHash('sha256').update(assets);
  const folders = WORKER_SOURCES.map((folder) => join(ROOT, folder));
  const sources = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).toSorted().map((file) => join(folder, file))),
  );
  const files = [...sources.flat(), join(ROOT, 'package-lock.json')];
  for (const file of [...files, LICENSE_TEXTS, import.meta.filename]) hash.update(await readFile(file));
  return hash.digest('hex');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await buildAssets()}\n`);
