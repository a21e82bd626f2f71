/** Returns what begins the keys of a thread's records, and of no other thread's. */
export function prefixOf(threadId: string): string {
  return `${encodeURIComponent(threadId.toWellFormed())} `;
}

/** Returns the thread id that a key begins with, and the rest of the key. */
export function splitKey(key: string): readonly [threadId: string, rest: string] {
  const end = key.indexOf(' ');
  return [decodeURIComponent(key.slice(0, end)), key.slice(end + 1)];
}
