import type { MnemoraError } from '../../model/error.ts';
import { DATABASE_VERSION, MIGRATIONS } from '../migrations.ts';
import { errorName, openError } from '../storage-error.ts';
import { currentFactory, renewFrame } from './healing-frame.ts';

/** An upgrade that has begun may take longer than a request that waits, because it may build an index. */
const UPGRADE_FACTOR = 15;

/** Limits of a request that opens or deletes a database. */
interface WaitOptions {
  /** Milliseconds until the request must have been answered, or an upgrade have begun. */
  readonly timeoutMs: number;
  /** Returns the error for a request that is not answered in time. */
  readonly timedOut: () => MnemoraError;
}

/**
 * Opens a database, and creates or upgrades it if necessary.
 *
 * @throws MnemoraError `storage-unavailable`, `storage-newer`, `storage-full`, `storage-failed`, and what `timedOut`
 *   returns
 */
export async function openBrowserDatabase(name: string, wait: WaitOptions): Promise<IDBDatabase> {
  return ask(name, wait, (factory) => factory.open(name, DATABASE_VERSION));
}

/** Deletes a database. @throws MnemoraError as {@link openBrowserDatabase} */
export async function deleteBrowserDatabase(name: string, wait: WaitOptions): Promise<void> {
  await ask(name, wait, (factory) => factory.deleteDatabase(name));
}

async function ask(
  name: string,
  wait: WaitOptions,
  make: (factory: IDBFactory) => IDBOpenDBRequest,
): Promise<IDBDatabase> {
  try {
    const factory = currentFactory();
    try {
      return await answer(make(factory), wait);
    } catch (cause) {
      if (errorName(cause) !== 'UnknownError' || !globalThis.document) throw cause;
      // WebKit restarts a lost storage process, but only new documents connect to it.
      if (currentFactory() === factory) renewFrame();
      return await answer(make(currentFactory()), wait);
    }
  } catch (cause) {
    throw openError(cause, name);
  }
}

async function migrateFrom(
  version: number,
  database: IDBDatabase,
  transaction: IDBTransaction,
): Promise<void> {
  for (const migrate of MIGRATIONS.slice(version)) await migrate(database, transaction);
}

function answer(request: IDBOpenDBRequest, { timeoutMs, timedOut }: WaitOptions): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const giveUpAfter = (ms: number): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        isGivenUp = true;
        reject(timedOut());
      }, ms);
    // Counts from the start, because a request that is queued behind another tab's blocked one gets no `blocked` event.
    let timer = giveUpAfter(timeoutMs);
    let upgradeError: unknown;
    request.onupgradeneeded = ({ oldVersion }) => {
      clearTimeout(timer);
      timer = giveUpAfter(timeoutMs * UPGRADE_FACTOR);
      const { result, transaction } = request;
      if (!transaction) return;
      // The request only says that the upgrade was aborted; its transaction says why.
      transaction.onabort = () => (upgradeError ??= transaction.error);
      migrateFrom(oldVersion, result, transaction).catch((error: unknown) => {
        upgradeError = error;
        transaction.abort();
      });
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database: IDBDatabase | undefined = request.result;
      // A connection that opens after the timeout must not block other tabs.
      if (isGivenUp) database?.close();
      resolve(database);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(upgradeError ?? request.error);
    };
  });
}
