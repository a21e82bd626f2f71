/** Strings as bytes: a JSON list in UTF-8, which any string survives and which is read faster than many small ones. */
export function packStrings(strings: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(strings));
}

/** What {@link packStrings} packed; undefined where the bytes are no such list. */
export function unpackStrings(bytes: unknown): string[] | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : undefined;
  } catch {
    return undefined; // cut or overwritten: the caller says what that means
  }
}
