import { checkOptionNames } from '../model/check-options.ts';
import { MnemoraError } from '../model/error.ts';
import { inverseDocumentFrequency, termFrequencyWeight } from './bm25.ts';
import { ConversationScores } from './conversation-scores.ts';
import { isConversationSegment, toConversationSegment } from './conversation-segment.ts';
import type { ConversationSegment } from './conversation-segment.ts';
import { InvertedIndex, type TermOptions } from './inverted-index.ts';
import { appendNumbers, numberAt } from './packed-numbers.ts';
import { unpackStrings } from './packed-strings.ts';
import { metadataAt, type MessageMetadata, type MetadataColumns } from './metadata-columns.ts';
import { SessionChains } from './session-chains.ts';
import { SparseAccumulator } from './sparse-accumulator.ts';
import { unpackTraits, type MessageTraits } from './message-traits.ts';
import { hashTerms, TermSketch } from './term-sketch.ts';
import { traitsAt, type TextTraits } from './trait-columns.ts';

/** Returns whether a message may be found, given its metadata. */
export type MetadataFilter = (place: MessageMetadata) => boolean;

/**
 * A keyword search over the messages of conversations at three levels: the message, its surroundings (two messages on
 * each side in the same session) and its session. An answer often shares a single word with the question, while the
 * others are in the message that it answers, and the topic of a conversation is often named only once.
 *
 * Each level is ranked by BM25 (see `KeywordIndex`) as if its texts were documents: the surroundings of a message as
 * one text, all messages of a session as one text. Messages are indexed once: a query computes all levels from their
 * postings, so that a message is added and deleted in one place.
 */
export class ConversationIndex {
  #index: InvertedIndex;
  readonly #chains = new SessionChains();
  #segments: readonly ConversationSegment[] = [];
  /** Metadata by ordinal; undefined for a hole, or if it has not been read from its segment yet. */
  #places: (MessageMetadata | undefined)[] = [];
  /** Traits by ordinal; undefined for a hole, or if they are in a segment. */
  #traits: (TextTraits | undefined)[] = [];
  readonly #sketch = new TermSketch();
  /** Number of messages by speaker. */
  readonly #speakers = new Map<string, number>();

  constructor(options: TermOptions = {}) {
    checkOptionNames('ConversationIndex', options, ['analyze', 'stopWords']);
    this.#index = new InvertedIndex(options);
  }

  get size(): number {
    return this.#index.size;
  }

  /** Names of all speakers. */
  get speakers(): string[] {
    return [...this.#speakers.keys()];
  }

  has(id: string): boolean {
    return this.#index.ordinalOf(id) !== undefined;
  }

  /**
   * Adds a message, or replaces the one with the same id.
   *
   * @param traits traits of the text, packed by `packTraits`. @default those of an empty text
   */
  add(id: string, text: string, place: MessageMetadata, traits = 0): void {
    this.delete(id);
    const ordinal = this.#index.add(id, text);
    const hashes = hashTerms(this.#index.contentTermsAt(ordinal));
    this.#places[ordinal] = place;
    this.#traits[ordinal] = { packed: traits, hashes };
    this.#sketch.add(hashes);
    this.#countSpeaker(place.speaker, 1);
    const session = this.#chains.numberOf(place.sessionId);
    this.#chains.insert(ordinal, session, place.order, this.#index.lengthAt(ordinal));
  }

  /** Deletes a message, whose neighbors become adjacent. Returns false for an unknown id. */
  delete(id: string): boolean {
    const before = this.#index.ordinalOf(id);
    const traits = before === undefined ? undefined : this.#traitsAt(before);
    const speaker = this.metadataOf(id)?.speaker;
    const ordinal = this.#index.delete(id);
    if (ordinal === undefined) return false;
    if (traits) this.#sketch.add(traits.hashes, -1);
    this.#places[ordinal] = undefined;
    this.#traits[ordinal] = undefined;
    this.#countSpeaker(speaker, -1);
    this.#chains.remove(ordinal);
    if (this.#index.hasManyHoles) this.#closeHoles();
    return true;
  }

  /** Returns the metadata of a message. */
  metadataOf(id: string): MessageMetadata | undefined {
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === undefined ? undefined : this.#metadataAt(ordinal);
  }

  /** Returns the traits of a message's text and the mean rarity of its terms; undefined for an unknown id. */
  traitsOf(id: string): (MessageTraits & { readonly rarity: number }) | undefined {
    const ordinal = this.#index.ordinalOf(id);
    const traits = ordinal === undefined ? undefined : this.#traitsAt(ordinal);
    if (!traits) return undefined;
    return { ...unpackTraits(traits.packed), rarity: this.#sketch.meanRarity(traits.hashes, this.size) };
  }

  /** Returns the message before or after another in its session. */
  neighbor(id: string, side: 'previous' | 'next'): string | undefined {
    const ordinal = this.#index.ordinalOf(id);
    const found = ordinal === undefined ? undefined : this.#chains.neighbor(ordinal, side);
    return found === undefined ? undefined : this.#index.idAt(found);
  }

  /** Returns all ids in the order of adding. */
  ids(): string[] {
    return Array.from({ length: this.#index.ordinals }, (_, ordinal) => this.#index.idAt(ordinal)).flatMap(
      (id) => id ?? [],
    );
  }

  /** Returns the distinct terms of a query, which is given as text or as terms. */
  queryTerms(query: string | readonly string[]): ReadonlySet<string> {
    return this.#index.queryTerms(query);
  }

  /** Returns the inverse document frequency of a term, which is highest for a term that no message has. */
  rarityOf(term: string): number {
    return inverseDocumentFrequency(this.#index.size, this.#index.postings(term)?.count ?? 0);
  }

  /** Returns, for each of these messages, those of the terms that occur in it or in a message beside it. */
  termsAround(ids: readonly string[], terms: Iterable<string>): ReadonlySet<string>[] {
    const postings = [...terms].flatMap((term) => {
      const list = this.#index.postings(term);
      return list ? [{ term, list }] : [];
    });
    return ids.map((id) => {
      const ordinal = this.#index.ordinalOf(id);
      if (ordinal === undefined) return new Set();
      const near = [
        ordinal,
        this.#chains.neighbor(ordinal, 'previous'),
        this.#chains.neighbor(ordinal, 'next'),
      ].filter((each) => each !== undefined);
      const found = postings.filter(({ list }) => near.some((each) => list.frequencyOf(each) > 0));
      return new Set(found.map(({ term }) => term));
    });
  }

  /** Scores all messages for a query. Only those that `filter` admits can be among the results. */
  score(query: string | readonly string[], filter?: MetadataFilter): ConversationScores {
    const index = this.#index;
    const chains = this.#chains;
    const message = new Float64Array(index.ordinals);
    const surroundings = new SparseAccumulator(index.ordinals);
    const session = new Float64Array(chains.sessions);
    const near = new SparseAccumulator(index.ordinals);
    const within = new SparseAccumulator(chains.sessions);
    const { averageLength } = index;
    const { averageSurroundings, averageSessionLength, filledSessions } = chains;
    const terms = Array.from(index.queryTerms(query), (term) => {
      const postings = index.postings(term);
      return { term, postings, weight: inverseDocumentFrequency(index.size, postings?.count ?? 0) };
    });
    for (const { postings, weight } of terms) {
      if (!postings) continue;
      const { pairs } = postings;
      for (let i = 0; i < pairs.length; i += 2) {
        const ordinal = pairs[i] ?? 0;
        const frequency = pairs[i + 1] ?? 0;
        const gain = weight * termFrequencyWeight(frequency, index.lengthAt(ordinal), averageLength);
        message[ordinal] = (message[ordinal] ?? 0) + gain;
        within.add(chains.sessionOf(ordinal), frequency);
        chains.addAround(ordinal, frequency, near);
      }
      const nearWeight = inverseDocumentFrequency(index.size, near.numbers.length);
      for (const ordinal of near.numbers) {
        const length = chains.surroundingsLength(ordinal);
        surroundings.add(
          ordinal,
          nearWeight * termFrequencyWeight(near.sums[ordinal] ?? 0, length, averageSurroundings),
        );
      }
      near.clear();
      const sessionWeight = inverseDocumentFrequency(filledSessions, within.numbers.length);
      for (const number of within.numbers) {
        const length = chains.sessionLength(number);
        const gain =
          sessionWeight * termFrequencyWeight(within.sums[number] ?? 0, length, averageSessionLength);
        session[number] = (session[number] ?? 0) + gain;
      }
      within.clear();
    }
    const admits =
      filter &&
      ((ordinal: number): boolean => {
        const place = this.#metadataAt(ordinal);
        return place !== undefined && filter(place);
      });
    return new ConversationScores(index, chains, { message, surroundings, session }, terms, admits);
  }

  /** Returns a segment of the given messages, without unknown ids. Later changes to the index do not affect it. */
  toSegment(ids: readonly string[]): ConversationSegment {
    const documents = ids.flatMap((id) => {
      const ordinal = this.#index.ordinalOf(id);
      if (ordinal === undefined) return [];
      const document = this.#index.documentAt(ordinal);
      const place = this.#metadataAt(ordinal);
      const traits = this.#traitsAt(ordinal);
      return document && place && traits ? [{ ...document, place, traits }] : [];
    });
    return toConversationSegment(documents);
  }

  /**
   * Returns an index over segments of {@link toSegment}, which must not be modified afterwards. If several segments have
   * an id, the last one wins. It ranks like an index to which the messages were added.
   *
   * @throws MnemoraError `invalid-input` if a segment has another version or is damaged: rebuild the index from its texts
   */
  static fromSegments(
    segments: readonly ConversationSegment[],
    options: TermOptions = {},
  ): ConversationIndex {
    if (!segments.every(isConversationSegment)) {
      throw new MnemoraError(
        'invalid-input',
        'A snapshot of the conversations cannot be used: it is damaged, or of another version. Rebuild the index.',
      );
    }
    const index = new ConversationIndex(options);
    const keywords = segments.map((segment) => segment.keywords);
    index.#index = InvertedIndex.fromSegments(keywords, options);
    index.#segments = segments;
    index.#takeOverPlaces();
    return index;
  }

  #takeOverPlaces(): void {
    const sessions: number[] = [];
    const orders: number[] = [];
    for (const { places, traits } of this.#segments) {
      const start = sessions.length;
      appendNumbers(places.orders, orders);
      appendNumbers(places.sessions, sessions);
      const numbers = unpackStrings(places.sessionIds).map((id) => this.#chains.numberOf(id));
      for (let ordinal = start; ordinal < sessions.length; ordinal++) {
        this.#places.push(undefined);
        this.#traits.push(undefined);
        const isHole = this.#index.idAt(ordinal) === undefined;
        if (!isHole) this.#sketch.add(traitsAt(traits, ordinal - start).hashes);
        sessions[ordinal] = isHole ? -1 : (numbers[sessions[ordinal] ?? 0] ?? -1);
      }
      this.#countSpeakers(places, start);
    }
    this.#chains.takeOver(sessions, orders, this.#index.lengths());
  }

  #countSpeakers({ speakers, speakerOf }: MetadataColumns, start: number): void {
    const names = unpackStrings(speakers);
    if (names.length === 1) return; // no speaker has a name
    for (let row = 0; row < speakerOf.offsets.length; row++) {
      const name = names[numberAt(speakerOf, row)];
      if (name && this.#index.idAt(start + row) !== undefined) this.#countSpeaker(name, 1);
    }
  }

  #countSpeaker(speaker: string | undefined, by: number): void {
    if (speaker === undefined) return;
    const count = (this.#speakers.get(speaker) ?? 0) + by;
    if (count > 0) this.#speakers.set(speaker, count);
    else this.#speakers.delete(speaker);
  }

  #metadataAt(ordinal: number): MessageMetadata | undefined {
    const known = this.#places[ordinal];
    if (known) return known;
    const { segment, row } = this.#index.sealedRowOf(ordinal) ?? {};
    const columns = segment === undefined ? undefined : this.#segments[segment]?.places;
    if (!columns || row === undefined || this.#index.idAt(ordinal) === undefined) return undefined;
    return (this.#places[ordinal] = metadataAt(columns, row));
  }

  #traitsAt(ordinal: number): TextTraits | undefined {
    const known = this.#traits[ordinal];
    if (known) return known;
    const { segment, row } = this.#index.sealedRowOf(ordinal) ?? {};
    const columns = segment === undefined ? undefined : this.#segments[segment]?.traits;
    if (!columns || row === undefined || this.#index.idAt(ordinal) === undefined) return undefined;
    return traitsAt(columns, row);
  }

  #closeHoles(): void {
    const ordinals = Array.from({ length: this.#index.ordinals }, (_, ordinal) => ordinal);
    this.#places = ordinals
      .map((ordinal) => this.#metadataAt(ordinal))
      .filter((place) => place !== undefined);
    this.#traits = ordinals
      .map((ordinal) => this.#traitsAt(ordinal))
      .filter((traits) => traits !== undefined);
    this.#segments = [];
    this.#chains.renumber(this.#index.closeHoles());
  }
}
