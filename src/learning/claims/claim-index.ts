import { analyze } from '../../language/terms.ts';
import { InvertedIndex } from '../../search/inverted-index.ts';
import { toKeywordSegment, type KeywordSegment } from '../../search/keyword-segment.ts';
import type { ClaimRow } from '../../storage/schema.ts';
import type { ClaimLists } from './claim-lists.ts';

/** Number of a word's claims that are sampled to decide whether it is a name. */
const NAME_SAMPLES = 50;

/** Keyword index of the user's claims. Added rows are queued and indexed later: see `SentenceIndex`. */
export class ClaimIndex {
  readonly #rows: ReadonlyMap<string, ClaimRow>;
  readonly #words: InvertedIndex;
  readonly #lists: Pick<ClaimLists, 'in' | 'around'>;
  readonly #waiting = new Set<string>();

  /**
   * @param rows the current rows
   * @param packed terms of rows that are added before the first question
   */
  constructor(
    rows: ReadonlyMap<string, ClaimRow>,
    lists: Pick<ClaimLists, 'in' | 'around'>,
    packed: readonly KeywordSegment[],
  ) {
    this.#rows = rows;
    this.#lists = lists;
    this.#words = InvertedIndex.fromSegments(packed, {});
  }

  put(id: string): void {
    this.#waiting.add(id);
  }

  delete(id: string): void {
    this.#waiting.delete(id);
    if (this.#words.delete(id) !== undefined && this.#words.hasManyHoles) this.#words.closeHoles();
  }

  /** Indexes up to this number of queued rows. Returns whether there are more. */
  read(atMost: number): boolean {
    let left = atMost;
    for (const id of this.#waiting) {
      if (left-- <= 0) return true;
      this.#waiting.delete(id);
      this.#words.delete(id);
      const row = this.#rows.get(id);
      if (row) this.#words.add(id, analyze(row.text));
    }
    return false;
  }

  /** Returns the terms of these rows, whether or not they are indexed. */
  pack(claims: readonly ClaimRow[]): KeywordSegment {
    const words = new InvertedIndex({});
    for (const { id, text } of claims) words.add(id, analyze(text));
    return toKeywordSegment(words.documents());
  }

  /**
   * Returns those of some terms that claims have, each for itself, and last those that weigh most together among the claims
   * of one message and of the messages before and after it. Goes from the heaviest term to the lightest, and leaves out the
   * claims that cannot weigh more: each common word is in a part of all claims.
   */
  statedTerms(terms: Iterable<string>, weightOf: (term: string) => number): ReadonlySet<string>[] {
    this.read(Infinity);
    const stated = [...terms].filter((term) => this.#words.postings(term) !== undefined);
    const weightIn = (some: ReadonlySet<string>): number =>
      stated.reduce((sum, term) => (some.has(term) ? sum + weightOf(term) : sum), 0);
    const termsByMessage = new Map<string, readonly string[]>();
    const termsIn = (messageId: string): readonly string[] => {
      const known = termsByMessage.get(messageId) ?? this.#termsIn(messageId, stated);
      termsByMessage.set(messageId, known);
      return known;
    };
    const left = new Set(stated);
    const seen = new Set<string>();
    let best: ReadonlySet<string> = new Set();
    let weightOfBest = 0;
    for (const term of stated.toSorted((a, b) => weightOf(b) - weightOf(a))) {
      const most = weightIn(left);
      if (most <= weightOfBest) break;
      left.delete(term);
      for (const { messageId } of this.#claimsWith(term)) {
        if (most <= weightOfBest) break;
        for (const middle of this.#lists.around(messageId)) {
          if (seen.has(middle)) continue;
          seen.add(middle);
          const together = new Set(this.#lists.around(middle).flatMap(termsIn));
          const weight = weightIn(together);
          if (weight > weightOfBest) [best, weightOfBest] = [together, weight];
        }
      }
    }
    return [...stated.map((term) => new Set([term])), best];
  }

  /** Returns the terms that claims capitalize inside a sentence. */
  namesAmong(terms: Iterable<string>): ReadonlySet<string> {
    this.read(Infinity);
    const isName = (term: string): boolean => {
      let left = NAME_SAMPLES;
      for (const { text } of this.#claimsWith(term)) {
        if (innerNames(text).some((name) => analyze(name).includes(term))) return true;
        if (--left === 0) break;
      }
      return false;
    };
    return new Set([...terms].filter(isName));
  }

  /** Yields the claims that have all words of a text, those indexed last first. */
  *saying(text: string): Generator<ClaimRow, void> {
    this.read(Infinity);
    const terms = [...new Set(analyze(text))];
    // A text without content words is in no list.
    if (terms.length === 0) yield* [...this.#rows.values()].toReversed();
    const lists = terms.flatMap((term) => this.#words.postings(term) ?? []);
    if (lists.length < terms.length) return;
    const [fewest, ...others] = lists.toSorted((a, b) => a.count - b.count);
    const { pairs = new Uint32Array() } = fewest ?? {};
    for (let at = pairs.length - 2; at >= 0; at -= 2) {
      const ordinal = pairs[at] ?? 0;
      const isSaid = others.every((postings) => postings.frequencyOf(ordinal) > 0);
      const row = isSaid ? this.#rows.get(this.#words.idAt(ordinal) ?? '') : undefined;
      if (row) yield row;
    }
  }

  /** Returns those of some terms that the claims of a message have. */
  #termsIn(messageId: string, terms: readonly string[]): readonly string[] {
    const ordinals = this.#lists.in(messageId).flatMap(({ id }) => this.#words.ordinalOf(id) ?? []);
    return terms.filter((term) => {
      const postings = this.#words.postings(term);
      return ordinals.some((ordinal) => (postings?.frequencyOf(ordinal) ?? 0) > 0);
    });
  }

  /** Yields the claims that have a term, those indexed first first. */
  *#claimsWith(term: string): Generator<ClaimRow, void> {
    const { pairs } = this.#words.postings(term) ?? { pairs: [] };
    for (let at = 0; at < pairs.length; at += 2) {
      const row = this.#rows.get(this.#words.idAt(pairs[at] ?? 0) ?? '');
      if (row) yield row;
    }
  }
}

/** Returns the words that a text capitalizes inside a sentence, which are mostly names. */
export function innerNames(text: string): string[] {
  return text.match(INNER_CAPITAL) ?? [];
}

const INNER_CAPITAL = /(?<=[\p{L}\p{N},;(:]\s*)(?!I\b|I')\p{Lu}[\p{L}'’-]+/gu;
