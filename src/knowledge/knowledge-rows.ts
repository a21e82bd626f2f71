import { createNameFinder, type NameFinder } from '../graph/find-names.ts';
import { KnowledgeGraph, type KnowledgeGraphOptions } from '../graph/knowledge-graph.ts';
import type { EntityRecord, TripleRecord } from '../graph/triple.ts';
import type { KnowledgeChanges } from '../storage/knowledge-store.ts';
import { aliasesOf } from '../storage/entity-text.ts';
import type { EntityRow, FactRow } from '../storage/schema.ts';
import { StatementIndex } from './statement-index.ts';

type RowChanges = Omit<KnowledgeChanges, 'cursor' | 'reset'>;

/** The stored rows of a scope, and the graph that they make. */
export class KnowledgeRows {
  readonly graph: KnowledgeGraph;
  readonly #facts = new Map<string, FactRow>();
  readonly #entities = new Map<string, EntityRow>();
  #finder: NameFinder | undefined;
  #statements: StatementIndex | undefined;

  constructor(options: KnowledgeGraphOptions) {
    this.graph = new KnowledgeGraph(options);
  }

  apply(changes: RowChanges): void {
    if (![changes.facts, changes.entities, changes.removedFacts, changes.removedEntities].some(isFilled))
      return;
    this.#finder = undefined;
    if (this.#statements) changeStatements(this.#statements, changes);
    for (const id of changes.removedFacts) this.#facts.delete(id);
    this.graph.deleteRecords(changes.removedFacts);
    const removed = new Set(changes.removedEntities);
    for (const [key, { id, name }] of this.#entities) {
      if (!removed.has(id)) continue;
      this.#entities.delete(key);
      // Its name may be an alias of another one by now, which is to stay.
      if (this.graph.nodeKey(name) === key) this.graph.deleteEntity(name);
    }
    for (const fact of changes.facts) this.#facts.set(fact.id, fact);
    for (const entity of changes.entities) this.#entities.set(entity.key, entity);
    const entities = new Map(changes.entities.map((entity) => [entity.key, entity]));
    for (const key of changes.facts.flatMap((fact) => [fact.subjectKey, fact.objectKey])) {
      // One that was only in facts went with them, and comes back as it is written in its row.
      const row = this.graph.graph.hasNode(key) ? undefined : this.#entities.get(key);
      if (row) entities.set(key, row);
    }
    this.graph.putRecords({
      entities: Array.from(entities.values(), entityRecord),
      triples: changes.facts.map(tripleRecord),
    });
  }

  /** The known names that a text mentions, in order. */
  namesIn(text: string): string[] {
    this.#finder ??= createNameFinder(this.graph.entities());
    return this.#finder(text);
  }

  /** Facts and notes by their words. Made when it is first asked for, and kept up to date from then on. */
  get statements(): StatementIndex {
    if (!this.#statements) {
      this.#statements = new StatementIndex();
      const none = { removedFacts: [], removedEntities: [] };
      changeStatements(this.#statements, { facts: this.facts(), entities: this.entities(), ...none });
    }
    return this.#statements;
  }

  fact(id: string): FactRow | undefined {
    return this.#facts.get(id);
  }

  facts(): FactRow[] {
    return [...this.#facts.values()];
  }

  /** By the key of its name. */
  entity(key: string): EntityRow | undefined {
    return this.#entities.get(key);
  }

  entities(): EntityRow[] {
    return [...this.#entities.values()];
  }
}

function changeStatements(statements: StatementIndex, changes: RowChanges): void {
  for (const id of changes.removedFacts) statements.delete(id);
  for (const id of changes.removedEntities) statements.deleteEntity(id);
  for (const fact of changes.facts) statements.putFact(fact);
  for (const entity of changes.entities) statements.putEntity(entity);
}

function isFilled(rows: readonly unknown[]): boolean {
  return rows.length > 0;
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

function tripleRecord(row: FactRow): TripleRecord {
  const { scope: _scope, subjectKey: _s, objectKey: _o, messageIds: _m, isPinned: _p, ...record } = row;
  return record;
}
