import type { Transaction } from '../storage-engine.ts';

/**
 * Waits for a promise within a transaction over `tombstones` among others. A transaction ends as soon as it has no
 * pending request, so a key that does not exist is requested again and again until the promise settles.
 */
export async function keepTransactionAlive<T>(transaction: Transaction, promise: Promise<T>): Promise<T> {
  if (transaction.staysOpen) return promise; // its requests complete at once, so that the loop below would never yield
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  const store = transaction.objectStore('tombstones');
  do await store.getKey('');
  while (!state.isSettled);
  return promise;
}
