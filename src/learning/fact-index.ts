import { nameKey } from '../graph/entity-name.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import type { TripleSource } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { inverseDocumentFrequency } from '../search/bm25.ts';
import { InvertedIndex } from '../search/inverted-index.ts';
import { isKeywordSegment, toKeywordSegment, type KeywordSegment } from '../search/keyword-segment.ts';
import { offerScored, scoreTerms } from '../search/score-terms.ts';
import type { SearchHit } from '../search/search-hit.ts';
import { TopHits } from '../search/top-hits.ts';
import { withCurrentNote } from '../storage/entity-text.ts';
import type { EntityMention, EntityRow, FactRow } from '../storage/schema.ts';

/** A fact, or a note of an entity, as one sentence that questions are held against. */
export interface KnownSentence {
  /** Its entities by their keys, whatever the message called them, and what is said of them. */
  readonly text: string;
  /** Keys of its entities. */
  readonly entities: readonly string[];
  /** Absent for a note. */
  readonly factId?: string;
  /** What messages say it, and how, where that is known. */
  readonly sources: readonly TripleSource[];
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/** Names and predicates whose words are known by heart. */
const KNOWN_PARTS = 512;

/** The rows that sentences are made of, as they are now. */
export interface FactIndexRows {
  fact(id: string): FactRow | undefined;
  entityById(id: string): EntityRow | undefined;
}

/** The words of some sentences as they are packed with their rows. */
export interface PackedFactWords {
  /** Facts and notes, by their words. */
  readonly words: KeywordSegment;
  /** The facts among them that were told in other words than the keys of their entities, by the words that were used. */
  readonly toldWords: KeywordSegment;
}

/**
 * The facts and notes of a scope, ranked by their words: the rare ones count most.
 *
 * Rows that are put wait until they are read, some by some or, at the latest, all at the next question: to read ten
 * thousand in one go would keep the page from answering. Those that were packed with their words are never read: what
 * they say is looked up as a question finds them.
 */
export class FactIndex {
  readonly #rows: FactIndexRows;
  readonly #words: InvertedIndex;
  readonly #toldWords: InvertedIndex;
  readonly #sentences = new Map<string, KnownSentence>();
  /** What was said of an entity by the id of the note, by the id of its row. */
  readonly #notes = new Map<string, ReadonlyMap<string, EntityMention>>();
  readonly #wordsByPart = new Map<string, readonly string[]>();
  /** Ids. */
  readonly #waitingFacts = new Set<string>();
  /** By id, with the row whose notes are in here. */
  readonly #waitingEntities = new Map<string, EntityRow | undefined>();

  /** @param packed the words of rows that are there already, or will be before anybody asks */
  constructor(rows: FactIndexRows, packed: readonly PackedFactWords[] = []) {
    this.#rows = rows;
    const join = (segments: readonly KeywordSegment[]): InvertedIndex =>
      InvertedIndex.fromSegments(segments, {});
    this.#words = join(packed.map(({ words }) => words));
    this.#toldWords = join(packed.map(({ toldWords }) => toldWords));
  }

  /** What a word scores that stands in one sentence alone. */
  get fullScore(): number {
    this.#readAll();
    return inverseDocumentFrequency(this.#words.size, 1);
  }

  get(id: string): KnownSentence | undefined {
    const known = this.#sentences.get(id);
    if (known || this.#words.ordinalOf(id) === undefined) return known;
    const fact = this.#rows.fact(id);
    const sentence = fact ? factSentence(fact) : this.#noteSentence(id);
    if (sentence) this.#sentences.set(id, sentence);
    return sentence;
  }

  /** The `k` sentences that match a list of words best, of those that `filter` admits, best first. */
  search(words: readonly string[], k: number, filter: (sentence: KnownSentence) => boolean): SearchHit[] {
    this.#readAll();
    const top = new TopHits(k, (id) => {
      const sentence = this.get(id);
      return sentence !== undefined && filter(sentence);
    });
    offerScored(this.#words, scoreTerms(this.#words, this.#words.queryTerms(words)), top);
    return top.ranked();
  }

  /** The facts that have any of these words, in the wording in which they were told, and how many of them each has. */
  sharing(words: Iterable<string>): Map<string, number> {
    this.#readAll();
    const shared = new Map<string, number>();
    const count = (id: string): void => void shared.set(id, (shared.get(id) ?? 0) + 1);
    const distinct = new Set(words);
    for (const word of distinct) {
      this.#toldWords.postings(word)?.forEach((ordinal) => count(this.#toldWords.idAt(ordinal) ?? ''));
    }
    for (const word of distinct) {
      this.#words.postings(word)?.forEach((ordinal) => {
        const id = this.#words.idAt(ordinal) ?? '';
        if (this.#toldWords.ordinalOf(id) === undefined && this.#rows.fact(id)) count(id);
      });
    }
    return shared;
  }

  /** To be called when a fact was put. */
  putFact(id: string): void {
    this.#waitingFacts.add(id);
  }

  /** To be called when an entity was put, with the row that was there before. */
  putEntity(id: string, before: EntityRow | undefined): void {
    if (!this.#waitingEntities.has(id)) this.#waitingEntities.set(id, before);
  }

  deleteFact(id: string): void {
    this.#waitingFacts.delete(id);
    this.#delete(id);
  }

  /** @param before the row that is to go */
  deleteEntity(id: string, before: EntityRow | undefined): void {
    const known = this.#waitingEntities.has(id) ? this.#waitingEntities.get(id) : before;
    this.#waitingEntities.delete(id);
    for (const note of known ? notesOf(known).keys() : []) this.#delete(note);
    this.#notes.delete(id);
  }

  /** Reads waiting rows, of about so many sentences. Returns whether there are more. */
  read(atMost: number): boolean {
    let left = atMost;
    for (const id of this.#waitingFacts) {
      if (left <= 0) return true;
      this.#waitingFacts.delete(id);
      const fact = this.#rows.fact(id);
      if (fact) this.#readFact(fact);
      left -= 1;
    }
    for (const [id, before] of this.#waitingEntities) {
      if (left <= 0) return true;
      this.#waitingEntities.delete(id);
      const entity = this.#rows.entityById(id);
      if (entity) this.#readEntity(entity, before);
      left -= entity?.mentions.length ?? 0;
    }
    return false;
  }

  /** The words of the facts and notes of these rows, whatever is in here. */
  pack(facts: readonly FactRow[], entities: readonly EntityRow[]): PackedFactWords {
    const words = new InvertedIndex({});
    const toldWords = new InvertedIndex({});
    for (const fact of facts) {
      words.add(fact.id, this.#wordsOfFact(fact));
      if (!isToldByKeys(fact)) toldWords.add(fact.id, analyze(sentenceOf(fact)));
    }
    for (const entity of entities) {
      for (const [id, { note }] of notesOf(entity)) words.add(id, this.#wordsOfNote(entity, note));
    }
    return {
      words: toKeywordSegment(words.documents()),
      toldWords: toKeywordSegment(toldWords.documents()),
    };
  }

  #readAll(): void {
    this.read(Infinity);
  }

  #readFact(fact: FactRow): void {
    this.#put(fact.id, this.#wordsOfFact(fact));
    if (!isToldByKeys(fact)) this.#toldWords.add(fact.id, analyze(sentenceOf(fact)));
  }

  #readEntity(entity: EntityRow, before: EntityRow | undefined): void {
    const notes = notesOf(entity);
    const known = before ? notesOf(before) : undefined;
    for (const id of known?.keys() ?? []) if (!notes.has(id)) this.#delete(id);
    for (const [id, { note }] of notes) {
      if (!known?.has(id)) this.#put(id, this.#wordsOfNote(entity, note));
    }
    this.#notes.delete(entity.id);
  }

  #wordsOfFact({ subjectKey, predicate, objectKey }: FactRow): readonly string[] {
    return [subjectKey, predicate, objectKey].flatMap((part) => this.#wordsOf(part));
  }

  #wordsOfNote({ key }: EntityRow, note: string): readonly string[] {
    return [...this.#wordsOf(key), ...analyze(note)];
  }

  /** Most facts are about somebody whom others are about, and say the same sort of thing. */
  #wordsOf(part: string): readonly string[] {
    const known = this.#wordsByPart.get(part);
    if (known) return known;
    const words = analyze(part);
    if (this.#wordsByPart.size === KNOWN_PARTS) this.#wordsByPart.clear();
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

  #put(id: string, words: readonly string[]): void {
    this.#delete(id);
    this.#words.add(id, words);
  }

  #delete(id: string): void {
    for (const index of [this.#words, this.#toldWords]) {
      if (index.delete(id) !== undefined && index.hasManyHoles) index.closeHoles();
    }
    this.#sentences.delete(id);
  }
}

/** Whether something that was stored is the words of sentences, as they were packed. */
export function arePackedFactWords(value: unknown): value is PackedFactWords {
  if (typeof value !== 'object' || value === null) return false;
  const { words, toldWords } = value as Partial<PackedFactWords>;
  return isKeywordSegment(words) && isKeywordSegment(toldWords);
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
    // Where other messages lend no words to it, it has those of its own, the name included.
    sources: [messageIds.length > 1 ? { messageId } : { messageId, quote: text }],
    saidAt: recordedAt,
  };
}

const SEPARATOR = '\0';

/** What was said of an entity, by an id that is that of no fact and changes with what is said. */
function notesOf({ id, key, mentions }: EntityRow): ReadonlyMap<string, EntityMention> {
  return new Map(
    withCurrentNote(mentions)
      .filter(({ messageIds }) => messageIds.length > 0)
      .map((mention) => [[id, key, mention.note, ...mention.messageIds].join(SEPARATOR), mention]),
  );
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

/** Whether the words in which a fact was told are those of its entities' keys, for certain. */
function isToldByKeys({ subject, subjectKey, predicate, object, objectKey }: FactRow): boolean {
  const isAscii = ASCII.test(subjectKey) && ASCII.test(predicate) && ASCII.test(objectKey);
  return isAscii && nameKey(subject) === subjectKey && nameKey(object) === objectKey;
}
