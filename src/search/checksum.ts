/** A column of a segment. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Returns a checksum that detects damaged columns: FNV-1a over words of 32 bits (G. Fowler, L. Noll, K.-P. Vo). It does
 * not protect against deliberate changes.
 */
export function checksumOf(columns: readonly Column[]): number {
  let hash = 0x811c9dc5;
  for (const column of columns) {
    hash = mix(mix(hash, Uint32Array.of(column.length)), wordsOf(column));
  }
  return hash;
}

function mix(start: number, words: Uint32Array): number {
  let hash = start;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193);
  return hash;
}

/** Returns the bytes of a column as whole words, padded with zeros. */
function wordsOf({ buffer, byteOffset, byteLength }: Column): Uint32Array {
  if (byteOffset % 4 === 0 && byteLength % 4 === 0)
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  const padded = new Uint8Array(Math.ceil(byteLength / 4) * 4);
  padded.set(new Uint8Array(buffer, byteOffset, byteLength));
  return new Uint32Array(padded.buffer);
}
