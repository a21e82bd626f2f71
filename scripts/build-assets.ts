import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig } from 'vite';
import { asciiScript } from './ascii-script.ts';
import { ASSETS_FOLDER, isStamped, stamp, writeWhole } from './asset-cache.ts';
import { bundledLicenses, mitLicense } from './bundled-licenses.ts';
import { buildModel } from './build-model.ts';
import { compileWat } from './compile-wat.ts';

/** File names of the assets, as the worker and the page request them. */
const EMBEDDING_WORKER_FILE = 'embedding-worker.js';
const TAGGING_WORKER_FILE = 'tagging-worker.js';
/** What the tagging worker imports, and the script tag's page where that worker cannot be started. */
const WORD_CLASSES_FILE = 'word-classes.js';
const WORD_CLASSES = join(import.meta.dirname, '../node_modules/compromise/builds/two/compromise-two.mjs');
/** Packages that the built file of compromise contains. */
const WITHIN_WORD_CLASSES = ['efrt', 'grad-school', 'suffix-thumb'];
/** File with the license texts that must be distributed with the bundled packages. `npx mnemora` knows it by its first line. */
const LICENSES_FILE = 'embedding-worker.LICENSES.txt';
const LICENSE_TEXTS = join(import.meta.dirname, 'bundled-licenses.ts');
const ASCII_SCRIPT = join(import.meta.dirname, 'ascii-script.ts');
const BUNDLED_PACKAGES = ['@xenova/transformers', '@huggingface/jinja', '@noble/hashes'];
/** Runtime for one thread, without WebGL, proxies and threads: a third of the full size, and without `eval`. */
const RUNTIME_FILE = 'ort.wasm-core.min.js';
/** The only variant that is used: one thread, and SIMD, which every supported browser has. */
const WASM_FILE = 'ort-wasm-simd.wasm';

const ROOT = join(import.meta.dirname, '..');
/** Folders from which the sources of the workers may import. */
const WORKER_SOURCES = ['src/embedding', 'src/language/tagging', 'src/search', 'src/model'];

/**
 * Builds the assets that are served with the library: the embedding worker, its wasm runtime and the offline model, the
 * tagging worker and the word classes. Unchanged assets are not built again. Returns their folder.
 */
export async function buildAssets(): Promise<string> {
  const model = await buildModel();
  const wasm = join(runtimeFolder(), WASM_FILE);
  const hashes = JSON.stringify({ [WASM_FILE]: await hashOf(wasm), ...(await hashModel(model)) });
  const inputs = await hashInputs(hashes);
  if (await isStamped('worker', inputs)) return ASSETS_FOLDER;
  await writeWhole(join(ASSETS_FOLDER, WASM_FILE), await readFile(wasm));
  await writeText(EMBEDDING_WORKER_FILE, asciiScript(await bundleEmbeddingWorker(hashes)));
  await writeText(TAGGING_WORKER_FILE, asciiScript(await bundleTaggingWorker()));
  await writeText(WORD_CLASSES_FILE, asciiScript(await readFile(WORD_CLASSES, 'utf8')));
  await writeText(LICENSES_FILE, await licenses());
  await stamp('worker', inputs);
  return ASSETS_FOLDER;
}

async function writeText(file: string, text: string): Promise<void> {
  await writeWhole(join(ASSETS_FOLDER, file), new TextEncoder().encode(text));
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

/** Bundles the embedding worker with the hashes of the files that it fetches. As base64, the wasm would be a third larger. */
function bundleEmbeddingWorker(hashes: string): Promise<string> {
  return bundleWorker('src/embedding/worker.ts', {
    plugins: [compileWat()],
    define: { ASSET_HASHES: hashes },
    resolve: { alias: { 'onnxruntime-web': join(runtimeFolder(), RUNTIME_FILE) } },
  });
}

/** Bundles the tagging worker, which imports the word classes from the file beside it. */
function bundleTaggingWorker(): Promise<string> {
  return bundleWorker(
    'src/language/tagging/tagging-worker.ts',
    {},
    { 'compromise/two': `./${WORD_CLASSES_FILE}` },
  );
}

/** Bundles a worker into one ES module, but for the packages that lie at a path of their own. */
async function bundleWorker(
  source: string,
  config: InlineConfig,
  paths: Readonly<Record<string, string>> = {},
): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ...config,
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: join(ROOT, source), formats: ['es'], fileName: 'worker' },
      rolldownOptions: { external: Object.keys(paths), output: { codeSplitting: false, paths } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((part) =>
    'output' in part ? part.output : [],
  );
  const [file, ...others] = outputs;
  if (file?.type !== 'chunk' || others.length > 0)
    throw new Error(`${source} became ${outputs.length} files; it must be one.`);
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
  const within = WITHIN_WORD_CLASSES.map((name) => join(ROOT, 'node_modules', name, 'package.json'));
  const line = '-'.repeat(80);
  return `${EMBEDDING_WORKER_FILE} and ${WASM_FILE} contain these packages.

${texts.join(`\n${line}\n\n`)}
${line}

${WORD_CLASSES_FILE} contains these packages.

${await bundledLicenses([WORD_CLASSES, ...within])}`;
}

async function hashInputs(assets: string): Promise<string> {
  const hash = createHash('sha256').update(assets);
  const folders = WORKER_SOURCES.map((folder) => join(ROOT, folder));
  const sources = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true }))
        .filter((file) => /\.(?:ts|wat)$/u.test(file))
        .toSorted()
        .map((file) => join(folder, file)),
    ),
  );
  const files = [...sources.flat(), join(ROOT, 'package-lock.json')];
  for (const file of [...files, LICENSE_TEXTS, ASCII_SCRIPT, import.meta.filename])
    hash.update(await readFile(file));
  return hash.digest('hex');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await buildAssets()}\n`);
