import { checkBoolean, checkName, checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { SLICE_MS, yieldToEventLoop } from '../model/event-loop.ts';
import { sha256Stream } from '../model/sha256.ts';
import { BackupContents } from '../storage/codec/backup-contents.ts';
import type { BackupStore } from '../storage/codec/backup-rows.ts';
import { canonicalJson } from '../storage/codec/canonical-json.ts';
import { readPages } from '../storage/codec/read-in-pages.ts';
import type { Schema, StoreName } from '../storage/schema.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import { BACKUP_STORES, rulesOf } from '../storage/store-rules.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, MAX_LINE, type BackupProgress } from './backup-format.ts';
import { LineScan, MAX_TEXT } from './backup-lines.ts';
import { checkNewPassphrase, encryptBackup } from './encrypted-backup.ts';

export interface ExportOptions {
  /**
   * The scope to export: its sessions and everything derived from them.
   *
   * @default all scopes, and the lists of chat memories
   */
  scope?: string;
  /**
   * Encrypts the file, with a key that is derived from this text (PBKDF2, AES-GCM). Nobody, including the owner, can
   * read the file without it.
   *
   * @default the file is plain text
   */
  passphrase?: string;
  /**
   * Whether the file contains the vectors of messages, which are most of its bytes. Without them they are made again
   * after an import.
   *
   * @default true
   */
  vectors?: boolean;
  signal?: AbortSignal;
  /** Called with the number of rows read so far. */
  onProgress?: (progress: BackupProgress) => void;
}

/**
 * Writes the database to a file, as described in `backup-format.ts`. The file holds one consistent state, without
 * secrets, keys, configuration and the change log; data derived from missing messages is left out. Memory needed: the
 * file, which the browser may keep on disk, and the ids of all messages.
 *
 * @throws MnemoraError `invalid-option`; `invalid-input` if a record contains something that a file cannot hold (such
 *   as binary data in the metadata of a document); `crypto-unavailable` for a passphrase on an insecure origin; and
 *   the `storage-…` codes
 */
export async function exportBackup(engine: StorageEngine, options: ExportOptions = {}): Promise<Blob> {
  checkOptionNames('export', options, ['scope', 'passphrase', 'vectors', 'signal', 'onProgress']);
  const { scope, passphrase, vectors = true, signal } = options;
  checkBoolean('vectors', vectors);
  if (scope !== undefined) checkName('scope', scope);
  if (passphrase !== undefined) checkNewPassphrase(passphrase);
  const backup = await engine.read(BACKUP_STORES, (transaction) => writeBackup(transaction, options), signal);
  return passphrase === undefined ? backup : encryptBackup(backup, passphrase, signal);
}

/** Walks the table of stores, and writes the records of each. */
async function writeBackup(
  transaction: Transaction,
  { scope, vectors = true, onProgress = () => undefined }: ExportOptions,
): Promise<Blob> {
  const stores = BACKUP_STORES.map((name) => transaction.objectStore<StoreName>(name));
  const counts = await Promise.all(stores.map((store) => store.count()));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  const advance = (rows: number): void => onProgress({ done: (done += rows), total });
  const writer = new BackupWriter(scope);
  const contents = new BackupContents(scope);
  const pause = pausesIn(transaction);
  for (const key of await transaction.objectStore('entities').getAllKeys()) contents.addEntity(...key);
  for (const [position, name] of BACKUP_STORES.entries()) {
    const { write, writeAll } = rulesOf(name).backup ?? {};
    if (name === 'vectors' && !vectors) continue;
    if (writeAll) {
      for await (const record of writeAll(transaction, contents)) {
        writer.add(name, record);
        await pause();
      }
      advance(counts[position] ?? 0);
      continue;
    }
    for await (const { rows, keys } of readPages(transaction, name)) {
      inStore(name, () => {
        for (const [at, key] of keys.entries()) {
          const record = write?.(rows[at] as Schema[BackupStore]['value'], contents, key);
          if (record) writer.add(name, record);
        }
      });
      advance(rows.length);
      await pause();
    }
  }
  return writer.finish();
}

/**
 * Returns a function that lets the page go on whenever a slice of time is used up. A transaction ends where nothing is asked
 * of it, so the pause is a request, whose answer is a task of its own.
 */
function pausesIn(transaction: Transaction): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await (transaction.staysOpen ? yieldToEventLoop() : transaction.objectStore('sessions').count());
    start = performance.now();
  };
}

/** Runs `write`, and adds the name of the store to its error message. */
function inStore(name: BackupStore, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (!(cause instanceof MnemoraError)) throw cause;
    const message = `A record of "${name}" cannot be written to a backup. ${cause.message} Remove it, then export again.`;
    throw new MnemoraError(cause.code, message, { cause });
  }
}

/** Text is passed to the browser, which may store it on disk, in pieces of about this many UTF-16 units. */
const PIECE = 2 ** 20;

/** Writes the file of a backup, line by line. */
class BackupWriter {
  readonly #hash = sha256Stream();
  readonly #counts = new Map<BackupStore, number>();
  readonly #pieces: Blob[] = [];
  #text: string[] = [];
  #textLength = 0;

  constructor(scope: string | undefined) {
    this.#write(canonicalJson({ format: BACKUP_FORMAT, version: BACKUP_VERSION, scope }));
  }

  /** Writes one record. @throws MnemoraError `invalid-input`, `backup-invalid` if it is longer than a file allows */
  add(store: BackupStore, row: unknown): void {
    const line = canonicalJson({ store, row });
    if (line.length > MAX_LINE)
      throw new MnemoraError('invalid-input', `It has ${line.length} characters; the limit is ${MAX_LINE}.`);
    if (line.length > MAX_TEXT) new LineScan().push(line); // a record that could not be imported must not be exported
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
