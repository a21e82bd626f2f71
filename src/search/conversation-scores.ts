import { inverseDocumentFrequency, scoreTerms, termFrequencyWeights } from './bm25.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Postings } from './postings.ts';
import type { SessionChains } from './session-chains.ts';
import { TopHits } from './search-hit.ts';
import { SparseAccumulator } from './sparse-accumulator.ts';

/** Scores of one message at each level, from 0 to 1: divided by the best among messages that the filter admits. */
export interface LevelParts {
  readonly message: number;
  readonly surroundings: number;
  readonly session: number;
}

/** A term of a query with its postings and its inverse document frequency. */
interface WeightedTerm {
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
  /** BM25 scores by ordinal, and for sessions by session number. */
  readonly #scores: Readonly<Record<keyof LevelParts, SparseAccumulator>>;
  readonly #terms: readonly WeightedTerm[];
  /** Messages that have a term themselves and may be found. */
  readonly #admitted: Uint32Array;
  readonly #best: LevelParts;

  constructor(
    index: InvertedIndex,
    chains: SessionChains,
    query: ReadonlySet<string>,
    admits: ((ordinal: number) => boolean) | undefined,
  ) {
    this.#index = index;
    this.#chains = chains;
    this.#terms = Array.from(query, (term) => {
      const postings = index.postings(term);
      return { term, postings, weight: inverseDocumentFrequency(index.size, postings?.count ?? 0) };
    });
    const message = scoreTerms(index, query);
    const { surroundings, session } = scoreGroups(index, chains, this.#terms);
    this.#scores = { message, surroundings, session };
    const around = admits ? surroundings.numbers.filter(admits) : surroundings.numbers;
    // The surroundings of a message contain it.
    this.#admitted = admits ? around.filter((ordinal) => message.sums[ordinal] !== 0) : message.numbers;
    const sessions = admits ? around.map((ordinal) => chains.sessionOf(ordinal)) : session.numbers;
    this.#best = {
      message: highest(message, this.#admitted),
      surroundings: highest(surroundings, around),
      session: highest(session, sessions),
    };
  }

  /** Returns the ids of the `k` messages with the best weighted sum of parts, among those that have a term themselves. */
  best(k: number, weights: LevelParts): string[] {
    const top = new TopHits(k);
    for (let at = 0; at < this.#admitted.length; at++) {
      const ordinal = this.#admitted[at] ?? 0;
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
    return this.#partsAt(this.#index.ordinalOf(id) ?? -1);
  }

  /** Returns a function that computes a message's coverage of the query's terms, without those in `leftOut`. */
  coverage(leftOut: ReadonlySet<string>): (id: string) => Coverage {
    const terms = this.#terms.filter(({ term }) => !leftOut.has(term));
    const total = terms.reduce((sum, { weight }) => sum + weight, 0);
    const most = inverseDocumentFrequency(this.#index.size, 0);
    return (id) => {
      const ordinal = this.#index.ordinalOf(id);
      if (ordinal === undefined || total === 0) return { share: 0, rarest: 0 };
      const covered = terms.filter(({ postings }) => (postings?.frequencyOf(ordinal) ?? 0) > 0);
      return {
        share: covered.reduce((sum, { weight }) => sum + weight, 0) / total,
        rarest: covered.reduce((rarest, { weight }) => Math.max(rarest, weight), 0) / most,
      };
    };
  }

  #partsAt(ordinal: number): LevelParts {
    const { message, surroundings } = this.#scores;
    return {
      message: share(message.sums[ordinal] ?? 0, this.#best.message),
      surroundings: share(surroundings.sums[ordinal] ?? 0, this.#best.surroundings),
      session: share(this.#sessionScore(ordinal), this.#best.session),
    };
  }

  #sessionScore(ordinal: number): number {
    return this.#scores.session.sums[this.#chains.sessionOf(ordinal)] ?? 0;
  }
}

/** Scores the surroundings of each message, and each session, as one text. */
function scoreGroups(
  index: InvertedIndex,
  chains: SessionChains,
  terms: readonly WeightedTerm[],
): Record<'surroundings' | 'session', SparseAccumulator> {
  const surroundings = new SparseAccumulator(index.ordinals);
  const session = new SparseAccumulator(chains.sessions);
  const within = new SparseAccumulator(chains.sessions);
  const lengths = chains.surroundings();
  const { averageSurroundings, sessionLengths, averageSessionLength, filledSessions } = chains;
  index.withScratch((near) => {
    for (const { postings } of terms) {
      const pairs = postings?.pairs ?? [];
      for (let at = 0; at < pairs.length; at += 2) {
        const [ordinal, frequency] = [pairs[at] ?? 0, pairs[at + 1] ?? 0];
        within.add(chains.sessionOf(ordinal), frequency);
        chains.addAround(ordinal, frequency, near);
      }
      addTerm(near, index.size, lengths, averageSurroundings, surroundings);
      addTerm(within, filledSessions, sessionLengths, averageSessionLength, session);
    }
  });
  return { surroundings, session };
}

/** Adds the weight of a term to the scores of the texts in which it occurs, and clears its frequencies. */
function addTerm(
  frequencies: SparseAccumulator,
  texts: number,
  lengths: ArrayLike<number>,
  averageLength: number,
  scores: SparseAccumulator,
): void {
  const { numbers, sums } = frequencies;
  const weight = inverseDocumentFrequency(texts, numbers.length);
  const weightOf = termFrequencyWeights(averageLength);
  for (let at = 0; at < numbers.length; at++) {
    const text = numbers[at] ?? 0;
    scores.add(text, weight * weightOf(sums[text] ?? 0, lengths[text] ?? 0));
  }
  frequencies.clear();
}

/** Returns the highest of the sums with these numbers; 0 without one. */
function highest({ sums }: SparseAccumulator, numbers: Uint32Array): number {
  let best = 0;
  for (let at = 0; at < numbers.length; at++) best = Math.max(best, sums[numbers[at] ?? 0] ?? 0);
  return best;
}

function share(score: number, best: number): number {
  return best > 0 ? Math.min(1, score / best) : 0;
}
