import { nameKey } from '../graph/entity-name.ts';
import { sentenceOf, type TripleSource } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { inverseDocumentFrequency, offerMatches } from '../search/bm25.ts';
import { InvertedIndex } from '../search/inverted-index.ts';
import { toKeywordSegment, type KeywordSegment } from '../search/keyword-segment.ts';
import { TopHits, type SearchHit } from '../search/search-hit.ts';
import { withCurrentNote } from '../storage/facts-and-entities.ts';
import type { EntityMention, EntityRow, FactRow } from '../storage/schema.ts';

/** A fact, or a note of an entity, as one searchable sentence. */
export interface KnownSentence {
  /** The keys of its entities, in place of the names in the message, and what is said about them. */
  readonly text: string;
  readonly entities: readonly string[];
  /** Absent for a note. */
  readonly factId?: string;
  /** The messages that state it, with their quotes if known. */
  readonly sources: readonly TripleSource[];
  /** When it was said, in milliseconds since 1970. */
  readonly saidAt: number;
}

/** Maximum number of names and predicates with cached terms. */
const MAX_CACHED_PARTS = 512;

/** Share of all sentences above which a word is common. In most memories `user` alone is. */
const COMMON_SHARE = 0.25;
/** A word is also common if this many times as many sentences have it as may be found. */
const COMMON_TIMES = 10;

/** Provides the current rows from which sentences are made. */
export interface SentenceRows {
  readonly facts: { get(id: string): FactRow | undefined };
  entityById(id: string): EntityRow | undefined;
}

/** Index terms of some sentences, as stored with their packed rows. */
export interface PackedFactWords {
  /** Terms of the facts and notes. */
  readonly words: KeywordSegment;
  /** Terms of the original wording, for facts that were not stated with the keys of their entities. */
  readonly originalWords: KeywordSegment;
}

/**
 * Keyword index of a scope's facts and notes. Rare words count most.
 *
 * Added rows are queued and indexed later, in slices or at the latest by the next question: indexing ten thousand at
 * once would block the page. Packed rows come with their terms and are not indexed; their text is looked up when a
 * question finds them.
 */
export class SentenceIndex {
  readonly #rows: SentenceRows;
  readonly #words: InvertedIndex;
  readonly #originalWords: InvertedIndex;
  readonly #sentences = new Map<string, KnownSentence>();
  /** Mentions by note id, by the row id of their entity. */
  readonly #notes = new Map<string, ReadonlyMap<string, EntityMention>>();
  readonly #wordsByPart = new Map<string, readonly string[]>();
  /** Ids of queued facts. */
  readonly #waitingFacts = new Set<string>();
  /** Queued entities by id, with the row whose notes are currently indexed. */
  readonly #waitingEntities = new Map<string, EntityRow | undefined>();

  /** @param packed terms of rows that are added before the first question */
  constructor(rows: SentenceRows, packed: readonly PackedFactWords[]) {
    this.#rows = rows;
    const words = packed.map((each) => each.words);
    const originalWords = packed.map((each) => each.originalWords);
    this.#words = InvertedIndex.fromSegments(words, {});
    this.#originalWords = InvertedIndex.fromSegments(originalWords, {});
  }

  /** Score of a term that occurs in a single sentence. */
  get fullScore(): number {
    this.#readAll();
    return inverseDocumentFrequency(this.#words.size, 1);
  }

  get(id: string): KnownSentence | undefined {
    const known = this.#sentences.get(id);
    if (known || this.#words.ordinalOf(id) === undefined) return known;
    const fact = this.#rows.facts.get(id);
    const sentence = fact ? factSentence(fact) : this.#noteSentence(id);
    if (sentence) this.#sentences.set(id, sentence);
    return sentence;
  }

  /**
   * Returns the best matches for a list of words among the sentences that `filter` accepts, best first. The most common
   * word adds to the scores of sentences with another one; if many have it, it finds none by itself, unless it is the only
   * word: which `k` of thousands were found would be chance.
   *
   * @param k maximum number of matches
   * @param about keys of entities, if the filter accepts only sentences about one of them: the others are not even read
   */
  search(
    words: readonly string[],
    k: number,
    filter: (sentence: KnownSentence) => boolean,
    about?: Iterable<string>,
  ): SearchHit[] {
    this.#readAll();
    const top = new TopHits(k, (id) => {
      const sentence = this.get(id);
      return sentence !== undefined && filter(sentence);
    });
    const terms = [...this.#words.queryTerms(words)].toSorted((a, b) => this.#countOf(a) - this.#countOf(b));
    const adding = terms.length > 1 && this.#isCommon(terms.at(-1) ?? '', k) ? terms.splice(-1) : [];
    offerMatches(this.#words, top, terms, adding, about && this.#mayBeAbout(about));
    return top.ranked();
  }

  /** Returns whether a sentence, by ordinal, has the rarest word of one of these names; undefined if a name has no words. */
  #mayBeAbout(keys: Iterable<string>): ((ordinal: number) => boolean) | undefined {
    const has = new Uint8Array(this.#words.ordinals);
    for (const key of keys) {
      const [rarest] = this.#wordsOf(key).toSorted((a, b) => this.#countOf(a) - this.#countOf(b));
      if (rarest === undefined) return undefined;
      this.#words.postings(rarest)?.forEach((ordinal) => void (has[ordinal] = 1));
    }
    return (ordinal) => has[ordinal] === 1;
  }

  /** Whether far more than `k` sentences, or more than `k` and many of all, have a word. */
  #isCommon(word: string, k: number): boolean {
    const count = this.#countOf(word);
    return count > k && count > Math.min(COMMON_SHARE * this.#words.size, COMMON_TIMES * k);
  }

  #countOf(word: string): number {
    return this.#words.postings(word)?.count ?? 0;
  }

  /**
   * Counts, for each fact by id, how many of these words its original wording contains. Facts without any are left
   * out.
   */
  sharing(words: Iterable<string>): Map<string, number> {
    this.#readAll();
    const shared = new Map<string, number>();
    const count = (id: string): void => void shared.set(id, (shared.get(id) ?? 0) + 1);
    for (const word of new Set(words)) {
      this.#originalWords
        .postings(word)
        ?.forEach((ordinal) => count(this.#originalWords.idAt(ordinal) ?? ''));
      this.#words.postings(word)?.forEach((ordinal) => {
        const id = this.#words.idAt(ordinal) ?? '';
        if (this.#originalWords.ordinalOf(id) === undefined && this.#rows.facts.get(id)) count(id);
      });
    }
    return shared;
  }

  /** Call it when a fact was added or changed. */
  putFact(id: string): void {
    this.#waitingFacts.add(id);
  }

  /** Call it when an entity was added or changed, with the previous row. */
  putEntity(id: string, before: EntityRow | undefined): void {
    if (!this.#waitingEntities.has(id)) this.#waitingEntities.set(id, before);
  }

  deleteFact(id: string): void {
    this.#waitingFacts.delete(id);
    this.#delete(id);
  }

  /** @param before the row that is removed */
  deleteEntity(id: string, before: EntityRow | undefined): void {
    const known = this.#waitingEntities.has(id) ? this.#waitingEntities.get(id) : before;
    this.#waitingEntities.delete(id);
    for (const note of known ? notesOf(known).keys() : []) this.#delete(note);
    this.#notes.delete(id);
  }

  /** Indexes about this number of queued sentences. Returns whether there are more. */
  read(atMost: number): boolean {
    let left = atMost;
    for (const id of this.#waitingFacts) {
      if (left <= 0) return true;
      this.#waitingFacts.delete(id);
      const fact = this.#rows.facts.get(id);
      this.#delete(id);
      if (fact) this.#addFact(fact, this.#words, this.#originalWords);
      left -= 1;
    }
    for (const [id, before] of this.#waitingEntities) {
      if (left <= 0) return true;
      this.#waitingEntities.delete(id);
      const entity = this.#rows.entityById(id);
      if (entity) left -= this.#readEntity(entity, before);
    }
    return false;
  }

  /** Returns the terms of the facts and notes of these rows, whether or not they are indexed. */
  pack(facts: readonly FactRow[], entities: readonly EntityRow[]): PackedFactWords {
    const words = new InvertedIndex({});
    const originalWords = new InvertedIndex({});
    for (const fact of facts) this.#addFact(fact, words, originalWords);
    for (const entity of entities) {
      for (const [id, { note }] of notesOf(entity)) words.add(id, this.#wordsOfNote(entity, note));
    }
    return {
      words: toKeywordSegment(words.documents()),
      originalWords: toKeywordSegment(originalWords.documents()),
    };
  }

  #readAll(): void {
    this.read(Infinity);
  }

  #addFact(fact: FactRow, words: InvertedIndex, originalWords: InvertedIndex): void {
    const { id, subjectKey, predicate, objectKey } = fact;
    words.add(
      id,
      [subjectKey, predicate, objectKey].flatMap((part) => this.#wordsOf(part)),
    );
    if (!usesEntityKeys(fact)) originalWords.add(id, analyze(sentenceOf(fact)));
  }

  /** Returns the number of notes that were looked at. */
  #readEntity(entity: EntityRow, before: EntityRow | undefined): number {
    this.#notes.delete(entity.id);
    // A turn adds one mention to thousands.
    const added = before && addedMentions(before, entity);
    const notes = notesOf(added ? { ...entity, mentions: added } : entity);
    const known = before && !added ? notesOf(before) : undefined;
    for (const id of known?.keys() ?? []) if (!notes.has(id)) this.#delete(id);
    for (const [id, { note }] of notes) if (!known?.has(id)) this.#addNote(id, entity, note);
    return notes.size;
  }

  #addNote(id: string, entity: EntityRow, note: string): void {
    this.#delete(id);
    this.#words.add(id, this.#wordsOfNote(entity, note));
  }

  #wordsOfNote({ key }: EntityRow, note: string): readonly string[] {
    return [...this.#wordsOf(key), ...analyze(note)];
  }

  /** Cached because facts share most of their names and predicates. */
  #wordsOf(part: string): readonly string[] {
    const known = this.#wordsByPart.get(part);
    if (known) return known;
    const words = analyze(part);
    if (this.#wordsByPart.size === MAX_CACHED_PARTS) this.#wordsByPart.clear();
    this.#wordsByPart.set(part, words);
    return words;
  }

  #noteSentence(id: string): KnownSentence | undefined {
    const entity = this.#rows.entityById(id.slice(0, id.indexOf(SEPARATOR)));
    if (!entity) return undefined;
    const notes = this.#notes.get(entity.id) ?? notesOf(entity);
    this.#notes.set(entity.id, notes);
    const mention = notes.get(id);
    return mention && noteSentence(entity, mention);
  }

  #delete(id: string): void {
    for (const index of [this.#words, this.#originalWords]) {
      if (index.delete(id) !== undefined && index.hasManyHoles) index.closeHoles();
    }
    this.#sentences.delete(id);
  }
}

function factSentence({ id, subjectKey, predicate, objectKey, sources, recordedAt }: FactRow): KnownSentence {
  return {
    text: sentenceOf({ subject: subjectKey, predicate, object: objectKey }),
    entities: [subjectKey, objectKey],
    factId: id,
    sources: sources.filter((source) => !source.isContext),
    saidAt: recordedAt,
  };
}

function noteSentence({ key }: EntityRow, { messageIds, note, recordedAt }: EntityMention): KnownSentence {
  const [messageId = ''] = messageIds;
  const text = `${key} ${note}`;
  return {
    text,
    entities: [key],
    // Without words from other messages, its terms are those of the note itself, including the name.
    sources: [messageIds.length > 1 ? { messageId } : { messageId, quote: text }],
    saidAt: recordedAt,
  };
}

const SEPARATOR = '\0';

/** Returns the mentions of an entity by note id. The id changes with the text and never equals a fact id. */
function notesOf({ id, key, mentions }: EntityRow): ReadonlyMap<string, EntityMention> {
  return new Map(
    withCurrentNote(mentions)
      .filter(({ messageIds }) => messageIds.length > 0)
      .map((mention) => [[id, key, mention.note, ...mention.messageIds].join(SEPARATOR), mention]),
  );
}

/** Returns the mentions that were added behind those of an earlier row; undefined if what is indexed of these has changed. */
function addedMentions(
  before: EntityRow,
  { key, mentions }: EntityRow,
): readonly EntityMention[] | undefined {
  const added = mentions.slice(before.mentions.length);
  const isLonger =
    before.key === key && before.mentions.every((mention, at) => isSame(mention, mentions[at]));
  return isLonger && !added.some(({ rewrites }) => rewrites === true) ? added : undefined;
}

function isSame(a: EntityMention, b: EntityMention | undefined): boolean {
  if (a === b) return true;
  if (!b || a.note !== b.note || a.rewrites !== b.rewrites) return false;
  return (
    a.messageIds.length === b.messageIds.length && a.messageIds.every((id, at) => id === b.messageIds[at])
  );
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

/** Whether a fact was certainly stated with the keys of its entities. */
function usesEntityKeys({ subject, subjectKey, predicate, object, objectKey }: FactRow): boolean {
  const isAscii = ASCII.test(subjectKey) && ASCII.test(predicate) && ASCII.test(objectKey);
  return isAscii && nameKey(subject) === subjectKey && nameKey(object) === objectKey;
}
