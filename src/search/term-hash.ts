/** Number of hashes. */
export const HASHES: number = 2 ** 16;

/** Returns the FNV-1a hash of a term, folded to 16 bits. */
export function hashOf(term: string): number {
  return hashUnits(term.length, (at) => term.charCodeAt(at));
}

/** As {@link hashOf}, for a term given by its UTF-16 units. */
export function hashUnits(length: number, unitAt: (at: number) => number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ unitAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (HASHES - 1);
}
