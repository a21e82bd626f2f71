import { inverseDocumentFrequency } from './bm25.ts';

/** Maximum number of terms of a message that are hashed. The first ones are enough to estimate their rarity. */
const MOST_TERMS = 24;
const BUCKETS = 2 ** 16;

/** Returns the hashes of the distinct terms of a message. */
export function hashTerms(terms: readonly string[]): Uint16Array {
  return Uint16Array.from(new Set(terms.slice(0, MOST_TERMS).map(hashOf)));
}

/**
 * Estimates the rarity of terms without storing them: it counts the messages of each hash (a count-min sketch of one
 * row, G. Cormode and S. Muthukrishnan, 2005). Terms with the same hash count as one, so rarity may be underestimated and
 * is never overestimated. The result does not depend on the order of the messages.
 */
export class TermSketch {
  readonly #counts = new Uint32Array(BUCKETS);

  add(hashes: Uint16Array, by: 1 | -1 = 1): void {
    for (const hash of hashes) this.#counts[hash] = (this.#counts[hash] ?? 0) + by;
  }

  /**
   * Returns the mean inverse document frequency of a message's terms among `messages` messages, divided by that of a term
   * that no message has: from 0 to 1, and 0 without terms.
   */
  meanRarity(hashes: Uint16Array, messages: number): number {
    if (hashes.length === 0) return 0;
    let sum = 0;
    for (const hash of hashes)
      sum += inverseDocumentFrequency(messages, Math.min(messages, this.#counts[hash] ?? 0));
    return sum / hashes.length / inverseDocumentFrequency(messages, 0);
  }
}

/** Returns the FNV-1a hash of a term, folded to 16 bits. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}
