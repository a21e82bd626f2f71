/**
 * Loads modules that will be needed later, so that they are there if the page goes offline. A module that fails to
 * load now is loaded again when it is needed.
 */
export function loadAhead(parts: readonly (() => Promise<unknown>)[]): void {
  for (const load of parts) load().catch(() => undefined);
}
