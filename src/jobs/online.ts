/** Returns whether the browser knows that it has no network. Outside of browsers a navigator may not know. */
export function isOffline(): boolean {
  const { navigator } = globalThis;
  return navigator !== undefined && 'onLine' in navigator && !navigator.onLine;
}
