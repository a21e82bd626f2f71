/**
 * Loads parts that will be needed later, so that a page which is offline by then has them. One that cannot be loaded now
 * is tried again by whoever needs it.
 */
export function loadAhead(parts: readonly (() => Promise<unknown>)[]): void {
  for (const load of parts) load().catch(() => undefined);
}
