import { deleteDB, openDB, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import { DATABASE_VERSION, MIGRATIONS } from './migrations.ts';
import type { Schema, StoreName } from './schema.ts';
import { isClosedConnection, storageError } from './storage-error.ts';

type Names = StoreName[];
export type UpgradeDatabase = IDBPDatabase<Schema>;
export type UpgradeTransaction = IDBPTransaction<Schema, Names, 'versionchange'>;
export type Transaction<Mode extends IDBTransactionMode = IDBTransactionMode> = IDBPTransaction<
  Schema,
  Names,
  Mode
>;

export interface ConnectionOptions {
  name: string;
  /** How long another tab, or a transaction frozen in one, may stand in the way. @default 20000 */
  blockedTimeoutMs?: number;
  onWarning?: WarningListener;
}

/**
 * The only owner of transactions. Opens on first use; opens again when the browser has closed it; closes by itself
 * when another tab wants to upgrade or delete the database.
 */
export class Connection {
  readonly name: string;
  readonly #blockedTimeoutMs: number;
  readonly #onWarning: WarningListener | undefined;
  #database: Promise<IDBPDatabase<Schema>> | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.name = options.name;
    this.#blockedTimeoutMs = options.blockedTimeoutMs ?? 20_000;
    this.#onWarning = options.onWarning;
  }

  /** Opens the database now. @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked` */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Runs `body` in one read transaction. */
  read<T>(
    stores: Names,
    body: (transaction: Transaction<'readonly'>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#run(stores, 'readonly', 'default', body, signal);
  }

  /**
   * Runs `body` in one write transaction and resolves when it is on disk (`strict`) or handed to the system
   * (`relaxed`, for rows that can be rebuilt). A failure anywhere leaves everything as it was.
   *
   * @throws MnemoraError `storage-full`, `storage-blocked` (a transaction of a frozen tab holds the stores),
   *   `storage-closed`, `storage-failed`
   */
  write<T>(
    stores: Names,
    durability: 'strict' | 'relaxed',
    body: (transaction: Transaction<'readwrite'>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#run(stores, 'readwrite', durability, body, signal);
  }

  close(): void {
    this.#closed = true;
    const database = this.#database;
    this.#database = undefined;
    void database?.then(
      (open) => open.close(),
      () => undefined, // it never opened: nothing to close, and whoever asked for it was told
    );
  }

  /** Closes and deletes the database; other tabs' connections close by themselves. */
  async delete(): Promise<void> {
    this.close();
    await this.#beforeTimeout((onBlocked) => deleteDB(this.name, { blocked: onBlocked }));
  }

  async #run<T, Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
    durability: IDBTransactionDurability,
    body: (transaction: Transaction<Mode>) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const transaction = await this.#begin(stores, mode, durability);
    let stop: MnemoraError | undefined;
    const abort = (): void => {
      try {
        transaction.abort();
      } catch {
        // already finished: the abort came too late to undo anything
      }
    };
    const timer = setTimeout(() => {
      stop = this.#blocked();
      abort();
    }, this.#blockedTimeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      const result = await body(transaction);
      await transaction.done;
      return result;
    } catch (cause) {
      abort();
      // The transaction's own error says more than that of the request that it took down.
      const reason: unknown = await transaction.done.then(
        () => cause,
        (error: unknown) => (isFullDisk(error) ? error : cause),
      );
      if (signal?.aborted) throw signal.reason;
      throw stop ?? storageError(reason, this.name);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #begin<Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
    durability: IDBTransactionDurability,
  ): Promise<Transaction<Mode>> {
    const database = await this.#connect();
    try {
      return database.transaction(stores, mode, { durability });
    } catch (cause) {
      if (!isClosedConnection(cause)) throw storageError(cause, this.name);
    }
    // The browser closed the connection and has not said so yet. Nothing was begun, so a second try is safe.
    this.#database = undefined;
    const reopened = await this.#connect();
    try {
      return reopened.transaction(stores, mode, { durability });
    } catch (cause) {
      throw storageError(cause, this.name);
    }
  }

  #connect(): Promise<IDBPDatabase<Schema>> {
    if (this.#closed) {
      return Promise.reject(
        new MnemoraError('storage-closed', `The database "${this.name}" was closed. Open it again.`),
      );
    }
    this.#database ??= this.#openDatabase().catch((error: unknown) => {
      this.#database = undefined; // so that the next call tries again
      throw error;
    });
    return this.#database;
  }

  async #openDatabase(): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') {
      throw new MnemoraError(
        'storage-unavailable',
        `There is no IndexedDB here. Call this in a browser, or pass history: 'memory'.`,
      );
    }
    const database = await this.#beforeTimeout((onBlocked) =>
      openDB<Schema>(this.name, DATABASE_VERSION, {
        upgrade(upgrading, oldVersion, _newVersion, transaction) {
          for (const migrate of MIGRATIONS.slice(oldVersion))
            migrate(upgrading, transaction as UpgradeTransaction);
        },
        blocked: onBlocked,
        blocking: (_current, _blocked, event) => {
          // Another tab upgrades or deletes the database: standing in its way would freeze it.
          this.#database = undefined;
          (event.target as IDBDatabase).close();
        },
        terminated: () => {
          this.#database = undefined;
          this.#onWarning?.({
            code: 'connection-lost',
            message: `The browser closed the database "${this.name}"; the next call opens it again.`,
          });
        },
      }),
    );
    if (this.#closed) {
      database.close();
      throw new MnemoraError(
        'storage-closed',
        `The database "${this.name}" was closed while it was being opened.`,
      );
    }
    return database;
  }

  /** Runs an open or delete request; once it is blocked by another tab, waits only so long. */
  async #beforeTimeout<T>(request: (onBlocked: () => void) => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let answer: Promise<T> | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        answer = request(() => {
          timer ??= setTimeout(() => reject(this.#blocked()), this.#blockedTimeoutMs);
        });
        answer.then(resolve, reject);
      });
    } catch (cause) {
      // A connection that opens after we gave up must not stand in other tabs' way.
      answer?.then(closeIfOpen, () => undefined);
      throw storageError(cause, this.name);
    } finally {
      clearTimeout(timer);
    }
  }

  #blocked(): MnemoraError {
    return new MnemoraError(
      'storage-blocked',
      `Another tab of this site holds the database "${this.name}" and does not let go. Close or reload the other tabs, then try again; nothing was changed.`,
    );
  }
}

function isFullDisk(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

function closeIfOpen(value: unknown): void {
  if (value && typeof value === 'object' && 'close' in value) (value as IDBPDatabase).close();
}
