import { hashAt, type PackedStrings } from './packed-columns.ts';
import { hashOf, HASHES } from './term-hash.ts';

/**
 * Finds those of many segments that may have a term, by the hash of the term. Without it, each word of a question is looked
 * up in every segment of an index, of which a memory of years has hundreds.
 */
export class TermDirectory<S> {
  readonly #segments: readonly S[];
  /** By hash, the positions of the segments of its terms, ascending; those of the next hash follow. */
  readonly #positions: Uint32Array;
  /** Where the positions of each hash begin. */
  readonly #starts = new Uint32Array(HASHES + 1);

  constructor(segments: readonly S[], termsOf: (segment: S) => PackedStrings) {
    this.#segments = segments;
    const starts = this.#starts;
    const hashes = segments.map((segment) => {
      const terms = termsOf(segment);
      return Uint16Array.from(terms.ends, (_, position) => {
        const hash = hashAt(terms, position);
        starts[hash] = (starts[hash] ?? 0) + 1;
        return hash;
      });
    });
    let total = 0;
    for (let hash = 0; hash <= HASHES; hash++) starts[hash] = total += starts[hash] ?? 0;
    this.#positions = new Uint32Array(total);
    // From the last segment to the first, each hash from its end to its start.
    for (let at = segments.length; at-- > 0;)
      for (const hash of hashes[at] ?? []) this.#positions[(starts[hash] = (starts[hash] ?? 0) - 1)] = at;
  }

  /** Returns the segments that may have a term, in their order. */
  mayHave(term: string): S[] {
    const hash = hashOf(term);
    const positions = new Set(this.#positions.subarray(this.#starts[hash], this.#starts[hash + 1]));
    return [...positions].flatMap((at) => this.#segments[at] ?? []);
  }
}
