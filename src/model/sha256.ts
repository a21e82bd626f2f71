import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the SHA-256 of a text, in hexadecimal. Synchronous, because a transaction would end while waiting for
 * WebCrypto, and because WebCrypto exists on secure origins only.
 */
export function sha256(text: string): string {
  return bytesToHex(nobleSha256(utf8ToBytes(text)));
}

/** Returns the HMAC-SHA-256 of a text with a key, both as UTF-8, in hexadecimal. */
export function hmacSha256(key: string, text: string): string {
  return bytesToHex(hmac(nobleSha256, utf8ToBytes(key), utf8ToBytes(text)));
}

/** Computes the SHA-256 of a text that arrives in pieces. */
export function sha256Stream(): { update(text: string): void; digest(): string } {
  const hash = nobleSha256.create();
  return {
    update: (text) => void hash.update(utf8ToBytes(text)),
    digest: () => bytesToHex(hash.digest()),
  };
}

/** Returns the SHA-256 of bytes, in hexadecimal. WebCrypto, which is faster, exists on secure origins only. */
export async function sha256OfBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  return bytesToHex(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : nobleSha256(bytes));
}
