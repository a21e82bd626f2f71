import { checkOptionNames } from '../model/check-options.ts';
import { invalidInput } from '../model/error.ts';
import { inverseDocumentFrequency, offerMatches } from './bm25.ts';
import { ConversationScores } from './conversation-scores.ts';
import {
  isConversationSegment,
  propertiesAt,
  toConversationSegment,
  type ConversationSegment,
  type MessageMetadata,
  type MessageProperties,
} from './conversation-segment.ts';
import { InvertedIndex, type TermOptions } from './inverted-index.ts';
import { hashTerms, TermSketch, unpackTraits, type MessageTraits } from './message-traits.ts';
import { listAt, numberAt, unpackStrings } from './packed-columns.ts';
import { TopHits } from './search-hit.ts';
import { SessionChains } from './session-chains.ts';

/** Returns whether a message may be found, given its metadata. */
export type MetadataFilter = (metadata: MessageMetadata) => boolean;

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
  readonly #index: InvertedIndex;
  #chains = new SessionChains();
  #segments: readonly ConversationSegment[] = [];
  /** By ordinal; undefined for a hole, or if they have not been read from their segment yet. */
  #properties: (MessageProperties | undefined)[] = [];
  #sketch = new TermSketch();
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
   * Adds a message, given as text or as terms, or replaces the one with the same id.
   *
   * @param traits traits of the text, packed by `packTraits`. @default those of an empty text
   */
  add(id: string, text: string | readonly string[], metadata: MessageMetadata, traits = 0): void {
    this.delete(id);
    const ordinal = this.#index.add(id, text);
    const hashes = hashTerms(this.#index.contentTermsAt(ordinal));
    this.#properties[ordinal] = { metadata, traits: { packed: traits, hashes } };
    this.#sketch.add(hashes);
    this.#countSpeaker(metadata.speaker, 1);
    const session = this.#chains.numberOf(metadata.sessionId);
    this.#chains.insert(ordinal, session, metadata.order, this.#index.lengths[ordinal] ?? 0);
  }

  /** Deletes a message, whose neighbors become adjacent. Returns false for an unknown id. */
  delete(id: string): boolean {
    const properties = this.#propertiesOf(id);
    const ordinal = this.#index.delete(id);
    if (ordinal === undefined || !properties) return false;
    this.#sketch.add(properties.traits.hashes, -1);
    this.#properties[ordinal] = undefined;
    this.#countSpeaker(properties.metadata.speaker, -1);
    this.#chains.remove(ordinal);
    if (this.#index.hasManyHoles) this.#open([this.toSegment(this.ids())]);
    return true;
  }

  /** Returns the metadata of a message. */
  metadataOf(id: string): MessageMetadata | undefined {
    return this.#propertiesOf(id)?.metadata;
  }

  /** Returns the traits of a message's text and the mean rarity of its terms; undefined for an unknown id. */
  traitsOf(id: string): (MessageTraits & { readonly rarity: number }) | undefined {
    const traits = this.#propertiesOf(id)?.traits;
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
    return this.#index.ids();
  }

  /** Returns the distinct terms of a query, which is given as text or as terms. */
  queryTerms(query: string | readonly string[]): ReadonlySet<string> {
    return this.#index.queryTerms(query);
  }

  /** Returns the inverse document frequency of a term, which is highest for a term that no message has. */
  rarityOf(term: string): number {
    return inverseDocumentFrequency(this.#index.size, this.#index.postings(term)?.count ?? 0);
  }

  /** Returns the number of messages in which a term occurs. */
  messagesWith(term: string): number {
    return this.#index.postings(term)?.count ?? 0;
  }

  /** Returns the ids of the messages in which a term occurs. */
  idsWith(term: string): string[] {
    const { pairs = [] } = this.#index.postings(term) ?? {};
    return Array.from(pairs, (ordinal, at) => (at % 2 === 0 ? (this.#index.idAt(ordinal) ?? []) : [])).flat();
  }

  /** Returns, for each of these messages, those of the terms that occur in it or in a message beside it. */
  termsAround(ids: readonly string[], terms: Iterable<string>): ReadonlySet<string>[] {
    const known = Array.from(terms, (term) => ({ term, postings: this.#index.postings(term) }));
    return ids.map((id) => {
      const near = [id, this.neighbor(id, 'previous'), this.neighbor(id, 'next')].flatMap(
        (each) => this.#index.ordinalOf(each ?? '') ?? [],
      );
      const found = known.filter(({ postings }) =>
        near.some((ordinal) => (postings?.frequencyOf(ordinal) ?? 0) > 0),
      );
      return new Set(found.map(({ term }) => term));
    });
  }

  /** Scores all messages for a query. Only those that `filter` admits can be among the results. */
  score(query: string | readonly string[], filter?: MetadataFilter): ConversationScores {
    const admits =
      filter &&
      ((ordinal: number): boolean => {
        const metadata = this.#propertiesAt(ordinal)?.metadata;
        return metadata !== undefined && filter(metadata);
      });
    return new ConversationScores(this.#index, this.#chains, this.#index.queryTerms(query), admits);
  }

  /** Returns the ids of the `k` messages that say the most of some terms themselves, best first. */
  best(terms: readonly string[], k: number): string[] {
    const top = new TopHits(k);
    offerMatches(this.#index, top, this.#index.queryTerms(terms));
    return top.ranked().map(({ id }) => id);
  }

  /** Returns a segment of the given messages, without unknown ids. Later changes to the index do not affect it. */
  toSegment(ids: readonly string[]): ConversationSegment {
    const documents = ids.flatMap((id) => {
      const document = this.#index.documentOf(id);
      const properties = this.#propertiesOf(id);
      return document && properties ? [{ ...document, ...properties }] : [];
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
      throw invalidInput(
        'A snapshot of the conversations cannot be used: it is damaged, or of another version. Rebuild the index.',
      );
    }
    const index = new ConversationIndex(options);
    index.#open(segments);
    return index;
  }

  #open(segments: readonly ConversationSegment[]): void {
    this.#index.open(segments);
    this.#segments = segments;
    this.#properties = [];
    this.#chains = new SessionChains();
    this.#sketch = new TermSketch();
    this.#speakers.clear();
    for (const segment of segments) this.#takeOver(segment);
  }

  /** Adds the messages of a segment behind those before, without unpacking what only searches need. */
  #takeOver({ ids, properties }: ConversationSegment): void {
    const { sessionIds, speakers, orders, hashes } = properties;
    const sessions = unpackStrings(sessionIds.words).map((id) => this.#chains.numberOf(id));
    const names = unpackStrings(speakers.words);
    for (let row = 0; row < ids.length; row++) {
      const ordinal = this.#properties.push(undefined) - 1;
      if (this.#index.idAt(ordinal) === undefined) {
        this.#chains.skip(ordinal);
        continue;
      }
      const session = sessions[numberAt(sessionIds.positions, row)] ?? 0;
      this.#chains.insert(ordinal, session, numberAt(orders, row), this.#index.lengths[ordinal] ?? 0);
      this.#sketch.add(listAt(hashes, row));
      this.#countSpeaker(names[numberAt(speakers.positions, row)], 1);
    }
  }

  #countSpeaker(speaker: string | undefined, by: number): void {
    if (!speaker) return;
    const count = (this.#speakers.get(speaker) ?? 0) + by;
    if (count > 0) this.#speakers.set(speaker, count);
    else this.#speakers.delete(speaker);
  }

  #propertiesOf(id: string): MessageProperties | undefined {
    const ordinal = this.#index.ordinalOf(id);
    return ordinal === undefined ? undefined : this.#propertiesAt(ordinal);
  }

  #propertiesAt(ordinal: number): MessageProperties | undefined {
    const known = this.#properties[ordinal];
    if (known) return known;
    const sealed = this.#index.sealedRowOf(ordinal);
    const segment = this.#segments[sealed?.segment ?? -1];
    if (!segment || !sealed || this.#index.idAt(ordinal) === undefined) return undefined;
    return (this.#properties[ordinal] = propertiesAt(segment, sealed.row));
  }
}
