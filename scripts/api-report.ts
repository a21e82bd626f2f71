import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { publicDeclarations, type Declaration } from './declarations.ts';

// Reports the public types: what each entry of the package exports, in `test/api/`. Fails if they have changed, and with
// `--update` writes the new ones instead, to be committed with the change.

const ROOT = join(import.meta.dirname, '..');
const REPORTS = join(ROOT, 'test/api');
const TYPES = join(ROOT, '.cache/api-types');
/** Entries of the package, in the order in which a type that several of them export is shown. */
const ENTRIES: readonly (readonly [name: string, file: string])[] = [
  ['mnemora', 'index'],
  ['mnemora/langchain', 'langchain'],
  ['mnemora/langchain4j', 'langchain4j'],
  ['mnemora/graph', 'graph'],
  ['mnemora/search', 'search'],
  ['mnemora/extract', 'extract'],
  ['mnemora/ai-sdk', 'integrations/ai-sdk'],
  ['mnemora/assistant-ui', 'integrations/assistant-ui'],
  ['mnemora/react', 'integrations/react'],
];

await rm(TYPES, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/.bin/tsc');
execFileSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', TYPES], { cwd: ROOT, stdio: 'inherit' });

const isUpdate = process.argv.includes('--update');
const shownIn = new Map<string, string>();
const changed: string[] = [];
for (const [entry, file] of ENTRIES) {
  const declarations = await publicDeclarations(join(TYPES, `${file}.d.ts`));
  const path = join(REPORTS, `${basename(file)}.txt`);
  const report = reportOf(entry, declarations);
  const before = await readFile(path, 'utf8').catch(() => '');
  if (report === before) continue;
  changed.push(relative(ROOT, path));
  await mkdir(dirname(path), { recursive: true });
  if (isUpdate) await writeFile(path, report);
  else printChanges(entry, before, report);
}
if (changed.length > 0 && !isUpdate) {
  console.error(`\nThe public types have changed: ${changed.join(', ')}.`);
  console.error('If that is intended, run "npm run api" and commit the reports with a line in CHANGELOG.md.');
  process.exitCode = 1;
} else
  console.log(changed.length > 0 ? `Written: ${changed.join(', ')}.` : 'The public types are as reported.');

function reportOf(entry: string, declarations: ReadonlyMap<string, Declaration>): string {
  const names = [...declarations.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const parts = names.map((name) => {
    const { text, file } = declarations.get(name) ?? { text: '', file: '' };
    const key = `${file} ${name}`;
    const shown = shownIn.get(key);
    if (shown === undefined) shownIn.set(key, entry);
    return shown === undefined ? text : `// ${name}: as in ${shown}`;
  });
  return `// Public types of ${entry}: ${names.length} names. Written by "npm run api".\n\n${parts.join('\n\n')}\n`;
}

/** Prints the lines that were removed and added. */
function printChanges(entry: string, before: string, after: string): void {
  const [old, now] = [before.split('\n'), after.split('\n')];
  console.error(`\n${entry}`);
  for (const line of old) if (!now.includes(line)) console.error(`- ${line}`);
  for (const line of now) if (!old.includes(line)) console.error(`+ ${line}`);
}
