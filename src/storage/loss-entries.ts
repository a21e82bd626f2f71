/** Removes everything that is remembered about a database. */
export function forgetMark(name: string): void {
  removeEntry(markKey(name));
  removeEntry(lossKey(name));
}

/** Returns the key in `localStorage` of the state that a database had reached. */
export function markKey(name: string): string {
  return `mnemora:mark:${name}`;
}

/** Returns the key in `localStorage` of a loss that is not acknowledged. */
export function lossKey(name: string): string {
  return `mnemora:loss:${name}`;
}

/** Removes an entry of `localStorage`, where there is one. */
export function removeEntry(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not written either.
  }
}
