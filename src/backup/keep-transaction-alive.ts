import type { Transaction } from '../storage/storage-engine.ts';

/**
 * Waits for something else than the database within a transaction, over `meta` among others. A transaction ends as
 * soon as nothing is asked of it, so it is asked for a key that nobody has until the other thing is there.
 */
export async function keepTransactionAlive<T>(transaction: Transaction, promise: Promise<T>): Promise<T> {
  if (transaction.staysOpen) return promise; // its answers come at once: asking would let nothing else happen
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  const meta = transaction.objectStore('meta');
  do await meta.getKey('');
  while (!state.isSettled);
  return promise;
}
