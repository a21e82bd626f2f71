import { newId } from './id.ts';

/**
 * Takes a lock in a worker that its page waits for: see {@link onWorkerEnd}. A worker that closes itself or is killed for
 * its memory use sends no event, but the browser releases its locks. Returns undefined where there are no locks or they are
 * refused.
 */
export async function holdLifeLock(): Promise<string | undefined> {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return undefined;
  const name = `mnemora-worker-${newId()}`;
  return new Promise((resolve) => {
    locks
      .request(name, () => {
        resolve(name);
        return new Promise<never>(() => undefined);
      })
      .catch(() => resolve(undefined));
  });
}

/**
 * Calls a function when a worker has ended, for whatever reason: the browser then grants its lock. Does nothing without a
 * lock, and after the signal has aborted.
 */
export function onWorkerEnd(lifeLock: string | undefined, signal: AbortSignal, ended: () => void): void {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (lifeLock === undefined || !locks) return;
  locks.request(lifeLock, { signal }, ended).catch(() => undefined); // aborted: it ended in another way
}
