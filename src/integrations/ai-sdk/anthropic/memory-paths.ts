import type { MnemoraError } from '../../../index.ts';
import { invalidInput } from '../../../model/error.ts';

/** The directory that contains all files of Anthropic's memory tool. It always exists. */
export const MEMORY_ROOT = '/memories';

/** Longest path, in UTF-16 units. */
const MAX_PATH_CHARACTERS = 256;
/** Encoded dots, slashes and backslashes, which some other program might decode. */
const ENCODED = /%(?:2e|2f|5c)/i;
/** Line breaks and tabs would imitate rows of a listing. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * Returns a path in the form in which files are stored: below `/memories`, without a slash at its end, lone surrogates
 * replaced with U+FFFD.
 *
 * @param field name of the path in the command, for the error
 * @throws MnemoraError `invalid-input` for anything that is not such a path, or that leads or might lead out of it
 */
export function parsePath(value: unknown, field: string): string {
  if (typeof value !== 'string')
    throw invalidInput(`${field} must be a string that begins with ${MEMORY_ROOT}.`);
  if (value.length > MAX_PATH_CHARACTERS) throw pathTooLong();
  const path = value.toWellFormed().replace(/\/$/, '');
  if (path !== MEMORY_ROOT && !path.startsWith(`${MEMORY_ROOT}/`)) {
    throw invalidInput(`Path must start with ${MEMORY_ROOT}, got: ${value}`);
  }
  const names = path.split('/').slice(1);
  if (names.includes('..') || path.includes('\\') || ENCODED.test(path)) {
    throw invalidInput(`Path ${value} would escape ${MEMORY_ROOT} directory`);
  }
  if (names.includes('') || names.includes('.') || CONTROL.test(path)) {
    throw invalidInput(`Path ${value} must not contain empty names, "." or control characters.`);
  }
  return path;
}

/** Returns whether a stored value is a path that {@link parsePath} returns. */
export function isPath(value: unknown): value is string {
  try {
    const path = parsePath(value, 'path');
    return path === value && path !== MEMORY_ROOT;
  } catch {
    return false;
  }
}

/** Returns the path of a file after it, or a directory above it, was renamed. */
export function movedPath(path: string, from: string, to: string): string {
  const moved = `${to}${path.slice(from.length)}`;
  if (moved.length > MAX_PATH_CHARACTERS) throw pathTooLong();
  return moved;
}

function pathTooLong(): MnemoraError {
  return invalidInput(`A path must not be longer than ${MAX_PATH_CHARACTERS} characters.`);
}
