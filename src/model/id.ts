/**
 * A new random id: 128 bits, in hexadecimal.
 *
 * `crypto.randomUUID` exists on secure origins only; a chat page tried out over plain HTTP in a local network
 * has none, so the bits are drawn directly.
 */
export function newId(): string {
  return randomHex(16);
}

/** `byteCount` random bytes in hexadecimal. */
export function randomHex(byteCount: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(byteCount));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
