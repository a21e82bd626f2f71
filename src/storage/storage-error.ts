import { MnemoraError, type MnemoraErrorCode } from '../model/error.ts';

/**
 * Outcome of a failed transaction: nothing was saved, or this is unknown because the browser did not report how it
 * ended.
 */
export type Outcome = 'nothing was saved' | 'it is not known whether it was saved';

/** Errors by which the browser itself has rolled a transaction back. After others its storage may have been lost. */
const DECIDED: readonly unknown[] = ['QuotaExceededError', 'ConstraintError', 'DataError', 'DataCloneError'];

/**
 * Returns the typed error for a failed transaction of IndexedDB.
 *
 * Chromium and Firefox report a full disk as `QuotaExceededError` when the transaction aborts; WebKit aborts without
 * any error.
 */
export function storageError(
  cause: unknown,
  databaseName: string,
  outcome: Outcome = 'nothing was saved',
): MnemoraError {
  if (cause instanceof MnemoraError) return cause;
  const error = errorOf(cause);
  switch (errorName(cause)) {
    case 'QuotaExceededError':
      return error(
        'storage-full',
        `Nothing was saved: this site's storage is full. Forget old sessions, or free disk space.`,
      );
    case 'DataCloneError':
    case 'DataError':
      return error(
        'invalid-input',
        `The database "${databaseName}" cannot store the value: keys must be strings, and values plain data. Nothing was saved. ${saidBy(cause)}`,
      );
    default:
      return error(
        'storage-failed',
        `The browser could not complete a transaction of the database "${databaseName}"; ${outcome}. Try again. ${saidBy(cause)}`,
      );
  }
}

/** Returns what is known of a write whose requests were all answered, and whose commit failed with this error. */
export function outcomeOfCommit(cause: unknown): Outcome {
  return DECIDED.includes(errorName(cause)) ? 'nothing was saved' : 'it is not known whether it was saved';
}

/** Returns the typed error for a database that cannot be opened or deleted. */
export function openError(cause: unknown, databaseName: string): MnemoraError {
  const error = errorOf(cause);
  switch (errorName(cause)) {
    case 'VersionError':
      return error(
        'storage-newer',
        `The database "${databaseName}" was written by a newer version of this library. Reload the page to load that version. Nothing was changed.`,
      );
    // A page that may not use IndexedDB (its getter may throw already), a private window, a lost storage process.
    case 'SecurityError':
    case 'InvalidStateError':
    case 'UnknownError':
    case 'TypeError':
      return error(
        'storage-unavailable',
        `This page cannot use IndexedDB. Reload the page outside of private windows and sandboxed frames, allow storage for this site, or pass storage: 'memory'. ${saidBy(cause)}`,
      );
    default:
      return storageError(cause, databaseName);
  }
}

/**
 * Returns whether a value is an error of the browser. It may come from another frame, whose classes differ from the
 * page's.
 */
export function isDomException(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object DOMException]';
}

export function errorName(cause: unknown): string | undefined {
  return cause instanceof Error || isDomException(cause) ? (cause as Error).name : undefined;
}

function errorOf(cause: unknown): (code: MnemoraErrorCode, message: string) => MnemoraError {
  return (code, message) => new MnemoraError(code, message.trimEnd(), { cause });
}

function saidBy(cause: unknown): string {
  return errorName(cause) === undefined ? '' : String(cause);
}
