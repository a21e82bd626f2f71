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
  readonly #lists: Pick<ClaimLists, 'placeOf'>;
  readonly #waiting = new Set<string>();

  /**
   * @param rows the current rows
   * @param packed terms of rows that are added before the first question
   */
  constructor(
    rows: ReadonlyMap<string, ClaimRow>,
    lists: Pick<ClaimLists, 'placeOf'>,
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
   * Returns, for each message with claims, which of the given terms they contain, oldest message first. Of
   * consecutive messages with none, at most two are included, which is enough to separate the others.
   */
  statedTerms(terms: Iterable<string>): ReadonlySet<string>[] {
    this.read(Infinity);
    const places = new Map<string, number>();
    const placeOf = (messageId: string): number => {
      const place = places.get(messageId) ?? this.#lists.placeOf(messageId);
      places.set(messageId, place);
      return place;
    };
    const found = new Map<number, Set<string>>();
    for (const term of terms) {
      for (const { messageId } of this.#claimsWith(term)) {
        const place = placeOf(messageId);
        found.set(place, (found.get(place) ?? new Set()).add(term));
      }
    }
    let last = -1;
    return [...found]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([place, own]) => {
        const between = Array.from({ length: Math.min(2, place - last - 1) }, () => new Set<string>());
        last = place;
        return [...between, own];
      });
  }

  /** Returns the terms that claims capitalize inside a sentence. */
  namesAmong(terms: Iterable<string>): ReadonlySet<string> {
    this.read(Infinity);
    return new Set(
      [...terms].filter((term) =>
        this.#claimsWith(term)
          .slice(0, NAME_SAMPLES)
          .some(({ text }) => innerNames(text).some((name) => analyze(name).includes(term))),
      ),
    );
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

  #claimsWith(term: string): ClaimRow[] {
    const rows: ClaimRow[] = [];
    this.#words.postings(term)?.forEach((ordinal) => {
      const row = this.#rows.get(this.#words.idAt(ordinal) ?? '');
      if (row) rows.push(row);
    });
    return rows;
  }
}

/** Returns the words that a text capitalizes inside a sentence, which are mostly names. */
export function innerNames(text: string): string[] {
  return text.match(INNER_CAPITAL) ?? [];
}

const INNER_CAPITAL = /(?<=[\p{L}\p{N},;(:]\s*)(?!I\b|I')\p{Lu}[\p{L}'’-]+/gu;
