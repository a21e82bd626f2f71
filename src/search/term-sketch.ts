import { inverseDocumentFrequency } from './bm25.ts';

/** Terms of a message that are kept, the first ones: its words tell by then how rare they are. */
const MOST_TERMS = 24;
const BUCKETS = 2 ** 16;

/** Hashes of the distinct terms of a message. */
export function hashTerms(terms: readonly string[]): Uint16Array {
  return Uint16Array.from(new Set(terms.slice(0, MOST_TERMS).map(hashOf)));
}

/**
 * How rare the words of messages are, without the words: in how many messages each hash occurs (a count-min sketch of
 * one row, G. Cormode and S. Muthukrishnan, 2005). Terms with the same hash count as one, so that it says too little of
 * a rare term at times and never too much. It depends on the messages that are there, and not on their order.
 */
export class TermSketch {
  readonly #counts = new Uint32Array(BUCKETS);

  add(hashes: Uint16Array, by: 1 | -1 = 1): void {
    for (const hash of hashes) this.#counts[hash] = (this.#counts[hash] ?? 0) + by;
  }

  /**
   * The mean inverse document frequency of a message's terms, of `messages` in all, divided by that of a term which
   * no message has: from 0 to 1, and 0 without a term.
   */
  meanRarity(hashes: Uint16Array, messages: number): number {
    if (hashes.length === 0) return 0;
    let sum = 0;
    for (const hash of hashes)
      sum += inverseDocumentFrequency(messages, Math.min(messages, this.#counts[hash] ?? 0));
    return sum / hashes.length / inverseDocumentFrequency(messages, 0);
  }
}

/** FNV-1a, folded to 16 bits. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}
