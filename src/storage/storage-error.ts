import { MnemoraError } from '../model/error.ts';

/**
 * Returns the typed error for a failure of IndexedDB.
 *
 * Chromium reports a full disk as `QuotaExceededError` when the transaction aborts; Firefox then refuses further
 * transactions with `InvalidStateError`; WebKit aborts without any error.
 */
export function storageError(cause: unknown, databaseName: string): MnemoraError {
  if (cause instanceof MnemoraError) return cause;
  switch (errorName(cause)) {
    case 'QuotaExceededError':
      return new MnemoraError(
        'storage-full',
        `Nothing was saved: this site's storage is full. Forget old sessions, or free disk space.`,
        { cause },
      );
    case 'VersionError':
      return new MnemoraError(
        'storage-newer',
        `The database "${databaseName}" was written by a newer version of this library. Reload the page to get that version; nothing was changed.`,
        { cause },
      );
    case 'InvalidStateError':
      return new MnemoraError(
        'storage-closed',
        `The connection to the database "${databaseName}" is closed. Open it again.`,
        { cause },
      );
    case 'DataCloneError':
    case 'DataError':
      return new MnemoraError(
        'invalid-input',
        `The database "${databaseName}" cannot store the value: keys must be strings, and values must be plain data without functions. Nothing was saved. ${describe(cause)}`,
        { cause },
      );
    default:
      return new MnemoraError(
        'storage-failed',
        `The browser could not complete the transaction on the database "${databaseName}"; nothing of it was saved. ${describe(cause)}`,
        { cause },
      );
  }
}

/**
 * Returns whether a call failed because the connection was gone before its transaction began. Trying again is then
 * safe.
 */
export function isClosedConnection(cause: unknown): boolean {
  return errorName(cause) === 'InvalidStateError';
}

function errorName(cause: unknown): string | undefined {
  return cause instanceof Error || cause instanceof DOMException ? cause.name : undefined;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : '';
}
