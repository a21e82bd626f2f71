import { checkName, checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { BackupContents, BackupStore, QueuedWork } from '../storage/codec/backup-rows.ts';
import { vectorToText } from '../storage/codec/plain-value.ts';
import { compareKeys } from '../storage/key-range.ts';
import type { SessionRecord, StoreName } from '../storage/schema.ts';
import { sha256Stream } from '../model/sha256.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import { BACKUP_STORES } from '../storage/store-rules.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  backupOf,
  canonicalJson,
  keyOf,
  MAX_LINE,
  type BackupProgress,
} from './backup-format.ts';
import { checkNewPassphrase, encryptBackup } from './encrypted-backup.ts';
import { LineScan, MAX_TEXT } from './backup-lines.ts';
import { readPages } from './read-in-pages.ts';
import { readVectorPages } from './vectors.ts';

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
  checkOptionNames('export', options, ['scope', 'passphrase', 'signal', 'onProgress']);
  const { scope, passphrase, signal } = options;
  if (scope !== undefined) checkName('scope', scope);
  if (passphrase !== undefined) checkNewPassphrase(passphrase);
  const backup = await engine.read(
    [...BACKUP_STORES],
    (transaction) => new BackupExport(transaction, options).run(),
    signal,
  );
  return passphrase === undefined ? backup : encryptBackup(backup, passphrase, signal);
}

class BackupExport {
  readonly #transaction: Transaction;
  readonly #onProgress: (progress: BackupProgress) => void;
  readonly #writer: BackupWriter;
  readonly #progress = { done: 0, total: 0 };
  readonly #tombstones = new Set<string>();
  /** By scope and id, as JSON. */
  readonly #sessions = new Map<string, SessionRecord>();
  /** Scope of each message, by message id. */
  readonly #messages = new Map<string, string>();
  /** Scopes and ids, as JSON. */
  readonly #turns = new Set<string>();
  /** Keys of all entities, as JSON. */
  readonly #entities = new Set<string>();
  readonly #contents: BackupContents;

  constructor(transaction: Transaction, { scope, onProgress = () => undefined }: ExportOptions) {
    this.#transaction = transaction;
    this.#onProgress = onProgress;
    this.#writer = new BackupWriter(scope);
    this.#contents = {
      holdsAllScopes: scope === undefined,
      isWanted: (other) => scope === undefined || other === scope,
      scoped: (of, record) => (scope === undefined ? { ...record, scope: of } : record),
      session: (of, id) => this.#sessions.get(JSON.stringify([of, id])),
      addSession: (session) => void this.#sessions.set(JSON.stringify([session.scope, session.id]), session),
      addMessage: (message) => {
        this.#messages.set(message.id, message.scope);
        this.#turns.add(JSON.stringify([message.scope, message.turnId]));
      },
      isForgotten: (messageId) => this.#tombstones.has(messageId),
      hasEntity: (of, key) => this.#entities.has(JSON.stringify([of, key])),
      missing: (row) => new Set(row.messageIds.filter((id) => this.#messages.get(id) !== row.scope)),
    };
  }

  async run(): Promise<Blob> {
    const counts = await Promise.all(
      BACKUP_STORES.map((name) => this.#transaction.objectStore<StoreName>(name).count()),
    );
    this.#progress.total = counts.reduce((sum, count) => sum + count, 0);
    for (const key of await this.#transaction.objectStore('entities').getAllKeys())
      this.#entities.add(JSON.stringify(key));
    for (const name of BACKUP_STORES) {
      if (name === 'tombstones') await this.#writeTombstones();
      else if (name === 'vectors') await this.#writeVectors();
      else if (name === 'jobs') await this.#writeJobs();
      else await this.#writeAll(name);
    }
    return this.#writer.finish();
  }

  async #writeAll(name: BackupStore): Promise<void> {
    const { write } = backupOf(name);
    for await (const { rows } of readPages(this.#transaction, name)) {
      for (const row of rows) {
        inStore(name, () => {
          const written = write?.(row, this.#contents);
          if (written) this.#writer.add(name, written);
        });
      }
      this.#advance(rows.length);
    }
  }

  async #writeTombstones(): Promise<void> {
    for await (const { keys } of readPages(this.#transaction, 'tombstones')) {
      for (const key of keys) {
        this.#tombstones.add(key);
        this.#writer.add('tombstones', { key });
      }
      this.#advance(keys.length);
    }
  }

  async #writeVectors(): Promise<void> {
    const isThere = (scope: string, id: string): boolean => this.#messages.get(id) === scope;
    for await (const entries of readVectorPages(this.#transaction, isThere)) {
      for (const entry of entries)
        this.#writer.add('vectors', { ...entry, vector: vectorToText(entry.vector) });
    }
    this.#advance(await this.#transaction.objectStore('vectors').count());
  }

  /** Writes one record for each queue and session: the waiting turns, or that the whole session waits. */
  async #writeJobs(): Promise<void> {
    const work = new Map<string, QueuedWork>();
    for await (const { rows } of readPages(this.#transaction, 'jobs')) {
      for (const { queue, scope, sessionId, turnIds, createdAt } of rows) {
        const left = turnIds.filter((turnId) => this.#turns.has(JSON.stringify([scope, turnId])));
        const isDone = left.length === 0 && turnIds.length > 0;
        if (isDone || !this.#contents.session(scope, sessionId)) continue;
        const key = JSON.stringify([queue, scope, sessionId, left.length > 0]);
        const known = work.get(key);
        work.set(key, {
          queue,
          scope,
          sessionId,
          turnIds: [...new Set([...(known?.turnIds ?? []), ...left])],
          createdAt: Math.min(known?.createdAt ?? createdAt, createdAt),
        });
      }
      this.#advance(rows.length);
    }
    const keyed = Array.from(work.values(), (row) => ({ row, key: keyOf({ store: 'jobs', row }) }));
    for (const { row } of keyed.toSorted((a, b) => compareKeys(a.key, b.key))) {
      const { scope, ...rest } = row;
      this.#writer.add('jobs', this.#contents.scoped(scope, rest));
    }
  }

  #advance(rows: number): void {
    this.#progress.done += rows;
    this.#onProgress({ ...this.#progress });
  }
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
