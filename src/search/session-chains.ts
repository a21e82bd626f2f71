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
  #previous: number[] = [];
  #next: number[] = [];
  #orders: number[] = [];
  #lengths: number[] = [];
  #surroundings: number[] = [];
  #sessions: number[] = [];
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
    return this.#tails.reduce((count, tail) => (tail === NONE ? count : count + 1), 0);
  }

  get averageSessionLength(): number {
    return this.#totalLength / Math.max(1, this.filledSessions);
  }

  get averageSurroundings(): number {
    return this.#totalSurroundings / Math.max(1, this.#documents);
  }

  sessionOf(ordinal: number): number {
    return this.#sessions[ordinal] ?? NONE;
  }

  sessionLength(session: number): number {
    return this.#sessionLengths[session] ?? 0;
  }

  /** Number of terms of a document and its neighbors. */
  surroundingsLength(ordinal: number): number {
    return this.#surroundings[ordinal] ?? 0;
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
      session = this.#tails.length;
      this.#numberById.set(sessionId, session);
      this.#tails.push(NONE);
      this.#sessionLengths.push(0);
    }
    return session;
  }

  insert(ordinal: number, session: number, order: number, length: number): void {
    this.#sessions[ordinal] = session;
    this.#orders[ordinal] = order;
    this.#lengths[ordinal] = length;
    this.#surroundings[ordinal] = 0;
    this.#chain(ordinal, session);
    this.#documents += 1;
    this.#count(session, length);
    this.#recount([ordinal]);
  }

  /**
   * Inserts all ordinals from 0 on into empty chains, and takes ownership of the lists. A session below 0 marks a hole,
   * whose length is 0. It does what {@link insert} does, in plain loops that are fast even before they are optimized.
   */
  takeOver(sessions: number[], orders: number[], lengths: number[]): void {
    const count = sessions.length;
    const previous: number[] = [];
    const next: number[] = [];
    const surroundings: number[] = [];
    const tails = this.#tails;
    this.#sessions = sessions;
    this.#orders = orders;
    this.#lengths = lengths;
    this.#previous = previous;
    this.#next = next;
    this.#surroundings = surroundings;
    for (let ordinal = 0; ordinal < count; ordinal++) {
      previous.push(NONE);
      next.push(NONE);
      const session = sessions[ordinal] ?? NONE;
      if (session < 0) continue;
      const tail = tails[session] ?? NONE;
      if (tail === NONE || (orders[tail] ?? 0) <= (orders[ordinal] ?? 0)) {
        previous[ordinal] = tail;
        if (tail !== NONE) next[tail] = ordinal;
        tails[session] = ordinal;
      } else this.#chain(ordinal, session);
      this.#documents += 1;
      this.#count(session, lengths[ordinal] ?? 0);
    }
    for (let ordinal = 0; ordinal < count; ordinal++) {
      let around = lengths[ordinal] ?? 0;
      let before = ordinal;
      let after = ordinal;
      for (let step = 0; step < REACH; step++) {
        if (before !== NONE && (before = previous[before] ?? NONE) !== NONE) around += lengths[before] ?? 0;
        if (after !== NONE && (after = next[after] ?? NONE) !== NONE) around += lengths[after] ?? 0;
      }
      surroundings.push(around);
      this.#totalSurroundings += around;
    }
  }

  remove(ordinal: number): void {
    const session = this.sessionOf(ordinal);
    const before = this.#previous[ordinal] ?? NONE;
    const after = this.#next[ordinal] ?? NONE;
    this.#totalSurroundings -= this.surroundingsLength(ordinal);
    this.#count(session, -(this.#lengths[ordinal] ?? 0));
    this.#documents -= 1;
    this.#lengths[ordinal] = 0;
    this.#surroundings[ordinal] = 0;
    this.#sessions[ordinal] = NONE;
    this.#previous[ordinal] = NONE;
    this.#next[ordinal] = NONE;
    if (after === NONE) this.#tails[session] = before;
    if (before !== NONE) this.#next[before] = after;
    if (after !== NONE) this.#previous[after] = before;
    this.#recount([before, after].filter((neighbor) => neighbor !== NONE));
  }

  /** Applies the new ordinals of `InvertedIndex.closeHoles`. Holes must have been removed before. */
  renumber(newOrdinals: Uint32Array): void {
    const renumbered = (link: number): number => (link === NONE ? NONE : (newOrdinals[link] ?? NONE));
    const isKept = (_: unknown, ordinal: number): boolean => this.sessionOf(ordinal) !== NONE;
    this.#previous = this.#previous.filter(isKept).map(renumbered);
    this.#next = this.#next.filter(isKept).map(renumbered);
    this.#orders = this.#orders.filter(isKept);
    this.#lengths = this.#lengths.filter(isKept);
    this.#surroundings = this.#surroundings.filter(isKept);
    this.#sessions = this.#sessions.filter(isKept);
    for (const [session, tail] of this.#tails.entries()) this.#tails[session] = renumbered(tail);
  }

  /** Inserts an ordinal into the chain of its session by its order. */
  #chain(ordinal: number, session: number): void {
    const order = this.#orders[ordinal] ?? 0;
    // Documents mostly arrive in order, except those of a turn that took long to complete.
    let before = this.#tails[session] ?? NONE;
    let after = NONE;
    while (before !== NONE && (this.#orders[before] ?? 0) > order) {
      after = before;
      before = this.#previous[before] ?? NONE;
    }
    this.#link(before, ordinal);
    this.#link(ordinal, after);
    if (before === NONE) this.#previous[ordinal] = NONE;
    if (after === NONE) {
      this.#next[ordinal] = NONE;
      this.#tails[session] = ordinal;
    }
  }

  #link(before: number, after: number): void {
    if (before !== NONE) this.#next[before] = after;
    if (after !== NONE) this.#previous[after] = before;
  }

  #count(session: number, length: number): void {
    this.#totalLength += length;
    this.#sessionLengths[session] = this.sessionLength(session) + length;
  }

  /** Updates the lengths of all surroundings that contain one of the given ordinals. */
  #recount(changed: readonly number[]): void {
    const affected = new Set(changed.flatMap((ordinal) => this.#around(ordinal)));
    for (const ordinal of affected) {
      const length = this.#around(ordinal).reduce((sum, around) => sum + (this.#lengths[around] ?? 0), 0);
      this.#totalSurroundings += length - this.surroundingsLength(ordinal);
      this.#surroundings[ordinal] = length;
    }
  }

  #around(ordinal: number): number[] {
    const found = [ordinal];
    for (const links of [this.#previous, this.#next]) {
      let at = ordinal;
      for (let step = 0; step < REACH && at !== NONE; step++) {
        at = links[at] ?? NONE;
        if (at !== NONE) found.push(at);
      }
    }
    return found;
  }
}
