import { checkOptionNames } from '../model/check-options.ts';
import { rarity, saturation } from './bm25.ts';
import { ConversationScores } from './conversation-scores.ts';
import { InvertedIndex, type KeywordSnapshot, type TermOptions } from './inverted-index.ts';
import { packStrings, unpackStrings } from './packed-strings.ts';
import type { HitFilter } from './search-hit.ts';
import { SessionChains, type Place } from './session-chains.ts';
import { Tally } from './tally.ts';
import { MnemoraError } from '../model/error.ts';

/** A {@link ConversationIndex} as plain data: typed arrays throughout. */
export interface ConversationSnapshot {
  readonly keywords: KeywordSnapshot;
  /** Packed by `packStrings`. */
  readonly sessionIds: Uint8Array;
  /** Of each document, in the order of the keyword index: its session, as a position in `sessionIds`. */
  readonly sessions: Uint32Array;
  readonly orders: Float64Array;
}

/**
 * Keyword search over messages that stand in conversations, at three levels: the message, its surroundings (two
 * messages on each side of the same session) and its session. An answer often shares one word with the question while
 * the message that it answers has the others, and what a conversation is about is said once.
 *
 * Each level is ranked by BM25 (see `KeywordIndex`) as if its texts were documents: the surroundings of a message as
 * one text, all messages of a session as one text. Nothing is indexed three times: the levels are summed up from the
 * postings of the messages while a query is answered, and so a message is added and deleted in one place.
 */
export class ConversationIndex {
  #index: InvertedIndex;
  readonly #chains = new SessionChains();

  constructor(options: TermOptions = {}) {
    checkOptionNames('ConversationIndex', options, ['analyze', 'stopWords']);
    this.#index = new InvertedIndex(options);
  }

  get size(): number {
    return this.#index.size;
  }

  has(id: string): boolean {
    return this.#index.ordinalOf(id) !== undefined;
  }

  /** Adds a message. An id that is present gets the new text and place. */
  add(id: string, text: string, place: Place): void {
    this.delete(id);
    const ordinal = this.#index.add(id, text);
    this.#chains.insert(ordinal, place, this.#index.lengthAt(ordinal));
  }

  /** Removes a message; those around it become neighbours. Returns whether there was one. */
  delete(id: string): boolean {
    const ordinal = this.#index.delete(id);
    if (ordinal === undefined) return false;
    this.#chains.remove(ordinal);
    this.#closeHoles('many');
    return true;
  }

  /** The message before or after one in its session. */
  neighbour(id: string, side: 'previous' | 'next'): string | undefined {
    const ordinal = this.#index.ordinalOf(id);
    const found = ordinal === undefined ? undefined : this.#chains.neighbour(ordinal, side);
    return found === undefined ? undefined : this.#index.idAt(found);
  }

  /** All ids, in the order of a snapshot. */
  ids(): string[] {
    return Array.from({ length: this.#index.ordinals }, (_, ordinal) => this.#index.idAt(ordinal)).flatMap(
      (id) => id ?? [],
    );
  }

  /** The distinct terms that a query is searched by. */
  queryTerms(query: string): ReadonlySet<string> {
    return this.#index.queryTerms(query);
  }

  /** Scores all messages for a query, of which `filter` admits some. */
  score(query: string, filter?: HitFilter): ConversationScores {
    const index = this.#index;
    const chains = this.#chains;
    const message = new Float64Array(index.ordinals);
    const surroundings = new Tally(index.ordinals);
    const session = new Float64Array(chains.sessions);
    const near = new Tally(index.ordinals);
    const within = new Tally(chains.sessions);
    const { averageLength } = index;
    const { averageSurroundings, averageSessionLength, filledSessions } = chains;
    for (const term of index.queryTerms(query)) {
      const postings = index.postings(term);
      if (!postings) continue;
      const { pairs } = postings;
      const weight = rarity(index.size, postings.count);
      for (let i = 0; i < pairs.length; i += 2) {
        const ordinal = pairs[i] ?? 0;
        const frequency = pairs[i + 1] ?? 0;
        const gain = weight * saturation(frequency, index.lengthAt(ordinal), averageLength);
        message[ordinal] = (message[ordinal] ?? 0) + gain;
        within.add(chains.sessionOf(ordinal), frequency);
        chains.addAround(ordinal, frequency, near);
      }
      const nearWeight = rarity(index.size, near.numbers.length);
      for (const ordinal of near.numbers) {
        const length = chains.surroundingsLength(ordinal);
        surroundings.add(
          ordinal,
          nearWeight * saturation(near.sums[ordinal] ?? 0, length, averageSurroundings),
        );
      }
      near.clear();
      const sessionWeight = rarity(filledSessions, within.numbers.length);
      for (const number of within.numbers) {
        const length = chains.sessionLength(number);
        const gain = sessionWeight * saturation(within.sums[number] ?? 0, length, averageSessionLength);
        session[number] = (session[number] ?? 0) + gain;
      }
      within.clear();
    }
    return new ConversationScores(index, chains, { message, surroundings, session }, filter);
  }

  /** A copy of everything; later changes to the index do not show in it. */
  toSnapshot(): ConversationSnapshot {
    this.#closeHoles('any');
    const keywords = this.#index.toSnapshot();
    const places = Array.from({ length: this.size }, (_, ordinal) => this.#chains.placeOf(ordinal));
    const sessionIds = [...new Set(places.map((place) => place.sessionId))];
    const numbers = new Map(sessionIds.map((sessionId, number) => [sessionId, number]));
    return {
      keywords,
      sessionIds: packStrings(sessionIds),
      sessions: Uint32Array.from(places, ({ sessionId }) => numbers.get(sessionId) ?? 0),
      orders: Float64Array.from(places, ({ order }) => order),
    };
  }

  /**
   * An index over what {@link toSnapshot} gave; it ranks as the first one did.
   *
   * @throws MnemoraError `invalid-input` where the snapshot has another version or is damaged: rebuild the index from
   *   its texts
   */
  static fromSnapshot(snapshot: ConversationSnapshot, options: TermOptions = {}): ConversationIndex {
    const index = new ConversationIndex(options);
    index.#index = InvertedIndex.fromSnapshot(snapshot.keywords, options);
    const { sessions, orders } = snapshot;
    const sessionIds = unpackStrings(snapshot.sessionIds);
    const isSound =
      sessionIds !== undefined &&
      sessions instanceof Uint32Array &&
      orders instanceof Float64Array &&
      sessions.length === index.size &&
      orders.length === index.size &&
      sessions.every((session) => session < sessionIds.length) &&
      orders.every(Number.isFinite);
    if (!isSound) {
      throw new MnemoraError(
        'invalid-input',
        'A snapshot of the conversations cannot be used: the places of its messages are damaged. Rebuild the index.',
      );
    }
    for (const [ordinal, order] of orders.entries()) {
      const sessionId = sessionIds[sessions[ordinal] ?? 0] ?? '';
      index.#chains.insert(ordinal, { sessionId, order }, index.#index.lengthAt(ordinal));
    }
    return index;
  }

  #closeHoles(when: 'many' | 'any'): void {
    const newOrdinals = this.#index.closeHoles(when);
    if (newOrdinals) this.#chains.renumber(newOrdinals);
  }
}
