import { sentenceOf } from '../graph/fact-sentence.ts';
import type { TripleSource } from '../graph/triple.ts';
import { rarity } from '../search/bm25.ts';
import { KeywordIndex } from '../search/keyword-index.ts';
import type { SearchHit } from '../search/search-hit.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';

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

/** The facts and notes of a scope, ranked by their words: the rare ones count most. */
export class StatementIndex {
  readonly #words = new KeywordIndex();
  readonly #statements = new Map<string, Statement>();
  /** Ids of the notes of an entity, by the id of its row. */
  readonly #notes = new Map<string, readonly string[]>();

  /** What a word scores that stands in one statement alone. */
  get fullScore(): number {
    return rarity(this.#words.size, 1);
  }

  get(id: string): Statement | undefined {
    return this.#statements.get(id);
  }

  /** The `k` statements that match best, of those that `filter` admits, best first. */
  search(query: string, k: number, filter: (statement: Statement) => boolean): SearchHit[] {
    return this.#words.search(query, k, (id) => {
      const statement = this.#statements.get(id);
      return statement !== undefined && filter(statement);
    });
  }

  putFact({ id, subjectKey, predicate, objectKey, sources, recordedAt }: FactRow): void {
    this.#put(id, {
      text: sentenceOf({ subject: subjectKey, predicate, object: objectKey }),
      entities: [subjectKey, objectKey],
      factId: id,
      sources: sources.filter((source) => !source.isContext),
      saidAt: recordedAt,
    });
  }

  /** Puts the notes of an entity in the place of those that it had. */
  putEntity({ id: entityId, key, mentions }: EntityRow): void {
    const left = new Set(this.#notes.get(entityId));
    const notes = new Set<string>();
    for (const { messageIds, note, recordedAt } of mentions) {
      const [messageId] = messageIds;
      if (messageId === undefined || note === '') continue;
      const id = JSON.stringify([entityId, key, note, messageIds]);
      notes.add(id);
      if (left.delete(id)) continue;
      this.#put(id, {
        text: `${key} ${note}`,
        entities: [key],
        // Where other messages lend no words to it, it has those of its own, the name included.
        sources: [messageIds.length > 1 ? { messageId } : { messageId, quote: `${key} ${note}` }],
        saidAt: recordedAt,
      });
    }
    for (const id of left) this.delete(id);
    this.#notes.set(entityId, [...notes]);
  }

  deleteEntity(entityId: string): void {
    for (const id of this.#notes.get(entityId) ?? []) this.delete(id);
    this.#notes.delete(entityId);
  }

  delete(id: string): void {
    this.#words.delete(id);
    this.#statements.delete(id);
  }

  #put(id: string, statement: Statement): void {
    this.#words.add(id, statement.text);
    this.#statements.set(id, statement);
  }
}
