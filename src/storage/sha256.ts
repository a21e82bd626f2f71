import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * SHA-256 of a text, in hexadecimal. Synchronous, because a transaction ends while one waits for WebCrypto, and because
 * that exists on secure origins only.
 */
export function sha256(text: string): string {
  return bytesToHex(nobleSha256(utf8ToBytes(text)));
}

/** HMAC-SHA-256 of a text under a key, both as UTF-8, in hexadecimal. */
export function hmacSha256(key: string, text: string): string {
  return bytesToHex(hmac(nobleSha256, utf8ToBytes(key), utf8ToBytes(text)));
}

/** SHA-256 of a text that comes in pieces. */
export function sha256Stream(): { update(text: string): void; digest(): string } {
  const hash = nobleSha256.create();
  return {
    update: (text) => void hash.update(utf8ToBytes(text)),
    digest: () => bytesToHex(hash.digest()),
  };
}
