import { deferred, LONGEST_TIMER_MS } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import type { WarningListener } from '../model/warning.ts';
import { PageLife } from '../tabs/page-life.ts';
import { Presence } from '../tabs/presence.ts';
import { WriteProgress } from '../tabs/write-progress.ts';
import { deleteBrowserDatabase, openBrowserDatabase } from './indexeddb/open-browser-database.ts';
import { BrowserTransaction } from './indexeddb/browser-transaction.ts';
import type { StoreName } from './schema.ts';
import type { StorageEngine, WriteTransaction } from './storage-engine.ts';
import { errorName, isDomException, outcomeOfCommit, storageError, type Outcome } from './storage-error.ts';

export interface ConnectionOptions {
  name: string;
  /**
   * Milliseconds that a call waits for another tab, for a transaction frozen in one, and for each answer of the
   * browser. A long write that goes on is waited for until it ends.
   *
   * @default 20000
   */
  blockedTimeoutMs?: number;
  onWarning?: WarningListener;
  /** Called each time that the database was opened. */
  onOpened?: () => void;
  /** Called when the browser has closed it, as when the data of the site are cleared. */
  onClosed?: () => void;
}

/** Why a transaction was rolled back, in place of an error: it can be run again. */
const PUT_ASIDE = new Error('The page was suspended.');

/**
 * The only owner of IndexedDB transactions. Opens on first use, opens again after the browser has closed the
 * connection, and closes by itself when another tab wants to upgrade or delete the database.
 */
export class Connection implements StorageEngine {
  readonly name: string;
  readonly #options: ConnectionOptions;
  readonly #blockedTimeoutMs: number;
  #database: Promise<IDBDatabase> | undefined;
  readonly #closing = new AbortController();
  /** Shows other tabs that this one has the database open. */
  readonly presence: Presence;
  readonly #page: PageLife;
  readonly #writing: WriteProgress;

  constructor(options: ConnectionOptions) {
    this.name = options.name;
    this.presence = new Presence(options.name, this.#closing.signal);
    this.#page = new PageLife(this.#closing.signal);
    this.#writing = new WriteProgress(options.name, this.#closing.signal);
    this.#blockedTimeoutMs = Math.min(options.blockedTimeoutMs ?? 20_000, LONGEST_TIMER_MS);
    this.#options = options;
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
    this.#run(stores, 'readonly', body, signal);

  readonly write: StorageEngine['write'] = (stores, body, signal) =>
    this.#run(stores, 'readwrite', body, signal);

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
    await deleteBrowserDatabase(this.name, this.#wait('it will be deleted as soon as they are closed'));
  }

  /**
   * Runs a transaction. One that was rolled back because the page was frozen or put into the back/forward cache is run
   * again from its beginning when the page runs on.
   */
  async #run<T>(
    stores: readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    body: (transaction: WriteTransaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    for (;;) {
      try {
        return await this.#runOnce(stores, mode, body, signal);
      } catch (error) {
        if (error !== PUT_ASIDE) throw error;
      }
      await this.#page.running();
    }
  }

  /**
   * Runs a transaction, which settles whatever happens: if the browser does not answer for `blockedTimeoutMs`, or if
   * the page is put into the back/forward cache, where the transaction would block other tabs.
   */
  async #runOnce<T>(
    stores: readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    body: (transaction: WriteTransaction) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const transaction = await this.#begin(stores, mode);
    const given = deferred<never>();
    let stopped: { readonly reason: unknown } | undefined;
    // The abort event is not awaited where nothing can have been saved: in WebKit it may never come.
    const stop = (reason: unknown, inDoubt = reason): void => {
      const isUndone = transaction.abort();
      stopped ??= { reason: isUndone ? reason : inDoubt };
      if (isUndone) given.reject(reason);
    };
    const onAbort = (): void => stop(signal?.reason);
    const unfollow = this.#page.onSuspend(() =>
      stop(PUT_ASIDE, this.#failed('The page was suspended', 'it is not known whether it was saved')),
    );
    const unwatch = transaction.onSilence(
      this.#blockedTimeoutMs,
      () => {
        const { hasBegun } = transaction;
        const isUndone = transaction.abort();
        const outcome = isUndone ? 'nothing was saved' : 'it is not known whether it was saved';
        stopped ??= {
          reason: hasBegun ? this.#failed('The browser stopped responding', outcome) : this.#blocked(outcome),
        };
        given.reject(stopped.reason);
      },
      this.#patience(transaction, mode),
    );
    signal?.addEventListener('abort', onAbort);
    let isAnswered = false;
    const complete = async (): Promise<T> => {
      const result = await body(transaction.stores);
      isAnswered = true;
      await transaction.ended;
      return result;
    };
    try {
      // The abort may have come while the database was being opened. Firefox and WebKit report the end of a transaction
      // that waits for another only after that one, so it is not awaited.
      if (signal?.aborted) onAbort();
      signal?.throwIfAborted();
      return await Promise.race([complete(), given.promise]);
    } catch (cause) {
      transaction.abort();
      // The transaction's own error says more than that of a request that was rolled back with it.
      const ended = transaction.ended.then(
        () => undefined,
        (error: unknown) => error,
      );
      const reason = (await Promise.race([ended, given.promise.catch(() => undefined)])) ?? cause;
      if (errorName(reason) === 'QuotaExceededError') transaction.spendCleanup();
      if (stopped) throw stopped.reason;
      const isCommit = isAnswered && mode === 'readwrite';
      if (isAnswered || isDomException(cause))
        throw storageError(reason, this.name, isCommit ? outcomeOfCommit(reason) : undefined);
      throw cause; // thrown by the caller's own code in `body`
    } finally {
      unwatch();
      unfollow();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** What waits for a long write, such as an import, waits as long as that goes on. */
  #patience(
    transaction: BrowserTransaction,
    mode: 'readonly' | 'readwrite',
  ): (isAnswered: boolean) => boolean {
    let heard = 0;
    return (isAnswered) => {
      if (isAnswered && mode === 'readwrite') this.#writing.tell();
      if (transaction.hasBegun) return false;
      const before = heard;
      heard = this.#writing.heard;
      return heard !== before;
    };
  }

  async #begin(stores: readonly StoreName[], mode: 'readonly' | 'readwrite'): Promise<BrowserTransaction> {
    const connecting = this.#connect();
    const beginIn = async (opening: Promise<IDBDatabase>): Promise<BrowserTransaction> => {
      const database = await opening;
      if (this.#page.isLeaving) await this.#page.running();
      return new BrowserTransaction(database.transaction(stores, mode, { durability: 'strict' }));
    };
    try {
      return await beginIn(connecting).catch((cause: unknown) => {
        if (errorName(cause) !== 'InvalidStateError') throw cause;
        // The browser closed the connection without an event so far. Nothing was begun, so a second try is safe.
        this.#forget(connecting);
        return beginIn(this.#connect());
      });
    } catch (cause) {
      throw errorName(cause) === 'InvalidStateError'
        ? this.#closedError(cause)
        : storageError(cause, this.name);
    }
  }

  #connect(): Promise<IDBDatabase> {
    if (this.closed.aborted) return Promise.reject(this.#closedError());
    if (this.#database) return this.#database;
    const connecting = this.#openDatabase(() => this.#forget(connecting));
    connecting.catch(() => this.#forget(connecting));
    this.#database = connecting;
    return connecting;
  }

  /** Makes the next call open the database again, unless another call has already done so. */
  #forget(connecting: Promise<IDBDatabase>): void {
    if (this.#database === connecting) this.#database = undefined;
  }

  async #openDatabase(onLost: () => void): Promise<IDBDatabase> {
    await this.#page.running();
    const database = await openBrowserDatabase(this.name, this.#wait('nothing was changed'));
    // Another tab upgrades or deletes the database, and would be blocked by this connection.
    database.onversionchange = () => {
      onLost();
      database.close();
    };
    database.onclose = () => {
      onLost();
      this.#options.onClosed?.();
      this.#options.onWarning?.({
        code: 'connection-lost',
        message: `The browser closed the database "${this.name}". The next call opens it again. If it rejects with storage-unavailable, reload the page.`,
      });
    };
    if (this.closed.aborted) {
      database.close();
      throw this.#closedError();
    }
    this.#options.onOpened?.();
    return database;
  }

  #wait(outcome: string): Parameters<typeof openBrowserDatabase>[1] {
    return { timeoutMs: this.#blockedTimeoutMs, timedOut: () => this.#blocked(outcome) };
  }

  #closedError(cause?: unknown): MnemoraError {
    const message = `The database "${this.name}" is closed. Open it again.`;
    return new MnemoraError('storage-closed', message, cause === undefined ? {} : { cause });
  }

  #failed(what: string, outcome: Outcome = 'nothing was saved'): MnemoraError {
    return new MnemoraError(
      'storage-failed',
      `${what} while the database "${this.name}" was in use; ${outcome}. Try again; reload the page if that fails too.`,
    );
  }

  #blocked(outcome: string): MnemoraError {
    return new MnemoraError(
      'storage-blocked',
      `Another tab of this site is blocking the database "${this.name}", or the browser's storage does not answer. Close or reload the other tabs, then try again; ${outcome}.`,
    );
  }
}
