import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Files that a guide tells the reader to write, such as the `model.ts` that exports a model. */
const GIVEN = join(import.meta.dirname, 'given');

/** A fenced block of TypeScript in a document. */
export interface CodeBlock {
  /** Document and line, such as `demo/docs/react.md:12`. */
  readonly place: string;
  /** Name of the file that holds the block, such as `demo-docs-react-12.tsx`. */
  readonly file: string;
  readonly code: string;
}

/** A statement that prints a value, with the value as a comment behind it. */
const PRINTED = /\bconsole\.log\(.*\); \/\/ (.*)$/gmu;

const BLOCK = /^```(\w*)[^\n]*\n(.*?)^```$/gmsu;

/** Languages of blocks that are not run: commands, output, and configuration of other programs. */
const NOT_RUN: ReadonlySet<string> = new Set(['sh', 'text', 'html', 'json']);

/** README, the changelog and the guides. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'demo/docs')).map((name) => `demo/docs/${name}`),
];

/** Returns the blocks of TypeScript in the documents. Throws on a block without a known language. */
export function codeBlocks(): CodeBlock[] {
  return DOCUMENTS.flatMap((document) => blocksOf(document, readFileSync(join(ROOT, document), 'utf8')));
}

/** Returns the blocks of TypeScript in one document. */
export function blocksOf(document: string, text: string): CodeBlock[] {
  return Array.from(text.matchAll(BLOCK)).flatMap(({ 1: language = '', 2: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length;
    const place = `${document}:${line}`;
    if (NOT_RUN.has(language)) return [];
    if (language !== 'ts' && language !== 'tsx') throw new Error(`${place} has a block of "${language}".`);
    const name = document.replace(/\.md$/u, '').replaceAll('/', '-').toLowerCase();
    return [{ place, file: `${name}-${line}.${language}`, code }];
  });
}

const COMPILER_OPTIONS = {
  noUnusedLocals: false,
  isolatedDeclarations: false,
  declaration: false,
  tsBuildInfoFile: 'tsconfig.tsbuildinfo',
};

/**
 * Writes each block into a file of a folder in `.cache`, beside the files that guides tell the reader to write, with the
 * configuration by which `mnemora` is this repository, and into `printed` what each block prints by its comments.
 * Returns the folder. Runs in several engines write to it at the same time, so that no file is missing for a moment.
 */
export function writeBlocks(name: string, blocks: readonly CodeBlock[]): string {
  const folder = join(ROOT, '.cache/docs', name);
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: COMPILER_OPTIONS,
    include: ['*', join(ROOT, 'src/**/*.d.ts')],
  };
  const files = new Map([['tsconfig.json', JSON.stringify(config)]]);
  for (const { file, code } of blocks) {
    files.set(file, code);
    const values = Array.from(code.matchAll(PRINTED), ([, value]) => value);
    files.set(`printed/${file}.js`, `export default [${values.join(', ')}];\n`);
  }
  for (const file of readdirSync(GIVEN))
    files.set(file, `export * from '${relative(folder, join(GIVEN, file))}';\n`);
  mkdirSync(join(folder, 'printed'), { recursive: true });
  // Blocks of an earlier version of the documents. Files that begin with a dot are being written.
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const isOld = file !== 'printed' && !files.has(file) && !basename(file).startsWith('.');
    if (isOld) rmSync(join(folder, file), { force: true });
  }
  for (const [file, text] of files) replaceFile(join(folder, file), text);
  return folder;
}

/** Writes a file in one step, unless it has this text. */
function replaceFile(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const written = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(written, text);
  renameSync(written, path);
}
