import { invalidInput } from '../../../model/error.ts';
import { listDirectory, type MemoryFiles } from './memory-listing.ts';
import { MEMORY_ROOT, movedPath, parsePath } from './memory-paths.ts';

/** A command of Anthropic's memory tool `memory_20250818`, as the model sends it. */
export type AnthropicMemoryAction =
  | { command: 'view'; path: string; view_range?: readonly number[] | undefined }
  | { command: 'create'; path: string; file_text: string }
  | { command: 'str_replace'; path: string; old_str: string; new_str: string }
  | { command: 'insert'; path: string; insert_line: number; insert_text: string }
  | { command: 'delete'; path: string }
  | { command: 'rename'; old_path: string; new_path: string };

/** Lengths are in UTF-16 units. Only commands that make a file larger are refused. */
export interface AnthropicMemoryOptions {
  /** Maximum length of a file. @default 100_000 */
  maxFileCharacters?: number;
  /** Maximum number of files. @default 1_000 */
  maxFiles?: number;
  /** Maximum length of all files together. Every command reads all of them. @default 2_000_000 */
  maxCharacters?: number;
}

export type MemoryFileLimits = Required<AnthropicMemoryOptions>;

/** A change of one file. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string };

/** Reply to the model, and the changes that the caller must store before sending it. */
export interface CommandOutcome {
  readonly reply: string;
  /** Stored text that follows the reply. It is data, and must be quoted. */
  readonly stored?: string;
  readonly changes: readonly FileChange[];
}

type Fields = Readonly<Record<string, unknown>>;
/** Runs one command. Its fields come from a model and can be anything. */
type Command = (files: MemoryFiles, fields: Fields, limits: MemoryFileLimits) => CommandOutcome;

/** Maximum number of lines that an error about several occurrences lists. */
const MAX_NAMED_LINES = 100;
/** Longest part of `old_str` that an error repeats, in UTF-16 units. */
const MAX_ECHOED_CHARACTERS = 200;
/** Quoting inserts a space into such text, which the file does not contain. */
const MAY_BE_BROKEN_UP = /[<＜﹤|｜[［«‹] |[|｜] [>＞﹥]/u;
const BROKEN_UP =
  'In text that looks like a tag, view shows a space after the bracket that is not in the file.';

const COMMANDS: Readonly<Record<AnthropicMemoryAction['command'], Command>> = {
  view(files, { path: given, view_range: range }) {
    const path = parsePath(given, 'path');
    const text = files.get(path);
    if (text !== undefined) {
      const shown = numberedLines(text.split('\n'), parseRange(range));
      return { reply: `Here's the content of ${path} with line numbers:`, stored: shown, changes: [] };
    }
    if (isDirectory(files, path)) {
      const reply = `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
      return { reply, stored: listDirectory(files, path), changes: [] };
    }
    throw missing(path);
  },

  create(files, fields, limits) {
    const path = parsePath(fields['path'], 'path');
    const text = parseText(fields, 'file_text');
    requireNoFileAbove(files, path);
    if (files.has(path) || isDirectory(files, path)) throw invalidInput(`File ${path} already exists`);
    if (files.size >= limits.maxFiles) {
      throw invalidInput(
        `File ${path} was not created: there are already ${files.size} files, and ${limits.maxFiles} are allowed. Delete or combine some first.`,
      );
    }
    return write(files, path, text, limits, `File created successfully at: ${path}`);
  },

  str_replace(files, fields, limits) {
    const path = parsePath(fields['path'], 'path');
    const [from, to] = [parseText(fields, 'old_str'), parseText(fields, 'new_str')];
    const text = requireFile(files, path);
    if (from === '') throw invalidInput('old_str must not be empty. Use insert to add text.');
    const at = text.indexOf(from);
    if (at < 0) {
      const hint = MAY_BE_BROKEN_UP.test(from) ? ` ${BROKEN_UP}` : '';
      throw invalidInput(
        `No replacement was performed, old_str \`${echoed(from)}\` did not appear verbatim in ${path}.${hint}`,
      );
    }
    if (text.includes(from, at + 1)) {
      const lines = linesWith(text, from);
      throw invalidInput(
        `No replacement was performed. Multiple occurrences of old_str \`${echoed(from)}\` in lines: ${lines}. Please ensure it is unique`,
      );
    }
    const edited = `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
    const changedLine = text.slice(0, at).split('\n').length;
    const snippet = numberedLines(edited.split('\n'), [changedLine - 2, changedLine + 2]);
    const reply =
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):';
    return { ...write(files, path, edited, limits, reply), stored: snippet };
  },

  insert(files, fields, limits) {
    const path = parsePath(fields['path'], 'path');
    const added = parseText(fields, 'insert_text');
    const at = fields['insert_line'];
    const lines = requireFile(files, path).split('\n');
    if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > lines.length) {
      throw invalidInput(
        `Invalid \`insert_line\` parameter: ${String(at)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
      );
    }
    const edited = lines.toSpliced(at, 0, added.replace(/\n$/, '')).join('\n');
    return write(files, path, edited, limits, `The file ${path} has been edited.`);
  },

  delete(files, { path: given }) {
    const path = parsePath(given, 'path');
    if (path === MEMORY_ROOT) throw invalidInput(`Cannot delete the ${MEMORY_ROOT} directory itself`);
    const removed = pathsAt(files, path);
    if (removed.length === 0) throw invalidInput(`The path ${path} does not exist`);
    return {
      reply: `Successfully deleted ${path}`,
      changes: removed.map((each) => ({ kind: 'remove', path: each })),
    };
  },

  rename(files, fields) {
    const from = parsePath(fields['old_path'], 'old_path');
    const to = parsePath(fields['new_path'], 'new_path');
    if (from === MEMORY_ROOT) throw invalidInput(`Cannot rename the ${MEMORY_ROOT} directory itself`);
    if (files.has(to) || isDirectory(files, to)) throw invalidInput(`The destination ${to} already exists`);
    const moved = pathsAt(files, from);
    if (moved.length === 0) throw invalidInput(`The path ${from} does not exist`);
    if (to.startsWith(`${from}/`)) throw invalidInput(`Cannot rename ${from} to a path inside itself: ${to}`);
    requireNoFileAbove(files, to);
    return {
      reply: `Successfully renamed ${from} to ${to}`,
      changes: moved.map((path) => ({ kind: 'move', path, to: movedPath(path, from, to) })),
    };
  },
};

/**
 * Computes the reply and the changes of a command. Replies and errors have the wording of Anthropic's own tool for
 * files on a disk.
 *
 * @throws MnemoraError `invalid-input` with a message for the model, if the command cannot be carried out
 */
export function runCommand(files: MemoryFiles, action: unknown, limits: MemoryFileLimits): CommandOutcome {
  const fields = (typeof action === 'object' && action !== null ? action : {}) as Fields;
  const name = fields['command'];
  if (typeof name === 'string' && Object.hasOwn(COMMANDS, name)) {
    return COMMANDS[name as AnthropicMemoryAction['command']](files, fields, limits);
  }
  throw invalidInput(`Unknown command. Use one of ${Object.keys(COMMANDS).join(', ')}.`);
}

/** Returns the part of a model's text that an error repeats: the text can be as long as a file. */
function echoed(text: string): string {
  return text.length <= MAX_ECHOED_CHARACTERS
    ? text
    : `${text.slice(0, MAX_ECHOED_CHARACTERS - 1).toWellFormed()}…`;
}

function write(
  files: MemoryFiles,
  path: string,
  given: string,
  { maxFileCharacters, maxCharacters }: MemoryFileLimits,
  reply: string,
): CommandOutcome {
  const text = given.toWellFormed();
  const before = files.get(path)?.length ?? 0;
  // Files that are already too large, such as imported ones, can still be made smaller.
  if (text.length > before) {
    if (text.length > maxFileCharacters) {
      throw invalidInput(
        `The file ${path} was not changed: it would have ${text.length} characters, and ${maxFileCharacters} are allowed. Shorten it, or use another file.`,
      );
    }
    const total = Array.from(files.values(), ({ length }) => length).reduce((sum, each) => sum + each, 0);
    if (total - before + text.length > maxCharacters) {
      throw invalidInput(
        `The file ${path} was not changed: all files together would have more than the ${maxCharacters} characters that are allowed. Delete or shorten some first.`,
      );
    }
  }
  return { reply: reply.toWellFormed(), changes: [{ kind: 'write', path, text }] };
}

function isDirectory(files: MemoryFiles, path: string): boolean {
  return path === MEMORY_ROOT || pathsAt(files, path).some((each) => each !== path);
}

/** Returns the file at a path, or all files below it. */
function pathsAt(files: MemoryFiles, path: string): string[] {
  return [...files.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
}

function requireFile(files: MemoryFiles, path: string): string {
  const text = files.get(path);
  if (text !== undefined) return text;
  if (isDirectory(files, path)) throw invalidInput(`The path ${path} is not a file.`);
  throw missing(path);
}

function requireNoFileAbove(files: MemoryFiles, path: string): void {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = path.slice(0, at);
    if (files.has(above)) throw invalidInput(`The path ${above} is a file and not a directory.`);
  }
}

function missing(path: string): Error {
  return invalidInput(`The path ${path} does not exist. Please provide a valid path.`);
}

function parseText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw invalidInput(`${name} must be a string.`);
}

/** Returns the first and last line to show; -1 is the last line of the file. */
function parseRange(value: unknown): readonly [number, number] {
  if (value === undefined || value === null) return [1, -1];
  const [first, last, ...more] = Array.isArray(value) ? (value as unknown[]) : [];
  const isValid =
    Number.isInteger(first) && Number.isInteger(last) && more.length === 0 && Number(last) >= -1;
  if (isValid) return [Number(first), Number(last)];
  throw invalidInput(
    'Invalid `view_range` parameter. It must be two whole numbers: [first line, last line or -1].',
  );
}

function numberedLines(lines: readonly string[], [first, last]: readonly [number, number]): string {
  const start = Math.max(1, first);
  return lines
    .slice(start - 1, last === -1 ? lines.length : Math.max(0, last))
    .map((line, index) => `${String(start + index).padStart(6, ' ')}\t${line}`)
    .join('\n');
}

/** Returns the numbers of the lines in which occurrences begin. */
function linesWith(text: string, part: string): string {
  const numbers: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(part); at >= 0;) {
    if (numbers.length === MAX_NAMED_LINES) return `${numbers.join(', ')}, …`;
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    numbers.push(line);
    const lineEnd = text.indexOf('\n', at);
    at = lineEnd < 0 ? -1 : text.indexOf(part, lineEnd + 1);
  }
  return numbers.join(', ');
}
