import { nameKey } from '../graph/entity-name.ts';
import { FactGraph, storeOf, type KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { aliasesOf } from '../storage/facts-and-entities.ts';
import type { EntityRow, FactRow, StatementRow } from '../storage/schema.ts';
import { GraphNames } from './graph-names.ts';
import { MentionWords } from './mention-words.ts';
import { SentenceIndex } from './sentence-index.ts';
import type { PackedWords } from './packed-words.ts';
import { StatementIndex } from './statement-index.ts';

/** Rows to add or replace, and ids of rows to remove. */
export interface RowChanges {
  readonly facts: readonly FactRow[];
  readonly entities: readonly EntityRow[];
  readonly statements: readonly StatementRow[];
  readonly removedFacts: readonly string[];
  readonly removedEntities: readonly string[];
  readonly removedStatements: readonly string[];
}

/** Rows that are added together. */
export type NewRows = Pick<RowChanges, 'facts' | 'entities' | 'statements'>;

/** Number of sentences indexed at once, which takes a few milliseconds. */
const SLICE_SENTENCES = 1000;

/** The stored rows of a scope, and the graph built from them. */
export class KnowledgeRows {
  readonly graph: FactGraph;
  /** Keyword index of facts and notes. */
  readonly sentenceIndex: SentenceIndex;
  readonly statementIndex: StatementIndex;
  readonly #facts = new Map<string, FactRow>();
  readonly #pinned = new Map<string, FactRow>();
  readonly #entered = new Map<string, FactRow>();
  readonly #statements = new Map<string, StatementRow>();
  readonly #ended = new Map<string, StatementRow>();
  #version = 0;
  readonly #entities = new Map<string, EntityRow>();
  readonly #entityKeys = new Map<string, string>();
  readonly #mentionWords = new Map<string, MentionWords>();
  readonly #names: GraphNames;

  /** @param packed terms of the rows that {@link unpack} adds */
  constructor(options: KnowledgeGraphOptions, packed: readonly PackedWords[] = []) {
    this.graph = new FactGraph(options);
    this.sentenceIndex = new SentenceIndex(
      this,
      packed.map(({ facts }) => facts),
    );
    this.statementIndex = new StatementIndex(
      this,
      packed.map(({ statements }) => statements),
    );
    this.#names = new GraphNames(this.graph);
  }

  apply(changes: RowChanges): void {
    for (const id of changes.removedStatements) this.#removeStatement(id);
    for (const id of changes.removedFacts) this.#removeFact(id);
    this.graph.deleteRecords(changes.removedFacts);
    for (const id of changes.removedEntities) this.#removeEntity(id);
    for (const { id } of changes.statements) this.statementIndex.put(id);
    for (const { id } of changes.facts) this.sentenceIndex.putFact(id);
    for (const { id } of changes.entities) this.sentenceIndex.putEntity(id, this.entityById(id));
    this.#addRows(changes);
    const entities = new Map(changes.entities.map((entity) => [entity.key, entity]));
    for (const { subjectKey, objectKey } of changes.facts) {
      for (const key of [subjectKey, objectKey]) {
        // An entity that was only in removed facts went with them, and is restored from its row.
        const row = storeOf(this.graph).hasNode(key) ? undefined : this.#entities.get(key);
        if (row) entities.set(key, row);
      }
    }
    if (entities.size + changes.facts.length === 0) return;
    // The rows were validated before they were stored.
    storeOf(this.graph).put(recordsOf([...entities.values()], changes.facts));
    this.#names.update();
  }

  /**
   * Adds packed rows to an empty graph; their terms were passed to the constructor. Entities must come before their
   * facts.
   */
  unpack({ facts, entities, statements }: NewRows): void {
    this.#addRows({ facts, entities, statements });
    storeOf(this.graph).fill(recordsOf(entities, facts));
    this.#names.update();
  }

  /** Number of facts, entities and statements. */
  get size(): number {
    return this.#facts.size + this.#entities.size + this.#statements.size;
  }

  /** Indexes some of the queued rows: see `SentenceIndex`. Returns whether there are more. */
  readSome(): boolean {
    return this.sentenceIndex.read(SLICE_SENTENCES) || this.statementIndex.read(SLICE_SENTENCES);
  }

  /** Returns the keys of the known entities that a text mentions, in the order of their first mention. */
  entitiesIn(text: string): string[] {
    return this.#names.nodesIn(text);
  }

  /** Returns the keys of all names of an entity, its own first. */
  namesOf(key: string): string[] {
    return [...new Set([key, ...(this.graph.entity(key)?.aliases ?? []).map(nameKey)])];
  }

  /** Counts, for each fact by id, how many of these terms it contains. Facts without any are left out. */
  sharing(terms: Iterable<string>): Map<string, number> {
    return this.sentenceIndex.sharing(terms);
  }

  fact(id: string): FactRow | undefined {
    return this.#facts.get(id);
  }

  facts(): FactRow[] {
    return [...this.#facts.values()];
  }

  statement(id: string): StatementRow | undefined {
    return this.#statements.get(id);
  }

  /** Returns the statements that a later one has ended. */
  endedStatements(): StatementRow[] {
    return [...this.#ended.values()];
  }

  /** Changes with every change of the rows, so that results computed from them can be cached. */
  get version(): number {
    return this.#version;
  }

  statements(): StatementRow[] {
    return [...this.#statements.values()];
  }

  /** Returns the facts that the user entered. */
  enteredFacts(): FactRow[] {
    return [...this.#entered.values()];
  }

  pinnedFacts(): FactRow[] {
    return [...this.#pinned.values()];
  }

  /** Returns an entity by the key of its name. */
  entity(key: string): EntityRow | undefined {
    return this.#entities.get(key);
  }

  entityById(id: string): EntityRow | undefined {
    const row = this.#entities.get(this.#entityKeys.get(id) ?? '');
    return row?.id === id ? row : undefined;
  }

  /** Returns a test for whether an index term is in the name or a mention of an entity. */
  wordsOf({ key, name, mentions }: EntityRow): (term: string) => boolean {
    const words = this.#mentionWords.get(key) ?? new MentionWords();
    this.#mentionWords.set(key, words);
    return (term) => words.has(mentions, term) || analyze(name).includes(term);
  }

  entities(): EntityRow[] {
    return [...this.#entities.values()];
  }

  #addRows({ facts, entities, statements }: NewRows): void {
    this.#version += 1;
    for (const statement of statements) {
      this.#statements.set(statement.id, statement);
      if (statement.endedBy === undefined) this.#ended.delete(statement.id);
      else this.#ended.set(statement.id, statement);
    }
    for (const fact of facts) {
      this.#facts.set(fact.id, fact);
      if (fact.isPinned) this.#pinned.set(fact.id, fact);
      else this.#pinned.delete(fact.id);
      if (fact.source === 'user') this.#entered.set(fact.id, fact);
    }
    for (const entity of entities) {
      this.#entities.set(entity.key, entity);
      this.#entityKeys.set(entity.id, entity.key);
    }
  }

  #removeStatement(id: string): void {
    this.statementIndex.delete(id);
    this.#statements.delete(id);
    this.#ended.delete(id);
  }

  #removeFact(id: string): void {
    this.sentenceIndex.deleteFact(id);
    this.#pinned.delete(id);
    this.#entered.delete(id);
    this.#facts.delete(id);
  }

  #removeEntity(id: string): void {
    const row = this.entityById(id);
    this.#entityKeys.delete(id);
    this.sentenceIndex.deleteEntity(id, row);
    if (!row) return;
    this.#entities.delete(row.key);
    this.#mentionWords.delete(row.key);
    // Its name may have become an alias of another entity, which must stay.
    if (this.graph.nodeKey(row.name) === row.key) this.graph.deleteEntity(row.name);
  }
}

function recordsOf(entities: readonly EntityRow[], facts: readonly FactRow[]): GraphRecords {
  return {
    entities: entities.map(entityRecord),
    triples: facts.map(tripleRecord).toSorted((a, b) => a.seq - b.seq),
  };
}

/** Returns the graph's record of an entity. Its mentions keep it in the graph without facts. */
export function entityRecord(row: EntityRow): EntityRecord {
  return {
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    isStandalone: row.isStandalone || row.mentions.length > 0,
  };
}

/** Copies field by field: removing fields with rest syntax is ten times slower for ten thousand rows. */
function tripleRecord(row: FactRow): TripleRecord {
  return {
    id: row.id,
    seq: row.seq,
    subject: row.subject,
    predicate: row.predicate,
    object: row.object,
    validFrom: row.validFrom,
    ...(row.validTo === undefined ? {} : { validTo: row.validTo }),
    recordedAt: row.recordedAt,
    ...(row.retraction === undefined ? {} : { retraction: row.retraction }),
    supersedes: row.supersedes,
    source: row.source,
    sources: row.sources,
    attributes: row.attributes,
  };
}
