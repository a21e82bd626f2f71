/**
 * Shows all tabs that something is in use here, until the signal aborts or the tab is gone: {@link namesInUse} lists
 * it. Resolves when other tabs can see it. Does nothing without Web Locks.
 */
export async function holdInUse(name: string, signal: AbortSignal): Promise<void> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (!locks || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const hold = (): Promise<void> => {
      resolve();
      return new Promise((release) => {
        if (signal.aborted) release();
        else signal.addEventListener('abort', () => release(), { once: true });
      });
    };
    // Shared locks do not wait for each other. A sandboxed frame may be refused locks, and has no other tabs.
    locks.request(name, { mode: 'shared' }, hold).catch(() => resolve());
  });
}

/** Returns the names with this prefix that any tab holds in use, without duplicates and without the prefix. */
export async function namesInUse(prefix: string): Promise<string[]> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
  const names = new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name] : [])));
  return Array.from(names, (name) => name.slice(prefix.length));
}
