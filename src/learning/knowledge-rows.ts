import { nameKey } from '../graph/entity-name.ts';
import { FactGraph, storeOf, type KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from '../graph/triple.ts';
import { analyze } from '../search/analyze.ts';
import { aliasesOf } from '../storage/entity-text.ts';
import type { EntityRow, FactRow, StatementRow } from '../storage/schema.ts';
import { GraphNames } from './graph-names.ts';
import { MentionWords } from './mention-words.ts';
import { FactIndex } from './fact-index.ts';
import type { PackedWords } from './packed-words.ts';
import { StatementIndex } from './statement-index.ts';

/** What is written into rows, and taken from them. */
export interface RowChanges {
  readonly facts: readonly FactRow[];
  readonly entities: readonly EntityRow[];
  readonly statements: readonly StatementRow[];
  /** Ids. */
  readonly removedFacts: readonly string[];
  readonly removedEntities: readonly string[];
  readonly removedStatements: readonly string[];
}

/** What is taken up together. */
export type NewRows = Pick<RowChanges, 'facts' | 'entities' | 'statements'>;

/** Read in one go: some milliseconds. */
const SENTENCES_AT_ONCE = 1000;

/** The stored rows of a scope, and the graph that they make. */
export class KnowledgeRows {
  readonly graph: FactGraph;
  /** Facts and notes by their words. */
  readonly factIndex: FactIndex;
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

  /** @param packed the words of rows that come packed: see {@link unpack} */
  constructor(options: KnowledgeGraphOptions, packed: readonly PackedWords[] = []) {
    this.graph = new FactGraph(options);
    this.factIndex = new FactIndex(
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
    for (const { id } of changes.facts) this.factIndex.putFact(id);
    for (const { id } of changes.entities) this.factIndex.putEntity(id, this.entityById(id));
    this.#takeUp(changes);
    const entities = new Map(changes.entities.map((entity) => [entity.key, entity]));
    for (const { subjectKey, objectKey } of changes.facts) {
      for (const key of [subjectKey, objectKey]) {
        // One that was only in facts went with them, and comes back as it is written in its row.
        const row = storeOf(this.graph).hasNode(key) ? undefined : this.#entities.get(key);
        if (row) entities.set(key, row);
      }
    }
    if (entities.size + changes.facts.length === 0) return;
    // They were checked before they were stored.
    storeOf(this.graph).put(recordsOf([...entities.values()], changes.facts));
    this.#names.update();
  }

  /** Takes up rows that came packed, with their words, into what has none of them. Entities come before their facts. */
  unpack({ facts, entities, statements }: NewRows): void {
    this.#takeUp({ facts, entities, statements });
    storeOf(this.graph).fill(recordsOf(entities, facts));
    this.#names.update();
  }

  /** How many facts, entities and statements there are. */
  get size(): number {
    return this.#facts.size + this.#entities.size + this.#statements.size;
  }

  /** Reads some of what came for questions: see `FactIndex`. Returns whether there is more. */
  readSome(): boolean {
    return this.factIndex.read(SENTENCES_AT_ONCE) || this.statementIndex.read(SENTENCES_AT_ONCE);
  }

  /** The keys of the known entities that a text mentions, in the order of their first mention. */
  entitiesIn(text: string): string[] {
    return this.#names.nodesIn(text);
  }

  /** Keys of all names that an entity goes by, its own first. */
  namesOf(key: string): string[] {
    return [...new Set([key, ...(this.graph.entity(key)?.aliases ?? []).map(nameKey)])];
  }

  /** The facts that have any of these terms, by id, with how many of them each has. */
  sharing(terms: Iterable<string>): Map<string, number> {
    return this.factIndex.sharing(terms);
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

  /** Those that a later one has ended. */
  endedStatements(): StatementRow[] {
    return [...this.#ended.values()];
  }

  /** Differs as often as something has changed: what is computed from the rows may be kept until then. */
  get version(): number {
    return this.#version;
  }

  statements(): StatementRow[] {
    return [...this.#statements.values()];
  }

  /** What the user has said of facts. */
  enteredFacts(): FactRow[] {
    return [...this.#entered.values()];
  }

  pinnedFacts(): FactRow[] {
    return [...this.#pinned.values()];
  }

  /** By the key of its name. */
  entity(key: string): EntityRow | undefined {
    return this.#entities.get(key);
  }

  entityById(id: string): EntityRow | undefined {
    const row = this.#entities.get(this.#entityKeys.get(id) ?? '');
    return row?.id === id ? row : undefined;
  }

  /** Tells whether a word, as it is searched, is in the name of an entity or in what was said of it by then. */
  wordsOf({ key, name, mentions }: EntityRow): (term: string) => boolean {
    const words = this.#mentionWords.get(key) ?? new MentionWords();
    this.#mentionWords.set(key, words);
    return (term) => words.has(mentions, term) || analyze(name).includes(term);
  }

  entities(): EntityRow[] {
    return [...this.#entities.values()];
  }

  #takeUp({ facts, entities, statements }: NewRows): void {
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
    this.factIndex.deleteFact(id);
    this.#pinned.delete(id);
    this.#entered.delete(id);
    this.#facts.delete(id);
  }

  #removeEntity(id: string): void {
    const row = this.entityById(id);
    this.#entityKeys.delete(id);
    this.factIndex.deleteEntity(id, row);
    if (!row) return;
    this.#entities.delete(row.key);
    this.#mentionWords.delete(row.key);
    // Its name may be an alias of another one by now, which is to stay.
    if (this.graph.nodeKey(row.name) === row.key) this.graph.deleteEntity(row.name);
  }
}

function recordsOf(entities: readonly EntityRow[], facts: readonly FactRow[]): GraphRecords {
  return {
    entities: entities.map(entityRecord),
    triples: facts.map(tripleRecord).toSorted((a, b) => a.seq - b.seq),
  };
}

/** What the graph knows of an entity: what was said of it keeps it there without facts. */
export function entityRecord(row: EntityRow): EntityRecord {
  return {
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    isStandalone: row.isStandalone || row.mentions.length > 0,
  };
}

/** Named field by field: to take the others away from ten thousand rows takes ten times as long. */
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
