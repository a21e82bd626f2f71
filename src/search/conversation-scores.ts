import { inverseDocumentFrequency } from './bm25.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { SessionChains } from './session-chains.ts';
import type { Postings } from './postings.ts';
import type { SparseAccumulator } from './sparse-accumulator.ts';
import { TopHits } from './top-hits.ts';

/** BM25 scores of a query at each level: by ordinal, and for sessions by session number. */
export interface LevelScores {
  readonly message: Float64Array;
  /** Scores of all messages that have a term of the query in their surroundings. */
  readonly surroundings: SparseAccumulator;
  readonly session: Float64Array;
}

/** Scores of one message at each level, from 0 to 1: divided by the best among messages that the filter admits. */
export interface LevelParts {
  readonly message: number;
  readonly surroundings: number;
  readonly session: number;
}

/** A term of a query with its postings and its inverse document frequency. */
export interface WeightedTerm {
  readonly term: string;
  readonly postings: Postings | undefined;
  readonly weight: number;
}

/** The part of a query's terms that a message has. */
export interface Coverage {
  /** Share of the terms, weighted by inverse document frequency. */
  readonly share: number;
  /** Weight of the rarest of these terms, divided by that of a term that no message has. */
  readonly rarest: number;
}

/** The scores of one query. They are valid until the index changes. */
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

  /** Returns the ids of the `k` messages with the best weighted sum of parts, among those that have a term themselves. */
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

  /** Returns the parts of a message's score; all 0 for an unknown id. */
  partsOf(id: string): LevelParts {
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === undefined ? { message: 0, surroundings: 0, session: 0 } : this.#partsAt(ordinal);
  }

  /** Returns a function that computes a message's coverage of the query's terms, without those in `leftOut`. */
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
