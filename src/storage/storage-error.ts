import { MnemoraError, type MnemoraErrorCode } from '../model/error.ts';

/**
 * Returns the typed error for a failure of IndexedDB.
 *
 * Chromium reports a full disk as `QuotaExceededError` when the transaction aborts; Firefox then refuses further
 * transactions with `InvalidStateError`; WebKit aborts without any error.
 */
export function storageError(cause: unknown, databaseName: string): MnemoraError {
  if (cause instanceof MnemoraError) return cause;
  const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : '';
  const error = (code: MnemoraErrorCode, message: string): MnemoraError =>
    new MnemoraError(code, message, { cause });
  switch (errorName(cause)) {
    case 'QuotaExceededError':
      return error(
        'storage-full',
        `Nothing was saved: this site's storage is full. Forget old sessions, or free disk space.`,
      );
    case 'VersionError':
      return error(
        'storage-newer',
        `The database "${databaseName}" was written by a newer version of this library. Reload the page to get that version; nothing was changed.`,
      );
    case 'InvalidStateError':
      return error(
        'storage-closed',
        `The connection to the database "${databaseName}" is closed. Open it again.`,
      );
    case 'DataCloneError':
    case 'DataError':
      return error(
        'invalid-input',
        `The database "${databaseName}" cannot store the value: keys must be strings, and values must be plain data without functions. Nothing was saved. ${said}`,
      );
    default:
      return error(
        'storage-failed',
        `The browser could not complete the transaction on the database "${databaseName}"; nothing of it was saved. ${said}`,
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
