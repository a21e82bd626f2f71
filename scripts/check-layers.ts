import { readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';

/**
 * The layers of `src`, from top to bottom. A file imports from layers below its own and from its own folder, and not
 * from another folder of its layer. Circles are found by the linter's `import/no-cycle`.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['.'],
  ['client'],
  ['components'],
  ['learning', 'recall', 'backup'],
  ['sessions', 'jobs'],
  ['storage'],
  ['embedding'],
  ['llm', 'tokens', 'search', 'graph', 'tabs'],
  ['model'],
];

/** The only file that imports each third-party package. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@noble/hashes': 'storage/sha256.ts',
  '@xenova/transformers': 'embedding/worker.ts',
  compromise: 'learning/compromise.ts',
  graphology: 'graph/graphology.ts',
  idb: 'storage/connection.ts',
  'js-tiktoken': 'tokens/tiktoken.ts',
  stemmer: 'search/analyze.ts',
};

/** More than this in one folder, and a newcomer no longer finds a file at a glance. */
const FILES_PER_FOLDER = 40;

const SOURCE = 'src';
const IMPORTS = /^(?:import|export|\}) ?[^'\n]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

const problems: string[] = [];
const filesIn = new Map<string, number>();
for (const file of sourceFiles()) {
  filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
  for (const [, from, bare, dynamic] of readFileSync(`${SOURCE}/${file}`, 'utf8').matchAll(IMPORTS)) {
    const specifier = from ?? bare ?? dynamic ?? '';
    const problem = specifier.startsWith('.') ? checkFile(file, specifier) : checkPackage(file, specifier);
    if (problem !== undefined) problems.push(`${SOURCE}/${file}: ${problem}`);
  }
}
for (const [folder, count] of filesIn) {
  if (count > FILES_PER_FOLDER) problems.push(`${SOURCE}/${folder}: ${count} files; group some in a folder.`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
}

function checkFile(file: string, specifier: string): string | undefined {
  const target = normalize(`${dirname(file)}/${specifier}`);
  if (target.startsWith('..') || folderOf(target) === folderOf(file)) return undefined;
  if (layerOf(target) > layerOf(file)) return undefined;
  return `"${specifier}" is not in a layer below. Imports go down only; see the table in scripts/check-layers.ts.`;
}

function checkPackage(file: string, specifier: string): string | undefined {
  const name = Object.keys(PACKAGES).find((each) => specifier === each || specifier.startsWith(`${each}/`));
  if (name === undefined) return `"${specifier}" has no owner in the table of scripts/check-layers.ts.`;
  return PACKAGES[name] === file ? undefined : `"${name}" is imported by ${PACKAGES[name]} alone.`;
}

function folderOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '.') : '.';
}

function layerOf(file: string): number {
  const folder = folderOf(file);
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  if (layer < 0) throw new Error(`${folder} stands in no layer of scripts/check-layers.ts.`);
  return layer;
}
