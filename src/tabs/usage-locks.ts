/**
 * Tells all tabs that something is used here, until the signal aborts or the tab is gone: {@link namesInUse} lists it.
 * Resolves when they can know. Where there are no Web Locks, they never do.
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
    // Shared: nobody waits for anybody. A sandboxed frame may be refused, and has no other tabs.
    locks.request(name, { mode: 'shared' }, hold).catch(() => resolve());
  });
}

/** What any tab holds in use whose name begins so, each once and without this beginning. */
export async function namesInUse(prefix: string): Promise<string[]> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
  const names = new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name] : [])));
  return Array.from(names, (name) => name.slice(prefix.length));
}
