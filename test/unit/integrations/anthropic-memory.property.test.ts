import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import * as fc from 'fast-check';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../src/index.ts';
import { anthropicMemoryHandlers, type AnthropicMemoryAction } from '../../../src/integrations/ai-sdk.ts';
import { unfenced } from '../../fixtures/integrations/unfenced.ts';

/** What a command resolved to or was refused with. */
type Outcome =
  | { readonly reply: string }
  | { readonly error: string; /** An error of the disk itself. */ readonly isOfDisk: boolean };

type Files = Readonly<Record<string, string>>;

/** Anthropic's own tool, in a temporary folder. */
class LocalTool {
  readonly #folder: string;
  readonly #tool: BetaLocalFilesystemMemoryTool;

  private constructor(folder: string, tool: BetaLocalFilesystemMemoryTool) {
    this.#folder = folder;
    this.#tool = tool;
  }

  static async open(): Promise<LocalTool> {
    const folder = await mkdtemp(join(tmpdir(), 'memory-tool-'));
    return new LocalTool(folder, await BetaLocalFilesystemMemoryTool.init(folder));
  }

  run(action: AnthropicMemoryAction): Promise<Outcome> {
    return outcomeOf(() => this.#tool[action.command](action as never));
  }

  async files(): Promise<Files> {
    const files: Record<string, string> = {};
    for (const path of await this.#paths())
      if ((await stat(join(this.#folder, path))).isFile())
        files[path] = await readFile(join(this.#folder, path), 'utf8');
    return files;
  }

  /** Here, a directory exists as long as there is a file in it. */
  async removeEmptyDirectories(): Promise<void> {
    for (const path of (await this.#paths()).toReversed()) {
      const place = join(this.#folder, path);
      if ((await stat(place)).isDirectory() && (await readdir(place)).length === 0) await rmdir(place);
    }
  }

  async replaceAll(files: Files): Promise<void> {
    await rm(join(this.#folder, 'memories'), { recursive: true });
    await mkdir(join(this.#folder, 'memories'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.#folder, path)), { recursive: true });
      await writeFile(join(this.#folder, path), text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  /** Directories before what is in them. */
  async #paths(): Promise<string[]> {
    const names = await readdir(join(this.#folder, 'memories'), { recursive: true });
    return names.map((name) => `/memories/${name}`).toSorted();
  }
}

async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { reply: String(await run()) };
  } catch (cause) {
    const { message, syscall, code } = cause as Error & { syscall?: string; code?: string };
    return { error: message, isOfDisk: syscall !== undefined || code?.startsWith('ERR_') === true };
  }
}

async function filesOf(memory: Memory): Promise<Files> {
  const rows = await memory.records('anthropic-memory').list();
  const files = rows.map(({ value }) => value as { path: string; text: string });
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

/**
 * The commands for which the two differ on purpose, each with the reason. Four more differences are in what is
 * compared: sizes of directories (the sum of their files, not blocks of a disk), errors that the disk's own tool passes
 * on as they are, lone surrogates in replies (U+FFFD), and the fence around what is stored.
 */
const DIFFERENCES: Readonly<Record<string, (action: AnthropicMemoryAction, files: Files) => boolean>> = {
  // The disk's tool resolves such paths, and takes "/memories-old" for "/memories/-old". Here, every file has one name.
  'path in another form': (action) =>
    pathsOf(action).some(
      (path) =>
        (path !== '/memories' && !/^\/memories(?:\/[^/]+)+$/.test(path)) ||
        /\\|%2e|\/\.{1,2}(?:\/|$)|\n|\ud800/i.test(path),
    ),
  // The disk's tool searches line by line, so that models cannot replace text of several lines.
  'old_str of several lines': (action, files) =>
    action.command === 'str_replace' &&
    action.old_str.includes('\n') &&
    (files[action.path]?.includes(action.old_str) ?? false),
  // The disk's tool replaces the first of several occurrences in one line, although it asks for a unique one.
  'old_str twice in a line': (action, files) =>
    action.command === 'str_replace' &&
    (files[action.path] ?? '')
      .split('\n')
      .some((line) => line.indexOf(action.old_str) !== line.lastIndexOf(action.old_str)),
  // The disk's tool repeats all of it in its error.
  'long old_str that is not replaced': (action, files) =>
    action.command === 'str_replace' &&
    action.old_str.length > 200 &&
    (files[action.path] ?? '').split(action.old_str).length !== 2,
  // The disk's tool finds it in every line.
  'empty old_str': (action) => action.command === 'str_replace' && action.old_str === '',
  // The disk's tool counts other negative numbers from the end.
  'view_range that ends before -1': (action) =>
    action.command === 'view' && (action.view_range?.[1] ?? 0) < -1,
};

function pathsOf(action: AnthropicMemoryAction): string[] {
  return action.command === 'rename' ? [action.old_path, action.new_path] : [action.path];
}

function withoutDirectorySizes(reply: string): string {
  const listing = reply.startsWith("Here're the files");
  const lines = reply.toWellFormed().split('\n');
  return listing
    ? lines
        .map((line, index) => (index === 1 || line.endsWith('/') ? line.replace(/^\S+/, '') : line))
        .join('\n')
    : lines.join('\n');
}

const name = fc.constantFrom(
  'a',
  'b',
  'a.txt',
  'a-b',
  '.hidden',
  'node_modules',
  'ü😀',
  'x y',
  '__proto__',
  '%',
);
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/memories/${names.join('/')}`),
  },
  { weight: 10, arbitrary: fc.constantFrom('/memories/a.txt', '/memories/a/b', '/memories/b') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/memories',
      '/memories/',
      '/memories/a/',
      '/memories/../a',
      '/memories/a/../b',
      '/memories-old',
      '/etc',
      '',
      'a',
      '/memories//a',
      '/memories/./a',
      '/memories/%2E%2e/a',
      '/memories/\\..\\a',
      '/memories/\ud800',
      '/memories/a\nb',
    ),
  },
);
const line = fc.constantFrom('', 'a', 'b', 'ab', 'aa', 'é😀', '\ud83d', '$&', 'a b', '\r', 'x'.repeat(1500));
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
const part = fc.oneof(line, fc.constantFrom('a\nb', '\n', 'z', '$1', '\ud83d', '\ude00'));
const lineNumber = fc.integer({ min: -3, max: 7 });

const action: fc.Arbitrary<AnthropicMemoryAction> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { command: fc.constant('view'), path, view_range: fc.tuple(lineNumber, lineNumber) },
      { requiredKeys: ['command', 'path'] },
    ),
  },
  { weight: 5, arbitrary: fc.record({ command: fc.constant('create'), path, file_text: text }) },
  {
    weight: 4,
    arbitrary: fc.record({ command: fc.constant('str_replace'), path, old_str: part, new_str: part }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      command: fc.constant('insert'),
      path,
      insert_line: lineNumber,
      insert_text: text,
    }),
  },
  { weight: 1, arbitrary: fc.record({ command: fc.constant('delete'), path }) },
  { weight: 3, arbitrary: fc.record({ command: fc.constant('rename'), old_path: path, new_path: path }) },
) as fc.Arbitrary<AnthropicMemoryAction>;

/** Each command is done once and refused once, whatever else is drawn. */
const EACH_OUTCOME: AnthropicMemoryAction[] = [
  { command: 'view', path: '/memories/a' },
  { command: 'create', path: '/memories/a', file_text: 'one\ntwo' },
  { command: 'create', path: '/memories/a', file_text: 'three' },
  { command: 'view', path: '/memories/a' },
  { command: 'str_replace', path: '/memories/a', old_str: 'one', new_str: 'four' },
  { command: 'str_replace', path: '/memories/a', old_str: 'one', new_str: 'four' },
  { command: 'insert', path: '/memories/a', insert_line: 1, insert_text: 'five' },
  { command: 'insert', path: '/memories/a', insert_line: 9, insert_text: 'five' },
  { command: 'rename', old_path: '/memories/a', new_path: '/memories/b' },
  { command: 'rename', old_path: '/memories/a', new_path: '/memories/b' },
  { command: 'delete', path: '/memories/b' },
  { command: 'delete', path: '/memories/b' },
];

it("AIT-21: any sequence of commands gives the files and the replies of Anthropic's own tool for local files, but for the listed differences", async () => {
  const seen: Record<string, number> = {};
  const count = (what: string): void => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (actions) => {
      await using local = await LocalTool.open();
      await using memory = await createMemory({ storage: 'memory', embedder: false, learning: false });
      const { execute } = anthropicMemoryHandlers(memory);
      for (const each of actions) {
        const before = await filesOf(memory);
        const own = await outcomeOf(() => execute(each));
        const [difference] = Object.entries(DIFFERENCES).find(([, differs]) => differs(each, before)) ?? [];
        if (difference !== undefined) {
          count(difference);
          await local.replaceAll(await filesOf(memory));
          continue;
        }
        const theirs = await local.run(each);
        expect('reply' in own).toBe('reply' in theirs);
        if ('reply' in own && 'reply' in theirs) {
          const [head = '', ...shown] = theirs.reply.split('\n');
          const quoted = shown.length > 0 ? `${head}\n${await memory.quote(shown.join('\n'))}` : head;
          expect(withoutDirectorySizes(unfenced(own.reply))).toBe(withoutDirectorySizes(unfenced(quoted)));
        } else if ('error' in own && 'error' in theirs && !theirs.isOfDisk) {
          expect(own.error.toWellFormed()).toBe(theirs.error.toWellFormed());
        }
        count(`${each.command} ${'reply' in own ? 'done' : 'refused'}`);
        expect(await filesOf(memory)).toEqual(await local.files());
        await local.removeEmptyDirectories();
      }
    }),
    { numRuns: 40, examples: [[EACH_OUTCOME]] },
  );
  // Otherwise, the comparison above would mean little.
  const commands = ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'];
  const outcomes = commands.flatMap((command) => [`${command} done`, `${command} refused`]);
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(outcomes));
});
