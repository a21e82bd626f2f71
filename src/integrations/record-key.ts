/** Returns what begins the keys of the records of a chat or thread, and of no other one. */
export function prefixOf(chatId: string): string {
  return `${encodeURIComponent(chatId.toWellFormed())} `;
}

/** Returns the id that a key begins with, and the rest of the key. */
export function splitKey(key: string): readonly [chatId: string, rest: string] {
  const end = key.indexOf(' ');
  return [decodeURIComponent(key.slice(0, end)), key.slice(end + 1)];
}
