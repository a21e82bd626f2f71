import { RESERVED_NAMES } from '../model/json.ts';
import { damaged } from './backup-format.ts';

/** Limit of the nesting of a line: deeper than any record, because users' own data is at most 200 levels deep. */
const MAX_DEPTH = 256;

/** Splits bytes that arrive in pieces into lines of text. Keeps only the unfinished line in memory. */
export class LineSplitter {
  // A byte order mark stays part of the first line, which is then not a valid header.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #maxLength: number;
  #begun: string[] = [];
  #begunLength = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the lines that end in these bytes. @throws MnemoraError `backup-invalid` */
  push(bytes: ArrayBuffer | Uint8Array): string[] {
    const pieces = this.#decode(bytes, true).split('\n');
    const rest = pieces.pop() ?? '';
    const lines = pieces.map((piece) => {
      this.#begin(piece);
      const line = this.#begun.join('');
      this.#begun = [];
      this.#begunLength = 0;
      return line;
    });
    this.#begin(rest);
    return lines;
  }

  /** Checks that the last line is complete. @throws MnemoraError `backup-invalid` */
  finish(): void {
    this.#begin(this.#decode(new Uint8Array(0), false));
    if (this.#begunLength > 0) throw damaged('it is incomplete: there is no line feed at its end');
  }

  #begin(piece: string): void {
    this.#begun.push(piece);
    this.#begunLength += piece.length;
    if (this.#begunLength > this.#maxLength) throw damaged(`it is longer than ${this.#maxLength} characters`);
  }

  #decode(bytes: ArrayBuffer | Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      throw damaged('it is not valid UTF-8 text', cause);
    }
  }
}

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
    throw damaged('it is not valid JSON', cause);
  }
  checkNames(value);
  return value;
}

function checkDepth(line: string): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === '"') isInText = !isInText;
    else if (isInText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > MAX_DEPTH) throw damaged(`it is nested deeper than ${MAX_DEPTH} levels`);
  }
}

function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    const reserved = Object.keys(value).find((name) => RESERVED_NAMES.has(name));
    if (reserved !== undefined) throw damaged(`it has a field "${reserved}", which is not allowed`);
  }
  for (const inner of Object.values(value)) checkNames(inner);
}
