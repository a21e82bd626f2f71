import { deleteDB, openDB, unwrap, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import { Presence } from '../tabs/presence.ts';
import { DATABASE_VERSION, MIGRATIONS } from './migrations.ts';
import type { Schema, StoreName } from './schema.ts';
import type { StorageEngine, WriteTransaction } from './storage-engine.ts';
import { isClosedConnection, storageError } from './storage-error.ts';

type IdbTransaction = IDBPTransaction<Schema, StoreName[], 'readonly' | 'readwrite'>;

export interface ConnectionOptions {
  name: string;
  /** Milliseconds that another tab, or a transaction frozen in one, may block a call. @default 20000 */
  blockedTimeoutMs?: number;
  onWarning?: WarningListener;
}

/**
 * The only owner of IndexedDB transactions. Opens on first use, opens again after the browser has closed the
 * connection, and closes by itself when another tab wants to upgrade or delete the database.
 */
export class Connection implements StorageEngine {
  readonly name: string;
  readonly #blockedTimeoutMs: number;
  readonly #onWarning: WarningListener | undefined;
  #database: Promise<IDBPDatabase<Schema>> | undefined;
  readonly #closing = new AbortController();
  /** Shows other tabs that this one has the database open. */
  readonly presence: Presence;

  constructor(options: ConnectionOptions) {
    this.name = options.name;
    this.presence = new Presence(options.name, this.#closing.signal);
    this.#blockedTimeoutMs = options.blockedTimeoutMs ?? 20_000;
    this.#onWarning = options.onWarning;
  }

  /** Aborts when this connection is closed for good. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Opens the database now rather than on first use.
   *
   * @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-blocked`
   */
  async open(): Promise<void> {
    await this.#connect();
  }

  readonly read: StorageEngine['read'] = (stores, body, signal) =>
    this.#run(stores, 'readonly', 'default', body, signal);

  readonly write: StorageEngine['write'] = (stores, durability, body, signal) =>
    this.#run(stores, 'readwrite', durability, body, signal);

  close(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#closing.abort(new DOMException(`The database "${this.name}" was closed.`, 'AbortError'));
    void database?.then(
      (open) => open.close(),
      () => undefined, // it never opened, and the caller has received the error
    );
  }

  /** Closes and deletes the database. Connections of other tabs close by themselves. */
  async delete(): Promise<void> {
    this.close();
    await this.#beforeTimeout('it will be deleted as soon as they are closed', () => deleteDB(this.name));
  }

  async #run<T>(
    stores: StoreName[],
    mode: 'readonly' | 'readwrite',
    durability: IDBTransactionDurability,
    body: (transaction: WriteTransaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const transaction = await this.#begin(stores, mode, durability);
    transaction.done.catch(() => undefined); // it may fail while `body` is running, and is awaited afterwards
    let stop: MnemoraError | undefined;
    const abort = (): void => {
      try {
        transaction.abort();
      } catch {
        // already finished: the abort came too late to undo anything
      }
    };
    const timer = setTimeout(() => {
      stop = this.#blocked('nothing was changed');
      abort();
    }, this.#blockedTimeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      signal?.throwIfAborted(); // the abort may have come while the database was being opened
      // From the first result on nothing blocks the transaction, however long it takes.
      const [first] = stores;
      if (first) unwrap(transaction).objectStore(first).getKey('').onsuccess = () => clearTimeout(timer);
      const result = await body(transaction as WriteTransaction);
      await transaction.done;
      return result;
    } catch (cause) {
      abort();
      // The transaction's own error says more than that of the request that it aborted.
      const reason: unknown = await transaction.done.then(
        () => cause,
        (error: unknown) => (isFullDisk(error) ? error : cause),
      );
      if (signal?.aborted) throw signal.reason;
      if (stop) throw stop;
      // Errors of the caller's own code in `body` pass through unchanged.
      throw reason instanceof DOMException ? storageError(reason, this.name) : reason;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #begin(
    stores: StoreName[],
    mode: 'readonly' | 'readwrite',
    durability: IDBTransactionDurability,
  ): Promise<IdbTransaction> {
    const connecting = this.#connect();
    const beginIn = async (database: Promise<IDBPDatabase<Schema>>): Promise<IdbTransaction> =>
      (await database).transaction(stores, mode, { durability });
    try {
      return await beginIn(connecting).catch((cause: unknown) => {
        if (!isClosedConnection(cause)) throw cause;
        // The browser closed the connection without an event so far. Nothing was begun, so a second try is safe.
        this.#forget(connecting);
        return beginIn(this.#connect());
      });
    } catch (cause) {
      throw storageError(cause, this.name);
    }
  }

  #connect(): Promise<IDBPDatabase<Schema>> {
    if (this.closed.aborted) {
      return Promise.reject(
        new MnemoraError('storage-closed', `The database "${this.name}" was closed. Open it again.`),
      );
    }
    if (this.#database) return this.#database;
    const connecting = this.#openDatabase(() => this.#forget(connecting));
    connecting.catch(() => this.#forget(connecting));
    this.#database = connecting;
    return connecting;
  }

  /** Makes the next call open the database again, unless another call has already done so. */
  #forget(connecting: Promise<IDBPDatabase<Schema>>): void {
    if (this.#database === connecting) this.#database = undefined;
  }

  async #openDatabase(onLost: () => void): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') {
      throw new MnemoraError(
        'storage-unavailable',
        `IndexedDB is not available here. Call this in a browser, or pass history: 'memory'.`,
      );
    }
    let upgradeError: unknown;
    const database = await this.#beforeTimeout('nothing was changed', (onBegun) =>
      openDB<Schema>(this.name, DATABASE_VERSION, {
        upgrade(upgrading, oldVersion, _newVersion, transaction) {
          onBegun();
          // The open request only says that the upgrade was aborted; its transaction says why.
          transaction.done.catch((error: unknown) => (upgradeError = error));
          for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(unwrap(upgrading), unwrap(transaction));
        },
        blocking: (_current, _blocked, event) => {
          // Another tab upgrades or deletes the database, and would be blocked by this connection.
          onLost();
          (event.target as IDBDatabase).close();
        },
        terminated: () => {
          onLost();
          this.#onWarning?.({
            code: 'connection-lost',
            message: `The browser closed the database "${this.name}"; the next call opens it again.`,
          });
        },
      }).catch((error: unknown) => {
        throw upgradeError ?? error;
      }),
    );
    if (this.closed.aborted) {
      database.close();
      throw new MnemoraError(
        'storage-closed',
        `The database "${this.name}" was closed while it was being opened.`,
      );
    }
    return database;
  }

  /**
   * Runs an open or delete request and waits a limited time for it to begin. Time counts from the start, because a
   * request that is queued behind another tab's blocked one gets no `blocked` event.
   */
  async #beforeTimeout<T>(outcome: string, request: (onBegun: () => void) => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let answer: Promise<T> | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => reject(this.#blocked(outcome)), this.#blockedTimeoutMs);
        answer = request(() => clearTimeout(timer));
        answer.then(resolve, reject);
      });
    } catch (cause) {
      // A connection that opens after the timeout must not block other tabs.
      answer?.then(closeIfOpen, () => undefined);
      throw storageError(cause, this.name);
    } finally {
      clearTimeout(timer);
    }
  }

  #blocked(outcome: string): MnemoraError {
    return new MnemoraError(
      'storage-blocked',
      `Another tab of this site is blocking the database "${this.name}". Close or reload the other tabs, then try again; ${outcome}.`,
    );
  }
}

function isFullDisk(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

function closeIfOpen(value: unknown): void {
  if (value && typeof value === 'object' && 'close' in value) (value as IDBPDatabase).close();
}
