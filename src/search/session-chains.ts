import type { SparseAccumulator } from './sparse-accumulator.ts';

/** Messages on each side that make up a message's surroundings. */
const REACH = 2;
const NONE = -1;

/**
 * The order of documents in their sessions: one linked list per session over the ordinals of an inverted index. It also
 * counts the terms of each session and of each document's surroundings (itself and up to {@link REACH} on each side),
 * which BM25 needs for length normalization.
 */
export class SessionChains {
  // By ordinal; NONE where the chain ends.
  readonly #previous: number[] = [];
  readonly #next: number[] = [];
  readonly #orders: number[] = [];
  readonly #lengths: number[] = [];
  readonly #sessions: number[] = [];
  /** Undefined after a change: they are counted at once by the next query, which takes less than each change would. */
  #surroundings: Float64Array | undefined;
  // By session number.
  readonly #tails: number[] = [];
  readonly #sessionLengths: number[] = [];
  readonly #numberById = new Map<string, number>();
  #documents = 0;
  #totalLength = 0;
  #totalSurroundings = 0;

  /** Number of sessions that have ever had a document. */
  get sessions(): number {
    return this.#tails.length;
  }

  /** Number of sessions that have a document. */
  get filledSessions(): number {
    return this.#tails.filter((tail) => tail !== NONE).length;
  }

  get averageSessionLength(): number {
    return this.#totalLength / Math.max(1, this.filledSessions);
  }

  get averageSurroundings(): number {
    this.surroundings();
    return this.#totalSurroundings / Math.max(1, this.#documents);
  }

  sessionOf(ordinal: number): number {
    return this.#sessions[ordinal] ?? NONE;
  }

  /** Number of terms of each session. */
  get sessionLengths(): readonly number[] {
    return this.#sessionLengths;
  }

  /** Returns, by ordinal, the number of terms of each document and its neighbors. */
  surroundings(): Float64Array {
    if (this.#surroundings) return this.#surroundings;
    const lengths = this.#lengths;
    const sums = new Float64Array(lengths.length);
    this.#totalSurroundings = 0;
    for (let ordinal = 0; ordinal < lengths.length; ordinal++) {
      let around = lengths[ordinal] ?? 0;
      let before = ordinal;
      let after = ordinal;
      for (let step = 0; step < REACH; step++) {
        if (before !== NONE && (before = this.#previous[before] ?? NONE) !== NONE)
          around += lengths[before] ?? 0;
        if (after !== NONE && (after = this.#next[after] ?? NONE) !== NONE) around += lengths[after] ?? 0;
      }
      sums[ordinal] = around;
      this.#totalSurroundings += around;
    }
    return (this.#surroundings = sums);
  }

  /** Returns the ordinal before or after another in its session; undefined at the end. */
  neighbor(ordinal: number, side: 'previous' | 'next'): number | undefined {
    const found = (side === 'previous' ? this.#previous : this.#next)[ordinal] ?? NONE;
    return found === NONE ? undefined : found;
  }

  /** Adds an amount to a document and its neighbors. */
  addAround(ordinal: number, amount: number, accumulator: SparseAccumulator): void {
    accumulator.add(ordinal, amount);
    let before = ordinal;
    let after = ordinal;
    // Unrolled, without an array or a call for each neighbor: queries spend most of their time here.
    for (let step = 0; step < REACH; step++) {
      if (before !== NONE && (before = this.#previous[before] ?? NONE) !== NONE)
        accumulator.add(before, amount);
      if (after !== NONE && (after = this.#next[after] ?? NONE) !== NONE) accumulator.add(after, amount);
    }
  }

  /** Returns the number of a session, which never changes. */
  numberOf(sessionId: string): number {
    let session = this.#numberById.get(sessionId);
    if (session === undefined) {
      session = this.#tails.push(NONE) - 1;
      this.#sessionLengths.push(0);
      this.#numberById.set(sessionId, session);
    }
    return session;
  }

  /** Inserts an ordinal, the highest so far, into the chain of its session by its order. */
  insert(ordinal: number, session: number, order: number, length: number): void {
    // Documents mostly arrive in order, except those of a turn that took long to complete.
    let before = this.#tails[session] ?? NONE;
    let after = NONE;
    while (before !== NONE && (this.#orders[before] ?? 0) > order) {
      after = before;
      before = this.#previous[before] ?? NONE;
    }
    this.#sessions[ordinal] = session;
    this.#orders[ordinal] = order;
    this.#lengths[ordinal] = length;
    this.#link(before, ordinal, session);
    this.#link(ordinal, after, session);
    this.#count(session, 1, length);
  }

  /** Takes the place of a document that is not there, so that the ordinals after it can be inserted. */
  skip(ordinal: number): void {
    this.#sessions[ordinal] = NONE;
    this.#orders[ordinal] = 0;
    this.#lengths[ordinal] = 0;
    this.#previous[ordinal] = NONE;
    this.#next[ordinal] = NONE;
  }

  remove(ordinal: number): void {
    const session = this.sessionOf(ordinal);
    this.#link(this.#previous[ordinal] ?? NONE, this.#next[ordinal] ?? NONE, session);
    this.#count(session, -1, -(this.#lengths[ordinal] ?? 0));
    this.skip(ordinal);
  }

  /** Makes two ordinals neighbors; if there is none after the first, it is the last of its session. */
  #link(before: number, after: number, session: number): void {
    if (before !== NONE) this.#next[before] = after;
    if (after === NONE) this.#tails[session] = before;
    else this.#previous[after] = before;
  }

  #count(session: number, documents: 1 | -1, length: number): void {
    this.#documents += documents;
    this.#totalLength += length;
    this.#sessionLengths[session] = (this.#sessionLengths[session] ?? 0) + length;
    this.#surroundings = undefined;
  }
}
