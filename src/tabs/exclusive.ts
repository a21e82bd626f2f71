/**
 * Runs a task while no other tab runs one of the same name. The browser frees the lock when a tab crashes, so no
 * heartbeat is needed. Where there are no Web Locks (an insecure origin), the task just runs: callers must be
 * correct, if wasteful, when two run at once.
 */
export function runExclusive<T>(name: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks ? locks.request(name, { signal }, task) : task();
}
