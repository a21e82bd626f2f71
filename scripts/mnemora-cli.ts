/**
 * The package's command, `npx mnemora`. It is built into `dist/cli.js`, beside the files that it copies, and runs on
 * Node alone.
 */
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Marks a folder that this command has filled. Copied first, so that a copy that was cut off can be repeated. */
const MARKER = 'embedding-worker.LICENSES.txt';
/** What a page loads at run time. No bundler includes it. */
const ASSETS = [
  MARKER,
  'mnemora.global.LICENSES.txt',
  'embedding-worker.js',
  'tagging-worker.js',
  'ort-wasm-simd.wasm',
  'models',
  'ranks',
  'word-classes.js',
];
const SCRIPT = 'mnemora.global.js';

const USAGE = `Usage: npx mnemora assets DIR [--script-tag]

Copies the files that a page must serve into the folder DIR, which is created if it does not exist:
the workers, their wasm, the offline model, the tokenizer's vocabularies, the word classes, and their
licenses.

  --script-tag   also copies ${SCRIPT}, for pages without a bundler
  --help         prints this text

Other files in DIR are left alone. A file that has the name of a copied one is replaced if this command
has filled DIR before; otherwise nothing is copied.
`;

const NEXT_STEPS = `Tell createMemory where they are served, for instance: { assetsUrl: '/mnemora/' }

Content-Security-Policy of a page that uses them:
  script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' <your model>
Where Trusted Types are enforced, add: trusted-types mnemora
`;

/** Something that the user can mend: printed as one line, without a stack. */
class Refusal extends Error {}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const request = parse(args);
  if (typeof request === 'string') {
    process.stderr.write(`mnemora: ${request}\n\n${USAGE}`);
    return 1;
  }
  if (request.folder === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    await copyAssets(request.folder, request.withScript ? [...ASSETS, SCRIPT] : ASSETS);
    return 0;
  } catch (error) {
    const reason = reasonOf(error, request.folder);
    if (reason === undefined) throw error;
    process.stderr.write(`mnemora: ${reason}\n`);
    return 1;
  }
}

/** Without a folder, what is asked for is the usage. A string says what is wrong. */
function parse(args: readonly string[]): { folder?: string; withScript: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, 'script-tag': { type: 'boolean' } },
    });
    const [command, folder, ...others] = positionals;
    const withScript = values['script-tag'] ?? false;
    if (values.help || args.length === 0) return { withScript };
    if (command !== 'assets') return `there is no command ${JSON.stringify(command ?? '')}.`;
    if (!folder) return 'assets needs the folder to copy to.';
    if (others.length > 0) return `assets takes one folder, and got ${positionals.length - 1}.`;
    return { folder: resolve(folder), withScript };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function copyAssets(folder: string, names: readonly string[]): Promise<void> {
  const files = (await Promise.all(names.map(listAsset))).flat();
  await createFolder(folder);
  const isOwn = await isOwnFolder(folder);
  const changed: string[] = [];
  for (const file of files) {
    const state = await compare(join(import.meta.dirname, file), join(folder, file));
    if (state === 'different' && !isOwn)
      throw new Refusal(
        `${join(folder, file)} exists and was not copied by this command. Remove it or choose another folder. Nothing was copied.`,
      );
    if (state !== 'same') changed.push(file);
  }
  for (const file of changed) await copyWhole(join(import.meta.dirname, file), join(folder, file));
  await report(folder, files, changed);
}

/** Paths of the files of an asset, which is a file or a folder of the package. */
async function listAsset(name: string): Promise<string[]> {
  const path = join(import.meta.dirname, name);
  if (!(await stat(path)).isDirectory()) return [name];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(import.meta.dirname.length + 1))
    .toSorted();
}

/** Folder by folder: in a place such as `/proc`, Node's recursive `mkdir` never returns. */
async function createFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found) throw new Refusal(`${folder} is a file, not a folder. Nothing was copied.`);
  await createFolder(dirname(folder));
  await mkdir(folder);
}

/** The license list begins with the same line in every version of the package, and in no other folder. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const [own, found] = await Promise.all([
    readFile(join(import.meta.dirname, MARKER), 'utf8'),
    readFile(join(folder, MARKER), 'utf8').catch(() => ''),
  ]);
  return own.split('\n', 1)[0] === found.split('\n', 1)[0];
}

async function compare(source: string, target: string): Promise<'absent' | 'same' | 'different'> {
  const found = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return 'absent';
  if (!found.isFile())
    throw new Refusal(`${target} is not a file. Remove it or choose another folder. Nothing was copied.`);
  if (found.size !== (await stat(source)).size) return 'different';
  const [wanted, present] = await Promise.all([readFile(source), readFile(target)]);
  return wanted.equals(present) ? 'same' : 'different';
}

/** A server that reads meanwhile finds the old file or the new one, never half of it. */
async function copyWhole(source: string, target: string): Promise<void> {
  await createFolder(dirname(target));
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await copyFile(source, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

async function report(folder: string, files: readonly string[], changed: readonly string[]): Promise<void> {
  const lines: string[] = [];
  let total = 0;
  const width = Math.max(...files.map((file) => file.length));
  for (const file of files) {
    const { size } = await stat(join(folder, file));
    total += size;
    lines.push(
      `  ${file.padEnd(width)}  ${inKilobytes(size)}${changed.includes(file) ? '' : '  unchanged'}\n`,
    );
  }
  const sum = `  ${`${files.length} files`.padEnd(width)}  ${inKilobytes(total)}\n`;
  process.stdout.write(`Copied to ${folder}:\n${lines.join('')}${sum}\n${NEXT_STEPS}`);
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(9)} kB`;
}

/** Undefined for what the user cannot mend. What the operating system refuses says which path it was, and why. */
function reasonOf(error: unknown, folder: string): string | undefined {
  if (error instanceof Refusal) return error.message;
  return error instanceof Error && 'syscall' in error
    ? `cannot copy to ${folder}: ${error.message}`
    : undefined;
}
