import type { BackupStore } from '../storage/codec/backup-rows.ts';
import { MnemoraError } from '../model/error.ts';
import { sha256Stream } from '../storage/sha256.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, MAX_LINE } from './backup-format.ts';
import { canonicalJson } from './canonical-json.ts';

/** Text is passed to the browser, which may store it on disk, in pieces of about this many UTF-16 units. */
const PIECE = 2 ** 20;

/** Writes the file of a backup, line by line. */
export class BackupWriter {
  readonly #hash = sha256Stream();
  readonly #counts = new Map<BackupStore, number>();
  readonly #pieces: Blob[] = [];
  #text: string[] = [];
  #textLength = 0;

  constructor(scope: string | undefined) {
    this.#write(canonicalJson({ format: BACKUP_FORMAT, version: BACKUP_VERSION, scope }));
  }

  /** Writes one record. @throws MnemoraError `invalid-input` if it is longer than a line may be */
  add(store: BackupStore, row: unknown): void {
    const line = canonicalJson({ store, row });
    if (line.length > MAX_LINE)
      throw new MnemoraError('invalid-input', `It has ${line.length} characters; the limit is ${MAX_LINE}.`);
    this.#write(line);
    this.#counts.set(store, (this.#counts.get(store) ?? 0) + 1);
  }

  finish(): Blob {
    this.#flush();
    this.#write(canonicalJson({ counts: Object.fromEntries(this.#counts), sha256: this.#hash.digest() }));
    this.#pieces.push(new Blob(this.#text));
    return new Blob(this.#pieces, { type: 'application/x-ndjson' });
  }

  #write(line: string): void {
    this.#text.push(line, '\n');
    this.#textLength += line.length;
    if (this.#textLength >= PIECE) this.#flush();
  }

  #flush(): void {
    const text = this.#text.join('');
    this.#hash.update(text);
    this.#pieces.push(new Blob([text]));
    this.#text = [];
    this.#textLength = 0;
  }
}
