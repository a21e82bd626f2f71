import { nameKey, type NamedEntity } from '../graph/entity-name.ts';
import { FactGraph, storeOf, type KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { NameIndex } from '../graph/name-index.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { isKeywordSegment, type KeywordSegment } from '../search/keyword-segment.ts';
import { aliasesOf } from '../storage/facts-and-entities.ts';
import type { KnowledgeWrite } from '../storage/knowledge-store.ts';
import type { EntityRow, FactRow, StatementRow, PackedRows, EntityMention } from '../storage/schema.ts';
import { SentenceIndex, type PackedFactWords } from './sentence-index.ts';
import { StatementIndex } from './statement-index.ts';

/** Rows that are added together. */
export type NewRows = Pick<KnowledgeWrite, 'facts' | 'entities' | 'statements'>;

/** Rows to add or replace, and ids of rows to remove. */
export interface RowChanges extends NewRows, Pick<KnowledgeWrite, 'removedFacts' | 'removedStatements'> {
  readonly removedEntities: readonly string[];
}

/** Index terms of packed rows. */
export interface PackedWords {
  readonly facts: PackedFactWords;
  readonly statements: KeywordSegment;
}

/** Returns the terms of packed rows, or undefined if they are damaged or of another version. */
export function packedWords(packed: readonly PackedRows[]): PackedWords[] | undefined {
  const words = packed.map(({ index }) => index as PackedWords | undefined);
  const areUsable = words.every(
    (each): each is PackedWords =>
      isKeywordSegment(each?.facts?.words) &&
      isKeywordSegment(each.facts.toldWords) &&
      isKeywordSegment(each.statements),
  );
  return areUsable ? words : undefined;
}

/** Number of sentences indexed at once, which takes a few milliseconds. */
const SLICE_SENTENCES = 1000;

/** The stored rows of a scope, and the graph built from them. */
export class KnowledgeRows {
  readonly graph: FactGraph;
  /** Keyword index of facts and notes. */
  readonly sentenceIndex: SentenceIndex;
  readonly statementIndex: StatementIndex;
  readonly #facts = new Map<string, FactRow>();
  readonly #pinnedFacts = new Map<string, FactRow>();
  readonly #enteredFacts = new Map<string, FactRow>();
  readonly #statements = new Map<string, StatementRow>();
  readonly #endedStatements = new Map<string, StatementRow>();
  readonly #entities = new Map<string, EntityRow>();
  readonly #entityKeys = new Map<string, string>();
  readonly #mentionWords = new Map<string, MentionWords>();
  readonly #names: GraphNames;
  readonly facts: ReadonlyMap<string, FactRow> = this.#facts;
  readonly pinnedFacts: ReadonlyMap<string, FactRow> = this.#pinnedFacts;
  /** The facts that the user entered. */
  readonly enteredFacts: ReadonlyMap<string, FactRow> = this.#enteredFacts;
  readonly statements: ReadonlyMap<string, StatementRow> = this.#statements;
  /** The statements that a later one has ended. */
  readonly endedStatements: ReadonlyMap<string, StatementRow> = this.#endedStatements;
  /** The entities by the key of their name. */
  readonly entities: ReadonlyMap<string, EntityRow> = this.#entities;
  /** Changes with every change of the rows, so that results computed from them can be cached. */
  version = 0;

  /** @param packed terms of the rows that {@link unpack} adds */
  constructor(options: KnowledgeGraphOptions, packed: readonly PackedWords[] = []) {
    this.graph = new FactGraph(options);
    const packedFacts = packed.map(({ facts }) => facts);
    this.sentenceIndex = new SentenceIndex(this, packedFacts);
    const packedStatements = packed.map(({ statements }) => statements);
    this.statementIndex = new StatementIndex(this.statements, packedStatements);
    this.#names = new GraphNames(storeOf(this.graph));
  }

  apply(changes: RowChanges): void {
    for (const id of changes.removedStatements) {
      this.statementIndex.delete(id);
      for (const rows of [this.#statements, this.#endedStatements]) rows.delete(id);
    }
    for (const id of changes.removedFacts) {
      this.sentenceIndex.deleteFact(id);
      for (const rows of [this.#facts, this.#pinnedFacts, this.#enteredFacts]) rows.delete(id);
    }
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

  all(): NewRows {
    return {
      facts: [...this.#facts.values()],
      entities: [...this.#entities.values()],
      statements: [...this.#statements.values()],
    };
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

  /** Returns the index terms of these rows. */
  pack({ facts, entities, statements }: NewRows): PackedWords {
    return {
      facts: this.sentenceIndex.pack(facts, entities),
      statements: this.statementIndex.pack(statements),
    };
  }

  #addRows({ facts, entities, statements }: NewRows): void {
    this.version += 1;
    for (const row of statements) {
      this.#statements.set(row.id, row);
      putIf(row.endedBy !== undefined, this.#endedStatements, row);
    }
    for (const row of facts) {
      this.#facts.set(row.id, row);
      putIf(row.isPinned === true, this.#pinnedFacts, row);
      putIf(row.source === 'user', this.#enteredFacts, row);
    }
    for (const row of entities) {
      this.#entities.set(row.key, row);
      this.#entityKeys.set(row.id, row.key);
    }
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

function putIf<Row extends { readonly id: string }>(isIn: boolean, rows: Map<string, Row>, row: Row): void {
  if (isIn) rows.set(row.id, row);
  else rows.delete(row.id);
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

/**
 * Finds the entities of a graph by their names in a text. After a change, only the changed entities are indexed
 * again.
 */
class GraphNames {
  readonly #store: GraphStore;
  readonly #index = new NameIndex();
  /** The indexed entities, by node. */
  readonly #known = new Map<string, NamedEntity>();
  readonly #touched = new Set<string>();

  constructor(store: GraphStore) {
    this.#store = store;
    store.listen({ entity: (node) => void this.#touched.add(node), fact: () => undefined });
  }

  /** Returns the nodes of the entities that a text mentions, in the order of their first mention. */
  nodesIn(text: string): string[] {
    this.update();
    return this.#index.find(text).map((name) => this.#store.names.nodeOf(name));
  }

  /** Indexes what has changed. Every search calls it; calling it earlier helps after large changes. */
  update(): void {
    for (const node of this.#touched) this.#update(node);
    this.#touched.clear();
  }

  #update(node: string): void {
    const before = this.#known.get(node);
    const now = this.#store.hasNode(node) ? this.#store.entity(node) : undefined;
    if (before && now && isSame(before, now)) return;
    if (before) this.#index.remove(before);
    this.#known.delete(node);
    if (!now) return;
    this.#index.add(now);
    this.#known.set(node, now);
  }
}

function isSame(a: NamedEntity, b: NamedEntity): boolean {
  const isAlias = (alias: string, position: number): boolean => alias === b.aliases[position];
  return a.name === b.name && a.aliases.length === b.aliases.length && a.aliases.every(isAlias);
}

/**
 * The index terms of an entity's mentions. Term counts are kept between calls and updated by the difference, because
 * a turn adds one mention to thousands.
 */
class MentionWords {
  #mentions: readonly EntityMention[] = [];
  readonly #counts = new Map<string, number>();

  /** Whether one of these mentions contains an index term. */
  has(mentions: readonly EntityMention[], term: string): boolean {
    this.#turnTo(mentions);
    return this.#counts.has(term);
  }

  #turnTo(mentions: readonly EntityMention[]): void {
    const before = this.#mentions;
    if (mentions === before) return;
    let same = 0;
    while (same < mentions.length && saySame(before[same], mentions[same])) same += 1;
    for (const gone of before.slice(same)) this.#count(gone, -1);
    for (const added of mentions.slice(same)) this.#count(added, 1);
    this.#mentions = mentions;
  }

  #count({ note, aliases }: EntityMention, by: 1 | -1): void {
    for (const term of analyze([note, ...aliases].join(' '))) {
      const count = (this.#counts.get(term) ?? 0) + by;
      if (count > 0) this.#counts.set(term, count);
      else this.#counts.delete(term);
    }
  }
}

function saySame(a: EntityMention | undefined, b: EntityMention | undefined): boolean {
  return a?.note === b?.note && a?.aliases.join('\n') === b?.aliases.join('\n');
}
