import { checkRow } from './backup-format.ts';
import type { BackupKey, BackupStore } from '../storage/codec/backup-rows.ts';
import { compareKeys } from '../storage/key-range.ts';
import { BACKUP_STORES } from '../storage/store-rules.ts';
import { MnemoraError } from '../model/error.ts';
import { sha256Stream } from '../storage/sha256.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, MAX_LINE, keyOf, type BackupEntry } from './backup-format.ts';
import { CrossReferences } from './cross-references.ts';
import { LineSplitter } from './line-splitter.ts';
import { parseLine } from './parse-line.ts';
import { RowFields } from '../storage/codec/row-fields.ts';

const PIECE_BYTES = 2 ** 20;

/**
 * Reads a backup piece by piece and checks all of it: format, order, fields, references, counts and checksum. Records
 * are returned before the end of the file is checked, so they may still turn out to belong to a damaged file.
 */
export class BackupReader {
  readonly #blob: Blob;
  readonly #lines = new LineSplitter(MAX_LINE);
  readonly #hash = sha256Stream();
  readonly #counts = new Map<BackupStore, number>();
  #offset = 0;
  /** Number of the current line, from 1. */
  #line = 1;
  #place = '';
  #references: CrossReferences | undefined;
  #last: { store: number; key: BackupKey } = { store: 0, key: [] };
  #isComplete = false;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  /** Number of bytes read so far. */
  get bytesRead(): number {
    return this.#offset;
  }

  /**
   * Returns the next records, possibly none, or undefined at the end.
   *
   * @throws MnemoraError `backup-invalid`, `backup-newer`
   */
  async next(): Promise<BackupEntry[] | undefined> {
    if (this.#offset >= this.#blob.size) {
      this.#inPlace(() => this.#finish());
      return undefined;
    }
    const bytes = await this.#read();
    return this.#inPlace(() => this.#lines.push(bytes).flatMap((line) => this.#readLine(line) ?? []));
  }

  async #read(): Promise<ArrayBuffer> {
    const piece = this.#blob.slice(this.#offset, this.#offset + PIECE_BYTES);
    try {
      const bytes = await piece.arrayBuffer();
      this.#offset += PIECE_BYTES;
      return bytes;
    } catch (cause) {
      // The file was changed or removed after it was picked.
      throw this.#invalid('the file cannot be read any more', cause);
    }
  }

  #readLine(line: string): BackupEntry | undefined {
    this.#place = '';
    const value = parseLine(line);
    if (!this.#references) {
      this.#references = new CrossReferences(readHeader(value).scope);
    } else if (this.#isComplete) {
      throw new MnemoraError('backup-invalid', 'there is more after the last line');
    } else if (isTrailer(value)) {
      this.#checkTrailer(value);
      this.#line += 1;
      return undefined;
    }
    const entry = this.#line === 1 ? undefined : this.#checkEntry(value, this.#references);
    this.#hash.update(`${line}\n`);
    this.#line += 1;
    return entry;
  }

  #checkEntry(value: unknown, references: CrossReferences): BackupEntry {
    const fields = new RowFields(value, ['row', 'store']);
    const store = fields.word('store', BACKUP_STORES);
    this.#place = ` (${store})`;
    const entry = checkRow(store, fields.raw('row'), this.#line);
    const position = { store: BACKUP_STORES.indexOf(store), key: keyOf(entry) };
    const isInOrder =
      position.store > this.#last.store ||
      (position.store === this.#last.store && compareKeys(this.#last.key, position.key) < 0);
    if (!isInOrder) throw new MnemoraError('backup-invalid', 'it is a duplicate, or out of order');
    this.#last = position;
    references.add(entry);
    this.#counts.set(store, (this.#counts.get(store) ?? 0) + 1);
    return entry;
  }

  #checkTrailer(value: unknown): void {
    this.#place = ' (the last)';
    const fields = new RowFields(value, ['counts', 'sha256']);
    const counts = new RowFields(fields.raw('counts'), BACKUP_STORES, 'counts');
    for (const store of BACKUP_STORES) {
      const said = counts.has(store) ? counts.count(store) : 0;
      const found = this.#counts.get(store) ?? 0;
      if (said !== found) {
        const why = `the field "${store}" of counts says ${said}, but there are ${found}`;
        throw new MnemoraError('backup-invalid', why);
      }
    }
    if (fields.text('sha256') !== this.#hash.digest())
      throw new MnemoraError(
        'backup-invalid',
        'the field "sha256" does not match: the file was changed or damaged',
      );
    const line = this.#line;
    this.#references?.finish((wrong) => (this.#line = wrong));
    this.#line = line;
    this.#isComplete = true;
  }

  #finish(): void {
    this.#lines.finish();
    if (!this.#isComplete)
      throw new MnemoraError('backup-invalid', 'it is missing: the file is incomplete or empty');
  }

  #inPlace<T>(check: () => T): T {
    try {
      return check();
    } catch (cause) {
      if (!(cause instanceof MnemoraError)) throw cause;
      if (cause.code === 'backup-newer') throw cause;
      throw this.#invalid(cause.message, cause);
    }
  }

  #invalid(why: string, cause: unknown): MnemoraError {
    const reason = why.replace(/\.? Nothing was changed\.$/, '').replace(/\.$/, '');
    return new MnemoraError(
      'backup-invalid',
      `This backup cannot be read. Line ${this.#line}${this.#place}: ${reason}. Use another copy of the file; nothing was changed.`,
      { cause },
    );
  }
}

function readHeader(value: unknown): { scope: string | undefined } {
  const isBackup =
    typeof value === 'object' && value !== null && 'format' in value && value.format === BACKUP_FORMAT;
  if (!isBackup) throw new MnemoraError('backup-invalid', `the field "format" must be "${BACKUP_FORMAT}"`);
  const version = 'version' in value ? value.version : undefined;
  if (Number.isSafeInteger(version) && Number(version) > BACKUP_VERSION) {
    throw new MnemoraError(
      'backup-newer',
      `Line 1: the field "version" is ${String(version)}: this backup was made by a newer version of this library, and this one reads up to ${BACKUP_VERSION}. Update the library, then import it again; nothing was changed.`,
    );
  }
  const fields = new RowFields(value, ['format', 'scope', 'version']);
  if (version !== BACKUP_VERSION)
    throw new MnemoraError('backup-invalid', `the field "version" must be ${BACKUP_VERSION}`);
  return { scope: fields.has('scope') ? fields.id('scope') : undefined };
}

function isTrailer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'sha256' in value;
}
