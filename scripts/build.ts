import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { build, type Plugin, type Rolldown } from 'vite';
import { asciiScript, asciiSourceMap } from './ascii-script.ts';
import { isStamped, stamp } from './asset-cache.ts';
import { buildAssets } from './build-assets.ts';
import { bundledLicenses } from './bundled-licenses.ts';
import { compileWat } from './compile-wat.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
/** Entries of the package, each a file of `src`. */
const DOORS = [
  'index',
  'langchain',
  'langchain4j',
  'graph',
  'search',
  'extract',
  'integrations/ai-sdk',
  'integrations/assistant-ui',
  'integrations/react',
];

/** Folder of the built package. */
const PACKAGE_FOLDER: string = join(ROOT, 'dist');

const GLOBAL_FILE = 'mnemora.global.js';
const COMMAND_SOURCE = join(import.meta.dirname, 'mnemora-cli.ts');
/** Vocabularies of the tokenizer. */
const RANKS = ['o200k_base', 'cl100k_base'];
/** Packages that the script-tag build loads on first use from files next to it. */
const LOADED_LATER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(RANKS.map((name) => [`js-tiktoken/ranks/${name}`, `./ranks/${name}.js`])),
  'compromise/two': './word-classes.js', // an asset
};

/**
 * Builds the package into `dist/`: modules, script with a global, types, command, worker, wasm and model. It is not built again if
 * the sources have not changed. Returns the folder.
 */
export async function buildPackage(): Promise<string> {
  const assets = await buildAssets();
  const inputs = await hashInputs(assets);
  if (existsSync(PACKAGE_FOLDER) && (await isStamped('package', inputs))) return PACKAGE_FOLDER;
  // Built in a temporary folder and moved, so that the package is never incomplete.
  const draft = join(ROOT, '.cache', `package-${process.pid}`);
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await buildModules(draft);
    await buildGlobal(draft);
    await buildTypes(draft);
    await buildCommand(draft);
    await cp(assets, draft, { recursive: true });
    await rm(PACKAGE_FOLDER, { recursive: true, force: true });
    await rename(draft, PACKAGE_FOLDER);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await stamp('package', inputs);
  return PACKAGE_FOLDER;
}

/**
 * Builds the modules for bundlers: one for each source file, so that a bundle contains only what a page uses.
 * Dependencies stay imports.
 */
async function buildModules(folder: string): Promise<void> {
  await bundle(folder, 'es', {
    entry: Object.fromEntries(DOORS.map((door) => [door, join(SOURCE, `${door}.ts`)])),
    external: (id) => !id.startsWith('.') && !id.startsWith(ROOT),
    treeshake: { moduleSideEffects: false },
    // 'use client' stays where it is, because modules are not merged.
    checks: { moduleLevelDirective: false },
    output: {
      preserveModules: true,
      preserveModulesRoot: SOURCE,
      // The assets are next to the file that locates them, unless a bundler has moved it.
      entryFileNames: ({ name }) => (name === 'embedding/start-worker' ? 'start-worker.js' : '[name].js'),
    },
  });
}

/** Builds the file for a script tag, which contains everything except large parts that are not always needed. */
async function buildGlobal(folder: string): Promise<void> {
  const chunks = await bundle(folder, 'iife', {
    entry: { [GLOBAL_FILE.replace(/\.js$/, '')]: join(SOURCE, 'global.ts') },
    external: Object.keys(LOADED_LATER),
    // In a classic script, `import()` is resolved against the script's own URL.
    output: { codeSplitting: false, entryFileNames: GLOBAL_FILE, paths: LOADED_LATER },
    // A classic script has no `import.meta`; without this line every build warns.
    transform: { define: { 'import.meta': '{}' } },
  });
  const file = join(folder, GLOBAL_FILE);
  const code = await readFile(file, 'utf8');
  await writeFile(file, asciiScript(code));
  await writeFile(`${file}.map`, asciiSourceMap(code, await readFile(`${file}.map`, 'utf8')));
  await mkdir(join(folder, 'ranks'));
  const ranks = RANKS.map((name) => join(ROOT, 'node_modules/js-tiktoken/dist/ranks', `${name}.js`));
  for (const source of ranks) await cp(source, join(folder, 'ranks', basename(source)));
  const modules = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...ranks];
  await writeFile(
    join(folder, GLOBAL_FILE.replace(/js$/, 'LICENSES.txt')),
    `${GLOBAL_FILE} and ranks/ contain these packages.\n\n${await bundledLicenses(modules)}`,
  );
}

async function bundle(
  folder: string,
  format: 'es' | 'iife',
  { entry, ...rolldownOptions }: BundleOptions,
): Promise<Rolldown.OutputChunk[]> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [compileWat(), ...(format === 'iife' ? [importsAtOnce()] : [])],
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      minify: format === 'iife',
      sourcemap: true,
      reportCompressedSize: false,
      lib: { entry, formats: [format], name: 'Mnemora' },
      rolldownOptions: { ...rolldownOptions, output: { ...rolldownOptions.output, sourcemapPathTransform } },
    },
  });
  return (Array.isArray(built) ? built : [built])
    .flatMap((part) => ('output' in part ? part.output : []))
    .filter((file) => file.type === 'chunk');
}

/**
 * Makes dynamic imports of the library's own modules static ones. In a file that holds them all, a dynamic import loads
 * nothing later, and each module behind one would need a function around it.
 */
function importsAtOnce(): Plugin {
  return {
    name: 'imports-at-once',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(SOURCE)) return undefined;
      const paths: string[] = [];
      const rest = code.replaceAll(/\bimport\('(\.[^']+)'\)/g, (_, path: string) => {
        paths.push(path);
        return `Promise.resolve(importedAtOnce${paths.length - 1})`;
      });
      const imports = paths.map((path, n) => `import * as importedAtOnce${n} from '${path}';`);
      return paths.length === 0 ? undefined : { code: `${imports.join('')}${rest}`, map: null };
    },
  };
}

type BundleOptions = Omit<Rolldown.RolldownOptions, 'output'> & {
  entry: Record<string, string>;
  output: Rolldown.OutputOptions;
};

/** Returns a source path relative to `dist/` rather than to the temporary folder. */
function sourcemapPathTransform(source: string): string {
  return source.replace(/^(?:\.\.\/)+/, '../');
}

async function buildTypes(folder: string): Promise<void> {
  const types = join(folder, 'types');
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [compiler, '--project', join(ROOT, 'tsconfig.build.json'), '--outDir', types],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  for (const file of await listFiles(types)) {
    const source = await readFile(file, 'utf8');
    // The compiler keeps `.ts` here, but the package has `.d.ts` files only, which resolve as `.js`.
    const renamed = source.replaceAll(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2');
    await writeFile(file, renamed);
  }
  for (const door of DOORS) {
    const file = join(types, `${door}.d.ts`);
    // A project with an older `lib` does not know Symbol.asyncDispose.
    await writeFile(file, `/// <reference lib="esnext.disposable" />\n${await readFile(file, 'utf8')}`);
  }
  await writeFile(join(types, 'script-tag.d.ts'), GLOBAL_TYPES);
}

const GLOBAL_TYPES = `import * as api from './global.js';

declare global {
  /** All that the package exports; defined by the script ${GLOBAL_FILE}. */
  const Mnemora: typeof api;
}
`;

/** What `npx mnemora` runs. It imports nothing but Node's own modules, so it is not bundled. */
async function buildCommand(folder: string): Promise<void> {
  const source = await readFile(COMMAND_SOURCE, 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20' });
  await writeFile(join(folder, 'cli.js'), `#!/usr/bin/env node\n${code}`, { mode: 0o755 });
}

async function hashInputs(assets: string): Promise<string> {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const files = [
    ...(await listFiles(join(ROOT, 'src'))),
    ...(await listFiles(assets)),
    ...settings.map((file) => join(ROOT, file)),
    join(import.meta.dirname, 'ascii-script.ts'),
    join(import.meta.dirname, 'bundled-licenses.ts'),
    join(import.meta.dirname, 'compile-wat.ts'),
    COMMAND_SOURCE,
    import.meta.filename,
  ];
  for (const file of files) hash.update(`${relative(ROOT, file)}\n`).update(await readFile(file));
  return hash.digest('hex');
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await buildPackage()}\n`);
