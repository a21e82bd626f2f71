import { MnemoraError } from '../model/error.ts';
import { isRecord } from '../model/is-record.ts';
import { sha256Stream } from '../model/sha256.ts';
import { BackupContents } from '../storage/codec/backup-contents.ts';
import type { BackupKey, BackupStore, References } from '../storage/codec/backup-rows.ts';
import { canonicalJson } from '../storage/codec/canonical-json.ts';
import { damaged, requireField } from '../storage/codec/damaged.ts';
import { RowFields } from '../storage/codec/row-fields.ts';
import { compareKeys } from '../storage/key-range.ts';
import { BACKUP_STORES, rulesOf } from '../storage/store-rules.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, MAX_LINE, type BackupEntry } from './backup-format.ts';
import { LineSplitter, parseLine } from './backup-lines.ts';

/** Size of a piece. Small enough that checking it does not block the page. */
const PIECE_BYTES = 2 ** 18;
/** More than this would not fit the sets of ids that the references are checked with. */
const MAX_RECORDS = 10_000_000;

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
  #contents: BackupContents | undefined;
  /** Position of the store and key of the last record. */
  #last: readonly [store: number, key: BackupKey] = [0, []];
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
    try {
      if (this.#offset >= this.#blob.size) return this.#finish();
      const bytes = await bytesOf(this.#blob.slice(this.#offset, this.#offset + PIECE_BYTES));
      this.#offset += PIECE_BYTES;
      return Array.from(this.#lines.push(bytes), (line) => this.#readLine(line) ?? []).flat();
    } catch (cause) {
      if (!(cause instanceof MnemoraError) || cause.code === 'backup-newer') throw cause;
      const reason = cause.message.replace(/\.? Nothing was changed\.$/, '').replace(/\.$/, '');
      throw new MnemoraError(
        'backup-invalid',
        `This backup cannot be read. Line ${this.#line}${this.#place}: ${reason}. Use another copy of the file; nothing was changed.`,
        { cause },
      );
    }
  }

  #readLine(line: string): BackupEntry | undefined {
    this.#place = '';
    const value = parseLine(line);
    if (this.#isComplete) throw damaged('there is more after the last line');
    let entry: BackupEntry | undefined;
    if (!this.#contents) this.#contents = new BackupContents(readScope(value));
    else if (isRecord(value) && 'sha256' in value) this.#checkTrailer(value, this.#contents);
    else entry = this.#checkEntry(value, this.#contents);
    // With duplicate names in an object, it would be ambiguous which of them counts.
    if (canonicalJson(value) !== line) throw damaged('it is not in canonical form, or repeats a name');
    if (!this.#isComplete) this.#hash.update(`${line}\n`);
    this.#line += 1;
    return entry;
  }

  #checkEntry(value: unknown, contents: BackupContents): BackupEntry {
    if (this.#line > MAX_RECORDS) throw damaged(`there are more than ${MAX_RECORDS} records`);
    const fields = new RowFields(value, ['row', 'store']);
    const store = fields.word('store', BACKUP_STORES);
    this.#place = ` (${store})`;
    const { backup, refersTo } = rulesOf(store);
    if (!backup) throw damaged('it is of a store that a backup does not hold');
    const row = backup.read(fields.raw('row'), contents.scope);
    const position = [BACKUP_STORES.indexOf(store), backup.keyOf(row)] as const;
    if (compareKeys(this.#last, position) >= 0) throw damaged('it is a duplicate, or out of order');
    this.#last = position;
    checkReferences(row, contents, refersTo?.(row));
    contents.line = this.#line;
    backup.check?.(row, contents);
    this.#counts.set(store, (this.#counts.get(store) ?? 0) + 1);
    return { store, row };
  }

  #checkTrailer(value: object, contents: BackupContents): void {
    this.#place = ' (the last)';
    const fields = new RowFields(value, ['counts', 'sha256']);
    const counts = new RowFields(fields.raw('counts'), BACKUP_STORES, { what: 'counts' });
    for (const store of BACKUP_STORES) {
      const said = counts.has(store) ? counts.count(store) : 0;
      const found = this.#counts.get(store) ?? 0;
      if (said !== found)
        throw damaged(`the field "${store}" of counts says ${said}, but there are ${found}`);
    }
    if (fields.text('sha256') !== this.#hash.digest())
      throw damaged('the field "sha256" does not match: the file was changed or damaged');
    const last = this.#line;
    for (const { line, check } of contents.checksAtEnd) {
      this.#line = line;
      check();
    }
    this.#line = last;
    this.#isComplete = true;
  }

  #finish(): undefined {
    this.#lines.finish();
    if (!this.#isComplete) throw damaged('it is missing: the file is incomplete or empty');
  }
}

/** Reads a part of a file. @throws MnemoraError `backup-invalid` if it was changed or removed after it was picked */
async function bytesOf(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer();
  } catch (cause) {
    throw damaged('the file cannot be read any more', cause);
  }
}

/** Checks that what a record refers to is in the file, in the scope of the record. */
function checkReferences(
  row: BackupEntry['row'],
  contents: BackupContents,
  { sessionId, messageIds = [], field = 'messageIds' }: References = {},
): void {
  if (!('scope' in row)) return;
  const { scope } = row;
  requireField(contents.isWanted(scope), 'scope', 'is not the scope of the file');
  const hasSession = sessionId === undefined || contents.session(scope, sessionId) !== undefined;
  requireField(hasSession, 'sessionId', 'refers to a session that is missing');
  const isComplete = contents.missing(scope, messageIds).size === 0;
  requireField(isComplete, field, 'refers to a message that is missing');
}

/** Checks the header, and returns the scope of the file. */
function readScope(value: unknown): string | undefined {
  const { format, version } = isRecord(value) ? value : {};
  if (format !== BACKUP_FORMAT) throw damaged(`the field "format" must be "${BACKUP_FORMAT}"`);
  if (Number.isSafeInteger(version) && Number(version) > BACKUP_VERSION) {
    throw new MnemoraError(
      'backup-newer',
      `Line 1: the field "version" is ${String(version)}: this backup was made by a newer version of this library, and this one reads up to ${BACKUP_VERSION}. Update the library, then import it again; nothing was changed.`,
    );
  }
  const fields = new RowFields(value, ['format', 'scope', 'version']);
  if (version !== BACKUP_VERSION) throw damaged(`the field "version" must be ${BACKUP_VERSION}`);
  return fields.has('scope') ? fields.id('scope') : undefined;
}
