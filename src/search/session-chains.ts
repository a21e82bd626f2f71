import type { Tally } from './tally.ts';

/** Messages on each side that make up a message's surroundings. */
const REACH = 2;
const NONE = -1;

/** Where a document stands in a conversation. */
export interface Place {
  readonly sessionId: string;
  /** Orders the documents of a session. */
  readonly order: number;
}

/**
 * Which documents stand next to each other: one chain for each session, in order, over the ordinals of an inverted
 * index. Counts the terms of each session and of each document's surroundings (itself and up to {@link REACH} on each
 * side), which their scores are held back by.
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
  readonly #sessionIds: string[] = [];
  readonly #numberById = new Map<string, number>();
  #documents = 0;
  #totalLength = 0;
  #totalSurroundings = 0;

  /** Sessions that ever had a document. */
  get sessions(): number {
    return this.#sessionIds.length;
  }

  /** Sessions that have one. */
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

  /** Terms of a document and those around it. */
  surroundingsLength(ordinal: number): number {
    return this.#surroundings[ordinal] ?? 0;
  }

  /** The ordinal before or after one in its session; undefined at the end. */
  neighbour(ordinal: number, side: 'previous' | 'next'): number | undefined {
    const found = (side === 'previous' ? this.#previous : this.#next)[ordinal] ?? NONE;
    return found === NONE ? undefined : found;
  }

  placeOf(ordinal: number): Place {
    return {
      sessionId: this.#sessionIds[this.sessionOf(ordinal)] ?? '',
      order: this.#orders[ordinal] ?? 0,
    };
  }

  /** Adds an amount to a document and to those around it. */
  addAround(ordinal: number, amount: number, tally: Tally): void {
    tally.add(ordinal, amount);
    let before = ordinal;
    let after = ordinal;
    // Spelled out, without an array or a call for each neighbour: this is what a query spends its time on.
    for (let step = 0; step < REACH; step++) {
      if (before !== NONE && (before = this.#previous[before] ?? NONE) !== NONE) tally.add(before, amount);
      if (after !== NONE && (after = this.#next[after] ?? NONE) !== NONE) tally.add(after, amount);
    }
  }

  insert(ordinal: number, { sessionId, order }: Place, length: number): void {
    const session = this.#numberOf(sessionId);
    // Documents come in order, but for those of a turn that was long in the making.
    let before = this.#tails[session] ?? NONE;
    let after = NONE;
    while (before !== NONE && (this.#orders[before] ?? 0) > order) {
      after = before;
      before = this.#previous[before] ?? NONE;
    }
    this.#sessions[ordinal] = session;
    this.#orders[ordinal] = order;
    this.#lengths[ordinal] = length;
    this.#surroundings[ordinal] = 0;
    this.#link(before, ordinal);
    this.#link(ordinal, after);
    if (after === NONE) this.#tails[session] = ordinal;
    this.#documents += 1;
    this.#count(session, length);
    this.#recount([ordinal]);
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
    this.#recount([before, after].filter((neighbour) => neighbour !== NONE));
  }

  /** Follows `InvertedIndex.closeHoles`; holes must have been removed here as well. */
  renumber(newOrdinals: Uint32Array): void {
    const renumbered = (link: number): number => (link === NONE ? NONE : (newOrdinals[link] ?? NONE));
    const isKept = (_: unknown, ordinal: number): boolean => this.#sessions[ordinal] !== NONE;
    this.#previous = this.#previous.filter(isKept).map(renumbered);
    this.#next = this.#next.filter(isKept).map(renumbered);
    this.#orders = this.#orders.filter(isKept);
    this.#lengths = this.#lengths.filter(isKept);
    this.#surroundings = this.#surroundings.filter(isKept);
    this.#sessions = this.#sessions.filter(isKept);
    for (const [session, tail] of this.#tails.entries()) this.#tails[session] = renumbered(tail);
  }

  #numberOf(sessionId: string): number {
    let session = this.#numberById.get(sessionId);
    if (session === undefined) {
      session = this.#sessionIds.length;
      this.#numberById.set(sessionId, session);
      this.#sessionIds.push(sessionId);
      this.#tails.push(NONE);
      this.#sessionLengths.push(0);
    }
    return session;
  }

  #link(before: number, after: number): void {
    if (before !== NONE) this.#next[before] = after;
    if (after !== NONE) this.#previous[after] = before;
  }

  #count(session: number, length: number): void {
    this.#totalLength += length;
    this.#sessionLengths[session] = this.sessionLength(session) + length;
  }

  /** Counts anew what stands around the given ordinals, as far as a change at them is felt. */
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
