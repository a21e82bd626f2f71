import { MnemoraError } from '../model/error.ts';

/** Cuts bytes that come in pieces into lines of text, and keeps no more than the line that has begun. */
export class LineSplitter {
  // The mark at the beginning of some files is part of the first line, which is then no header.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #maxLength: number;
  #begun: string[] = [];
  #begunLength = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The lines that end in these bytes. @throws MnemoraError `backup-invalid` */
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

  /** @throws MnemoraError `backup-invalid` where the last line has no end */
  finish(): void {
    this.#begin(this.#decode(new Uint8Array(0), false));
    if (this.#begunLength > 0) throw new MnemoraError('backup-invalid', 'it is cut: the line does not end');
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
      throw new MnemoraError('backup-invalid', 'it is no text in UTF-8', { cause });
    }
  }
}
