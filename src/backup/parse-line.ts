import { MnemoraError } from '../model/error.ts';
import { RESERVED_NAMES } from '../storage/codec/plain-value.ts';

/** Limit of the nesting of a line: deeper than any record, because users' own data is at most 200 levels deep. */
const MAX_DEPTH = 256;

/**
 * Parses one line of a backup. Nesting is counted before parsing, because parsers, and everything else that walks the
 * result, recurse.
 *
 * @throws MnemoraError `backup-invalid`
 */
export function parseLine(line: string): unknown {
  checkDepth(line);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new MnemoraError('backup-invalid', 'it is not valid JSON', { cause });
  }
  checkNames(value);
  return value;
}

function checkDepth(line: string): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < line.length; at++) {
    switch (line.charCodeAt(at)) {
      case 0x22: // "
        isInText = !isInText;
        break;
      case 0x5c: // \
        if (isInText) at += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (!isInText) depth += 1;
        if (depth > MAX_DEPTH)
          throw new MnemoraError('backup-invalid', `it is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (!isInText) depth -= 1;
        break;
      default:
    }
  }
}

function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    const reserved = Object.keys(value).find((name) => RESERVED_NAMES.has(name));
    if (reserved !== undefined)
      throw new MnemoraError('backup-invalid', `it has a field "${reserved}", which is not allowed`);
  }
  for (const inner of Object.values(value)) checkNames(inner);
}
