import { inverseDocumentFrequency } from './bm25.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { SessionChains } from './session-chains.ts';
import type { Postings } from './postings.ts';
import type { SparseAccumulator } from './sparse-accumulator.ts';
import { TopHits } from './top-hits.ts';

/** BM25 scores of one query, by ordinal and, for sessions, by number. */
export interface LevelScores {
  readonly message: Float64Array;
  /** Of all that have a term of the query, or one near them. */
  readonly surroundings: SparseAccumulator;
  readonly session: Float64Array;
}

/** How well one message fits at each level, from 0 to 1: divided by the best of those that the filter admits. */
export interface LevelParts {
  readonly message: number;
  readonly surroundings: number;
  readonly session: number;
}

/** A term of a query, the messages that have it, and its inverse document frequency. */
export interface WeightedTerm {
  readonly term: string;
  readonly postings: Postings | undefined;
  readonly weight: number;
}

/** What a message has of the terms of a query. */
export interface Coverage {
  /** Share of the terms, by their weights. */
  readonly share: number;
  /** The weight of the rarest of them, divided by that of a term which no message has. */
  readonly rarest: number;
}

/** What one query scored, until the index is changed. */
export class ConversationScores {
  readonly #index: InvertedIndex;
  readonly #chains: SessionChains;
  readonly #scores: LevelScores;
  readonly #terms: readonly WeightedTerm[];
  readonly #admitted: readonly number[];
  readonly #best: LevelParts;

  constructor(
    index: InvertedIndex,
    chains: SessionChains,
    scores: LevelScores,
    terms: readonly WeightedTerm[],
    admits: ((ordinal: number) => boolean) | undefined,
  ) {
    this.#index = index;
    this.#chains = chains;
    this.#scores = scores;
    this.#terms = terms;
    const best = { message: 0, surroundings: 0, session: 0 };
    const admitted: number[] = [];
    for (const ordinal of scores.surroundings.numbers) {
      if (admits && !admits(ordinal)) continue;
      admitted.push(ordinal);
      best.message = Math.max(best.message, scores.message[ordinal] ?? 0);
      best.surroundings = Math.max(best.surroundings, scores.surroundings.sums[ordinal] ?? 0);
      best.session = Math.max(best.session, this.#sessionScore(ordinal));
    }
    this.#admitted = admitted;
    this.#best = best;
  }

  /** Ids of the `k` messages that are best by the weighted sum of their parts; only such as have a term themselves. */
  best(k: number, weights: LevelParts): string[] {
    const top = new TopHits(k);
    for (const ordinal of this.#admitted) {
      if (this.#scores.message[ordinal] === 0) continue;
      const parts = this.#partsAt(ordinal);
      const score =
        weights.message * parts.message +
        weights.surroundings * parts.surroundings +
        weights.session * parts.session;
      if (score >= top.threshold) top.offer(this.#index.idAt(ordinal) ?? '', score);
    }
    return top.ranked().map((hit) => hit.id);
  }

  /** All 0 for a message that is not there. */
  partsOf(id: string): LevelParts {
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === undefined ? { message: 0, surroundings: 0, session: 0 } : this.#partsAt(ordinal);
  }

  /** What messages have of the terms of the query, but for those in `leftOut`. */
  coverage(leftOut: ReadonlySet<string>): (id: string) => Coverage {
    const terms = this.#terms.filter(({ term }) => !leftOut.has(term));
    const total = terms.reduce((sum, { weight }) => sum + weight, 0);
    const most = inverseDocumentFrequency(this.#index.size, 0);
    return (id) => {
      const ordinal = this.#index.ordinalOf(id);
      if (ordinal === undefined || total === 0) return { share: 0, rarest: 0 };
      let covered = 0;
      let rarest = 0;
      for (const { postings, weight } of terms) {
        if (!postings || postings.frequencyOf(ordinal) === 0) continue;
        covered += weight;
        rarest = Math.max(rarest, weight);
      }
      return { share: covered / total, rarest: rarest / most };
    };
  }

  #partsAt(ordinal: number): LevelParts {
    return {
      message: share(this.#scores.message[ordinal], this.#best.message),
      surroundings: share(this.#scores.surroundings.sums[ordinal], this.#best.surroundings),
      session: share(this.#sessionScore(ordinal), this.#best.session),
    };
  }

  #sessionScore(ordinal: number): number {
    return this.#scores.session[this.#chains.sessionOf(ordinal)] ?? 0;
  }
}

function share(score: number | undefined, best: number): number {
  return best > 0 && score !== undefined ? Math.min(1, score / best) : 0;
}
