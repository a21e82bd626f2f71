import { MnemoraError } from '../model/error.ts';

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
      return this.#take();
    });
    this.#begin(rest);
    return lines;
  }

  /** Checks that the last line is complete. @throws MnemoraError `backup-invalid` */
  finish(): void {
    this.#begin(this.#decode(new Uint8Array(0), false));
    if (this.#begunLength > 0)
      throw new MnemoraError('backup-invalid', 'it is incomplete: there is no line feed at its end');
  }

  #begin(piece: string): void {
    this.#begun.push(piece);
    this.#begunLength += piece.length;
    if (this.#begunLength > this.#maxLength)
      throw new MnemoraError('backup-invalid', `it is longer than ${this.#maxLength} characters`);
  }

  #take(): string {
    const line = this.#begun.join('');
    this.#begun = [];
    this.#begunLength = 0;
    return line;
  }

  #decode(bytes: ArrayBuffer | Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      throw new MnemoraError('backup-invalid', 'it is not valid UTF-8 text', { cause });
    }
  }
}
