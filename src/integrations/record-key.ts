/** Returns the key prefix that is unique to a chat or thread. */
export function prefixOf(chatId: string): string {
  return `${encodeURIComponent(chatId.toWellFormed())} `;
}

/** Returns the id at the start of a key, and the rest of the key. */
export function splitKey(key: string): readonly [chatId: string, rest: string] {
  const end = key.indexOf(' ');
  return [decodeURIComponent(key.slice(0, end)), key.slice(end + 1)];
}
