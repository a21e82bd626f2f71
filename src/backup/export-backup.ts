import { compareKeys } from '../storage/key-range.ts';
import { BACKUP_STORES, STORE_RULES } from '../storage/store-rules.ts';
import type { BackupContents, BackupStore, QueuedWork, StoreBackup } from '../storage/codec/backup-rows.ts';
import { checkName, checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import type { StorageEngine, Transaction } from '../storage/storage-engine.ts';
import type { MessageRecord, SessionRecord, StoreName } from '../storage/schema.ts';
import { vectorToText } from '../storage/codec/plain-value.ts';
import { type BackupProgress, keyOf } from './backup-format.ts';
import { BackupWriter } from './backup-writer.ts';
import { readKeyPages, readPages } from './read-in-pages.ts';
import { readVectorPages } from './vector-pages.ts';

export interface ExportOptions {
  /**
   * The scope to export: its sessions and everything derived from them.
   *
   * @default all scopes, and the lists of chat memories
   */
  scope?: string;
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
 *   as binary data in the metadata of a document); and the `storage-…` codes
 */
export async function exportBackup(engine: StorageEngine, options: ExportOptions = {}): Promise<Blob> {
  checkOptionNames('export', options, ['scope', 'signal', 'onProgress']);
  if (options.scope !== undefined) checkName('scope', options.scope);
  return engine.read(
    [...BACKUP_STORES],
    (transaction) => new BackupExport(transaction, options).run(),
    options.signal,
  );
}

class BackupExport implements BackupContents {
  readonly #transaction: Transaction;
  readonly #scope: string | undefined;
  readonly #onProgress: (progress: BackupProgress) => void;
  readonly #writer: BackupWriter;
  readonly #progress = { done: 0, total: 0 };
  readonly #tombstones = new Set<string>();
  readonly #sessions = new Map<string, SessionRecord>();
  /** Scope of each message, by message id. */
  readonly #messages = new Map<string, string>();
  readonly #turns = new Set<string>();

  constructor(transaction: Transaction, { scope, onProgress = () => undefined }: ExportOptions) {
    this.#transaction = transaction;
    this.#scope = scope;
    this.#onProgress = onProgress;
    this.#writer = new BackupWriter(scope);
  }

  async run(): Promise<Blob> {
    const counts = await Promise.all(
      BACKUP_STORES.map((name) => this.#transaction.objectStore<StoreName>(name).count()),
    );
    this.#progress.total = counts.reduce((sum, count) => sum + count, 0);
    for (const name of BACKUP_STORES) {
      if (name === 'tombstones') await this.#writeTombstones();
      else if (name === 'vectors') await this.#writeVectors();
      else if (name === 'jobs') await this.#writeJobs();
      else await this.#writeAll(name);
    }
    return this.#writer.finish();
  }

  get holdsAllScopes(): boolean {
    return this.#scope === undefined;
  }

  isWanted(scope: string): boolean {
    return this.#scope === undefined || scope === this.#scope;
  }

  session(id: string): SessionRecord | undefined {
    return this.#sessions.get(id);
  }

  addSession(session: SessionRecord): void {
    this.#sessions.set(session.id, session);
  }

  addMessage({ id, scope, turnId }: MessageRecord): void {
    this.#messages.set(id, scope);
    this.#turns.add(turnId);
  }

  isForgotten(messageId: string): boolean {
    return this.#tombstones.has(messageId);
  }

  missing({ scope, messageIds }: Parameters<BackupContents['missing']>[0]): ReadonlySet<string> {
    return new Set(messageIds.filter((id) => this.#messages.get(id) !== scope));
  }

  async #writeAll(name: BackupStore): Promise<void> {
    const { write } = STORE_RULES[name].backup as StoreBackup<BackupStore>;
    for await (const rows of readPages(this.#transaction, name)) {
      for (const row of rows) {
        inStore(name, () => {
          const written = write?.(row, this);
          if (written) this.#writer.add(name, written);
        });
      }
      this.#advance(rows.length);
    }
  }

  async #writeTombstones(): Promise<void> {
    for await (const keys of readKeyPages(this.#transaction, 'tombstones')) {
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
    for await (const jobs of readPages(this.#transaction, 'jobs')) {
      for (const { queue, sessionId, turnIds, createdAt } of jobs) {
        const left = turnIds.filter((turnId) => this.#turns.has(turnId));
        const isDone = left.length === 0 && turnIds.length > 0;
        if (isDone || !this.#sessions.has(sessionId)) continue;
        const key = JSON.stringify([queue, sessionId, left.length > 0]);
        const known = work.get(key);
        work.set(key, {
          queue,
          sessionId,
          turnIds: [...new Set([...(known?.turnIds ?? []), ...left])],
          createdAt: Math.min(known?.createdAt ?? createdAt, createdAt),
        });
      }
      this.#advance(jobs.length);
    }
    const keyed = Array.from(work.values(), (row) => ({ row, key: keyOf({ store: 'jobs', row }) }));
    for (const { row } of keyed.toSorted((a, b) => compareKeys(a.key, b.key))) this.#writer.add('jobs', row);
  }

  #advance(rows: number): void {
    this.#progress.done += rows;
    this.#onProgress({ ...this.#progress });
  }
}

/** Runs `write` and adds the name of the store to its error. */
function inStore(name: BackupStore, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (!(cause instanceof MnemoraError)) throw cause;
    const message = `A record of "${name}" cannot be written to a backup. ${cause.message} Remove it, then export again.`;
    throw new MnemoraError(cause.code, message, { cause });
  }
}
