import { nameKey } from '../graph/entity-name.ts';
import { sentenceOf } from '../graph/fact-sentence.ts';
import type { TripleSource } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { rarity } from '../search/bm25.ts';
import { InvertedIndex } from '../search/inverted-index.ts';
import { offerScored, scoreTerms } from '../search/score-terms.ts';
import type { SearchHit } from '../search/search-hit.ts';
import { TopHits } from '../search/top-hits.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';
import { FactWords } from './fact-words.ts';

/** A fact, or a note of an entity, as one sentence that questions are held against. */
export interface Statement {
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

/**
 * The facts and notes of a scope, ranked by their words: the rare ones count most.
 *
 * Rows that are put wait until they are read, some by some or, at the latest, all at the next question: to read ten
 * thousand in one go would keep the page from answering.
 */
export class StatementIndex {
  readonly #words = new InvertedIndex({});
  readonly #statements = new Map<string, Statement>();
  /** Ids of the notes of an entity, by the id of its row. */
  readonly #notes = new Map<string, readonly string[]>();
  /** The facts that were told in other words than the keys of their entities. */
  readonly #toldWords = new FactWords();
  readonly #toldOtherwise = new Map<string, FactRow>();
  readonly #wordsByPart = new Map<string, readonly string[]>();
  readonly #waitingFacts = new Map<string, FactRow>();
  readonly #waitingEntities = new Map<string, EntityRow>();

  /** What a word scores that stands in one statement alone. */
  get fullScore(): number {
    this.#readAll();
    return rarity(this.#words.size, 1);
  }

  get(id: string): Statement | undefined {
    return this.#statements.get(id);
  }

  /** The `k` statements that match a list of words best, of those that `filter` admits, best first. */
  search(words: readonly string[], k: number, filter: (statement: Statement) => boolean): SearchHit[] {
    this.#readAll();
    const top = new TopHits(k, (id) => {
      const statement = this.#statements.get(id);
      return statement !== undefined && filter(statement);
    });
    offerScored(this.#words, scoreTerms(this.#words, this.#words.queryTerms(words)), top);
    return top.ranked();
  }

  /** The facts that have any of these words, in the wording in which they were told, and how many of them each has. */
  sharing(words: Iterable<string>): Map<string, number> {
    this.#readAll();
    const distinct = new Set(words);
    const shared = this.#toldWords.sharing(distinct);
    for (const word of distinct) {
      this.#words.postings(word)?.forEach((ordinal) => {
        const id = this.#words.idAt(ordinal) ?? '';
        const isTold = this.#statements.get(id)?.factId !== undefined && !this.#toldOtherwise.has(id);
        if (isTold) shared.set(id, (shared.get(id) ?? 0) + 1);
      });
    }
    return shared;
  }

  putFact(fact: FactRow): void {
    this.#waitingFacts.set(fact.id, fact);
  }

  /** Puts the notes of an entity in the place of those that it had. */
  putEntity(entity: EntityRow): void {
    this.#waitingEntities.set(entity.id, entity);
  }

  deleteFact(id: string): void {
    this.#waitingFacts.delete(id);
    this.#delete(id);
  }

  deleteEntity(entityId: string): void {
    this.#waitingEntities.delete(entityId);
    for (const id of this.#notes.get(entityId) ?? []) this.#delete(id);
    this.#notes.delete(entityId);
  }

  /** Reads waiting rows, of about so many statements. Returns whether there are more. */
  read(atMost: number): boolean {
    let left = atMost;
    for (const [id, fact] of this.#waitingFacts) {
      if (left <= 0) return true;
      this.#waitingFacts.delete(id);
      this.#readFact(fact);
      left -= 1;
    }
    for (const [id, entity] of this.#waitingEntities) {
      if (left <= 0) return true;
      this.#waitingEntities.delete(id);
      this.#readEntity(entity);
      left -= entity.mentions.length;
    }
    return false;
  }

  #readAll(): void {
    this.read(Infinity);
  }

  #readFact(fact: FactRow): void {
    const { id, subjectKey, predicate, objectKey, sources, recordedAt } = fact;
    const text = sentenceOf({ subject: subjectKey, predicate, object: objectKey });
    const words = [...this.#wordsOf(subjectKey), ...this.#wordsOf(predicate), ...this.#wordsOf(objectKey)];
    this.#put(id, words, {
      text,
      entities: [subjectKey, objectKey],
      factId: id,
      sources: sources.some((source) => source.isContext)
        ? sources.filter((source) => !source.isContext)
        : sources,
      saidAt: recordedAt,
    });
    if (isToldByKeys(fact, text)) return;
    this.#toldWords.add(id, fact);
    this.#toldOtherwise.set(id, fact);
  }

  #readEntity({ id: entityId, key, mentions }: EntityRow): void {
    if (mentions.length === 0 && !this.#notes.has(entityId)) return;
    const left = new Set(this.#notes.get(entityId));
    const notes = new Set<string>();
    for (const { messageIds, note, recordedAt } of mentions) {
      const [messageId] = messageIds;
      if (messageId === undefined || note === '') continue;
      const id = [entityId, key, note, ...messageIds].join('\0');
      notes.add(id);
      if (left.delete(id)) continue;
      this.#put(id, [...this.#wordsOf(key), ...analyze(note)], {
        text: `${key} ${note}`,
        entities: [key],
        // Where other messages lend no words to it, it has those of its own, the name included.
        sources: [messageIds.length > 1 ? { messageId } : { messageId, quote: `${key} ${note}` }],
        saidAt: recordedAt,
      });
    }
    for (const id of left) this.#delete(id);
    this.#notes.set(entityId, [...notes]);
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

  #put(id: string, words: readonly string[], statement: Statement): void {
    this.#delete(id);
    this.#words.add(id, words);
    this.#statements.set(id, statement);
  }

  #delete(id: string): void {
    if (this.#words.delete(id) !== undefined && this.#words.hasManyHoles) this.#words.closeHoles();
    this.#statements.delete(id);
    const told = this.#toldOtherwise.get(id);
    if (!told) return;
    this.#toldWords.remove(id, told);
    this.#toldOtherwise.delete(id);
  }
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

/** Whether the words in which a fact was told are those of its entities' keys, for certain. */
function isToldByKeys({ subject, subjectKey, object, objectKey }: FactRow, text: string): boolean {
  return ASCII.test(text) && nameKey(subject) === subjectKey && nameKey(object) === objectKey;
}
