import { readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';

/**
 * The layers of `src`, from top to bottom. A file imports from layers below its own and from its own folder, and not
 * from another folder of its layer. Nor are there circles among files: the linter's `import/no-cycle` sees none that is
 * closed by `import()`.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['integrations'],
  ['.'],
  ['client'],
  ['components'],
  ['recall'],
  ['learning', 'backup'],
  ['sessions', 'jobs'],
  ['storage'],
  ['embedding'],
  ['llm', 'tokens', 'search', 'graph', 'tabs'],
  ['language'],
  ['model'],
];

/** The layers of the demo, by the same rules. `memory` contains what several parts of the page read from the memory. */
const DEMO_LAYERS: readonly (readonly string[])[] = [
  ['.'],
  ['answers', 'chat', 'panel', 'search', 'settings'],
  ['context'],
  ['memory'],
  ['page'],
];

/** The only file of `src` that imports each third-party package. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@noble/hashes': 'model/sha256.ts',
  '@xenova/transformers': 'embedding/worker.ts',
  compromise: 'language/tagging/word-classes.ts',
  graphology: 'graph/graph-store.ts',
  idb: 'storage/indexeddb/browser-transaction.ts',
  'js-tiktoken': 'tokens/tiktoken.ts',
  'onnxruntime-web': 'embedding/offline/offline-backend.ts',
  stemmer: 'language/terms.ts',
};

/**
 * The folders of `src/integrations`, and the files beside them, that alone import each package of a host. The runtimes of
 * assistant-ui are React hooks.
 */
const HOST_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@assistant-ui/react': ['assistant-ui'],
  ai: ['ai-sdk'],
  react: ['react', 'assistant-ui'],
};

/**
 * What is written in one place only. Text is folded, split and listed in `language/`; some formats fold for themselves,
 * such as a passphrase, the input of the embedding model, and names that are searched for to forget them.
 */
const ONE_PLACE: readonly { what: string; pattern: RegExp; places: readonly string[] }[] = [
  {
    what: 'a folding of text',
    pattern: /\.normalize\(/,
    places: [
      'language/',
      'graph/unveiled.ts',
      'graph/name-forms.ts',
      'embedding/prepare-text.ts',
      'backup/',
      'integrations/',
    ],
  },
  {
    what: 'a splitter of sentences',
    pattern:
      /\[\.!\?[^\]]*\](?!\+?\$)[^']*\\s|\(\?<=\[\.!\?|split\(\/\[[^\]]*[.!?]{2}|granularity: 'sentence'/,
    places: ['language/'],
  },
  { what: 'a list of weekdays', pattern: /monday\W+tuesday|\btues\b/i, places: ['language/words/'] },
  { what: 'a list of months', pattern: /\bjan\w*\W+feb/i, places: ['language/words/'] },
  { what: 'a list of relatives', pattern: /\bmother\b.*\bfather\b/, places: ['language/'] },
  { what: 'a list of abbreviations', pattern: /\bmrs\b/i, places: ['language/words/'] },
];

/** Maximum number of files in a folder, so that a newcomer finds a file quickly. */
const FILES_PER_FOLDER = 30;

const IMPORTS = /^(?:import|export|\}) ?[^'\n]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

type Layers = typeof LAYERS;

const problems = [
  ...wordsOutOfPlace(),
  ...problemsIn('src', (file, specifier) =>
    specifier.startsWith('.') ? checkFile(LAYERS, file, specifier) : checkPackage(file, specifier),
  ),
  ...problemsIn('demo', (file, specifier) =>
    specifier.startsWith('.') ? checkFile(DEMO_LAYERS, file, specifier) : undefined,
  ),
  ...problemsIn('test', () => undefined),
  ...['src', 'demo'].flatMap(circlesIn),
];
for (const problem of problems) console.error(problem);
console.log(sizeOf('src'));
if (problems.length > 0) process.exit(1);

function problemsIn(
  source: string,
  check: (file: string, specifier: string) => string | undefined,
): string[] {
  const found: string[] = [];
  const filesIn = new Map<string, number>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
    for (const [, from, bare, dynamic] of readFileSync(`${source}/${file}`, 'utf8').matchAll(IMPORTS)) {
      const problem = check(file, from ?? bare ?? dynamic ?? '');
      if (problem !== undefined) found.push(`${source}/${file}: ${problem}`);
    }
  }
  for (const [folder, count] of filesIn) {
    if (count > FILES_PER_FOLDER) found.push(`${source}/${folder}: ${count} files; group some in a folder.`);
  }
  return found;
}

/** Returns the lines of code that split, fold or list words outside the places for it. */
function wordsOutOfPlace(): string[] {
  const found: string[] = [];
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const lines = readFileSync(`src/${file}`, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      if (/^\s*(?:\/\/|\/\*|\*)/.test(line)) continue;
      for (const { what, pattern, places } of ONE_PLACE) {
        if (!pattern.test(line) || places.some((place) => file.startsWith(place))) continue;
        found.push(`src/${file}:${index + 1}: ${what} stands in ${places.join(', ')}.`);
      }
    }
  }
  return found;
}

/** Returns the files that import each other in a circle, whether for values, for types or by `import()`. */
function circlesIn(source: string): string[] {
  const imports = new Map<string, string[]>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const found = [...readFileSync(`${source}/${file}`, 'utf8').matchAll(IMPORTS)];
    const specifiers = found.map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
    const targets = specifiers.filter((specifier) => specifier.startsWith('.'));
    imports.set(
      file,
      targets.map((target) => normalize(`${dirname(file)}/${target}`)),
    );
  }
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push(`${source}: a circle: ${[...path.slice(start), file].join(' → ')}`);
    if (start !== -1 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

/** Returns the number of files, and of lines that are neither blank nor within a comment. */
function sizeOf(source: string): string {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const lines = files.flatMap((file) => readFileSync(`${source}/${file}`, 'utf8').split('\n'));
  const count = lines.filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length;
  return `${source}: ${files.length} files, ${count} lines of code.`;
}

function checkFile(layers: Layers, file: string, specifier: string): string | undefined {
  const target = normalize(`${dirname(file)}/${specifier}`);
  if (target.startsWith('..') || folderOf(target) === folderOf(file)) return undefined;
  if (folderOf(file) === 'integrations' && !['.', 'model'].includes(folderOf(target)))
    return `"${specifier}" is neither an entry nor in model/. An integration uses what any page can import.`;
  if (layerOf(layers, target) > layerOf(layers, file)) return undefined;
  return `"${specifier}" is not in a layer below. Imports go down only; see the table in scripts/check-layers.ts.`;
}

function checkPackage(file: string, specifier: string): string | undefined {
  const isOf = (name: string): boolean => specifier === name || specifier.startsWith(`${name}/`);
  const host = Object.keys(HOST_PACKAGES).find(isOf);
  if (host !== undefined) {
    const places = (HOST_PACKAGES[host] ?? []).map((folder) => `integrations/${folder}`);
    return places.some((place) => file.startsWith(`${place}.ts`) || file.startsWith(`${place}/`))
      ? undefined
      : `"${host}" is imported by ${places.join(' and ')} alone.`;
  }
  const name = Object.keys(PACKAGES).find(isOf);
  if (name === undefined) return `"${specifier}" has no owner in the table of scripts/check-layers.ts.`;
  return PACKAGES[name] === file ? undefined : `"${name}" is imported by ${PACKAGES[name]} alone.`;
}

function folderOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '.') : '.';
}

function layerOf(layers: Layers, file: string): number {
  const folder = folderOf(file);
  const layer = layers.findIndex((folders) => folders.includes(folder));
  if (layer < 0) throw new Error(`${folder} stands in no layer of scripts/check-layers.ts.`);
  return layer;
}
