/**
 * Loads modules that will be needed later, so that they are available if the page goes offline. A module that fails to
 * load now is loaded again when it is needed.
 */
export function loadAhead(parts: readonly (() => Promise<unknown>)[]): void {
  for (const load of parts) load().catch(() => undefined);
}

/**
 * Returns a function that calls `make` once and shares its result with all callers. After a failure the next caller
 * tries again.
 */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
