import { RESERVED_NAMES } from '../model/json.ts';
import { damaged } from '../storage/codec/damaged.ts';

/** Limit of the nesting of a line: deeper than any record, because users' own data is at most 200 levels deep. */
const MAX_DEPTH = 256;

/** Limit of one text or name in a line, escapes included: more than any text that a memory accepts. */
export const MAX_TEXT: number = 2 ** 24;

/**
 * Splits bytes that arrive in pieces into lines of text. Keeps only the unfinished line in memory, and checks it as it
 * arrives, so that a hostile line is refused before all of it is read.
 */
export class LineSplitter {
  // A byte order mark stays part of the first line, which is then not a valid header.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #maxLength: number;
  #begun: string[] = [];
  #begunLength = 0;
  #scan = new LineScan();

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Yields the lines that end in these bytes. @throws MnemoraError `backup-invalid` */
  *push(bytes: ArrayBuffer | Uint8Array): Generator<string, void> {
    const pieces = this.#decode(bytes, true).split('\n');
    const rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      this.#begin(piece);
      const line = this.#begun.join('');
      this.#begun = [];
      this.#begunLength = 0;
      this.#scan = new LineScan();
      yield line;
    }
    this.#begin(rest);
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
    this.#scan.push(piece);
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
 * Checks what must not wait until a line is parsed: nesting, because parsers, and everything else that walks the
 * result, recurse; and the length of each text.
 */
export class LineScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #textLength = 0;

  /** Checks the next piece of the line. @throws MnemoraError `backup-invalid` */
  push(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (this.#isInText) this.#pushText(code);
      else if (code === QUOTE) this.#isInText = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#depth += 1;
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#depth -= 1;
      else if (code <= SPACE) throw damaged('it is not valid JSON without white space');
      if (this.#depth > MAX_DEPTH) throw damaged(`it is nested deeper than ${MAX_DEPTH} levels`);
    }
  }

  #pushText(code: number): void {
    this.#textLength += 1;
    if (this.#textLength > MAX_TEXT) throw damaged(`it has a text of more than ${MAX_TEXT} characters`);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) {
      this.#isInText = false;
      this.#textLength = 0;
    }
  }
}

const [SPACE, QUOTE, OPEN_LIST, BACKSLASH, CLOSE_LIST] = [32, 34, 91, 92, 93];
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125];

/**
 * Parses one line of a backup, which was checked by {@link LineScan}.
 *
 * @throws MnemoraError `backup-invalid`
 */
export function parseLine(line: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw damaged('it is not valid JSON', cause);
  }
  checkNames(value);
  return value;
}

function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    const reserved = Object.keys(value).find((name) => RESERVED_NAMES.has(name));
    if (reserved !== undefined) throw damaged(`it has a field "${reserved}", which is not allowed`);
  }
  for (const inner of Object.values(value)) checkNames(inner);
}
