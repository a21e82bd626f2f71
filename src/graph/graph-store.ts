import { MnemoraError } from '../model/error.ts';
import { nameKey } from './entity-name.ts';
import { EntityNames } from './entity-names.ts';
import { FactIndex } from './fact-index.ts';
import type { FactSlots, SaidFact } from './fact-slot.ts';
import { checkAgainst, edgeAttributes, mergeRecords, nodeAttributes } from './graph-records.ts';
import type { GraphMirror, OutsideListener } from './graph-mirror.ts';
import { canReplace, mergeEntities } from './merge-entities.ts';
import type { MultiDirectedGraph } from './graphology.ts';
import type { Entity, EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/** Returns the slots of a fact between two nodes: see `FactIndex`. */
export type SlotsOf = (said: SaidFact, subject: string, object: string) => FactSlots;

/** Called after a change, with the key of the node or the id of the fact. */
export interface GraphListener {
  /** An entity was added, changed or dropped. */
  entity(node: string): void;
  /** A fact was added, changed or dropped. */
  fact(id: string): void;
}

/** Makes the graphology graph that mirrors the facts. */
export type MakeMirror = (listener: OutsideListener) => GraphMirror;

/**
 * Holds entities and facts, and the indexes that find them. Knows nothing about time.
 *
 * The graphology graph is a mirror that is created on first use: answering a question does not traverse it, and
 * building it takes as long as building everything else.
 */
export class GraphStore {
  readonly facts: FactIndex = new FactIndex();
  readonly names: EntityNames = new EntityNames();
  readonly #slotsOf: SlotsOf;
  #nextSeq = 0;
  #latestTime = Number.NEGATIVE_INFINITY;
  readonly #entities = new Map<string, EntityRecord>();
  readonly #onChange: () => void;
  readonly #listeners = new Set<GraphListener>();
  readonly #newMirror: MakeMirror | undefined;
  #mirror: GraphMirror | undefined;

  /** @param onChange called after a fact was added, changed or dropped, including through the graphology graph */
  constructor(slotsOf: SlotsOf, onChange: () => void, makeMirror?: MakeMirror) {
    this.#slotsOf = slotsOf;
    this.#onChange = onChange;
    this.#newMirror = makeMirror;
  }

  /** The graph for traversal. What is dropped from it is dropped here as well. */
  get graph(): MultiDirectedGraph {
    this.#mirror ??= this.#filledMirror();
    return this.#mirror.graph;
  }

  /**
   * Reports every change from now on, including those made through the graphology graph. Returns a function that
   * stops it.
   */
  listen(listener: GraphListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  hasNode(node: string): boolean {
    return this.#entities.has(node) || this.#mirror?.graph.hasNode(node) === true;
  }

  /** Returns all nodes in the order they were added. */
  nodes(): string[] {
    return this.#mirror ? this.#mirror.graph.nodes() : [...this.#entities.keys()];
  }

  /** Returns the subject and object nodes of a fact, or an empty array if it does not exist. */
  endsOf(id: string): [subject: string, object: string] | [] {
    const place = this.facts.place(id);
    return place ? [place.subject, place.object] : [];
  }

  /** The `seq` of the next fact. It never decreases. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** The latest time at which anything was recorded. It never decreases. */
  get latestTime(): number {
    return this.#latestTime;
  }

  /** Returns everything as plain data for storing. */
  toRecords(): GraphRecords {
    return {
      entities: this.nodes().map((node) => this.entity(node)),
      triples: [...this.facts.records.values()].toSorted((a, b) => a.seq - b.seq),
    };
  }

  /** Adds validated records. @throws MnemoraError `invalid-input` if two entities have the same alias */
  load({ entities, triples }: GraphRecords): void {
    for (const entity of entities) this.putEntity(entity);
    for (const record of triples) this.insert(record);
  }

  /** Adds records that were stored together and are consistent with each other, without checking them. */
  fill({ entities, triples }: GraphRecords): void {
    for (const entity of entities) this.#replaceEntity(entity);
    for (const record of triples) this.insert(record);
  }

  /**
   * Adds validated records, replacing those with the same ids and names.
   *
   * @throws MnemoraError `invalid-input` if they conflict with existing records. Nothing changes then.
   */
  put(given: GraphRecords): void {
    checkAgainst(given.triples, this.facts);
    const ends = new Set(given.triples.flatMap(({ id }) => this.endsOf(id)));
    if (canReplace(given.entities, this)) {
      for (const { id } of given.triples) this.#dropFact(id);
      this.fill(given);
    } else {
      const all = mergeRecords(this.toRecords(), given);
      new GraphStore(this.#slotsOf, () => undefined).load(all); // throws before anything has changed
      this.clear();
      this.load(all);
    }
    for (const { name } of given.entities) ends.delete(this.names.nodeOf(name));
    for (const node of ends) this.dropIfBare(node);
  }

  insert(record: TripleRecord): void {
    this.#note(record);
    const subject = this.#nodeFor(record.subject);
    const object = this.#nodeFor(record.object);
    this.facts.add(record, { subject, object, slots: this.#slotsOf(record, subject, object) });
    this.#mirror?.reflect((graph) =>
      graph.addDirectedEdgeWithKey(record.id, subject, object, edgeAttributes(record)),
    );
    this.#factChanged(record.id);
  }

  /** Replaces the record with the same id, which has the same subject, predicate and object. */
  replace(record: TripleRecord): void {
    this.#note(record);
    this.facts.replace(record);
    this.#mirror?.reflect((graph) => graph.replaceEdgeAttributes(record.id, edgeAttributes(record)));
    this.#factChanged(record.id);
  }

  /** Erases a fact, and its entities if nothing else keeps them. */
  erase(id: string): void {
    const ends = this.endsOf(id);
    this.#dropFact(id);
    for (const node of ends) this.dropIfBare(node);
  }

  dropIfBare(node: string): void {
    if (this.isBare(node) && !this.#entities.get(node)?.isStandalone) this.dropNode(node);
  }

  /** Whether a node exists and has no facts. */
  isBare(node: string): boolean {
    if (!this.hasNode(node) || this.facts.at(node).length > 0) return false;
    return !this.#mirror?.graph.hasNode(node) || this.#mirror.graph.degree(node) === 0;
  }

  /** Erases a node and its facts. */
  dropNode(node: string): void {
    this.#forgetNode(node);
    this.#mirror?.reflect((graph) => graph.dropNode(node));
  }

  clear(): void {
    const nodes = [...this.#entities.keys()];
    this.facts.clear();
    this.names.clear();
    this.#entities.clear();
    this.#mirror?.reflect((graph) => graph.clear());
    for (const node of nodes) this.#entityChanged(node);
    this.#onChange();
  }

  /** Adds an entity or merges it into a known one, and returns its node. @throws MnemoraError `invalid-input` */
  putEntity(given: EntityRecord): string {
    const node = this.names.nodeOf(given.name);
    const absorbed = this.#absorbedBy(node, given.aliases);
    const merged = [this.#entities.get(node), given, ...absorbed.values()].filter(
      (entity) => entity !== undefined,
    );
    const moved = [...absorbed.keys()].flatMap((other) => [...this.facts.latestAt(other)]);
    for (const other of absorbed.keys()) this.dropNode(other);
    const entity = mergeEntities(node, given, merged);
    for (const alias of entity.aliases) this.names.addAlias(nameKey(alias), node);
    this.#setEntity(node, entity);
    for (const record of new Map(moved.map((fact) => [fact.id, fact])).values()) this.insert(record);
    return node;
  }

  /** Returns an entity by its node. A node that was added through the graphology graph is named by its key. */
  entity(node: string): EntityRecord {
    return this.#entities.get(node) ?? { name: node, aliases: [], attributes: {}, isStandalone: true };
  }

  /** Returns the existing node that a name in a query means. */
  find(name: string): string | undefined {
    return this.names.find(name, (node) => this.hasNode(node));
  }

  /** Returns the slots in which this fact would compete. */
  slotsFor(said: SaidFact): FactSlots {
    return this.#slotsOf(said, this.names.nodeOf(said.subject), this.names.nodeOf(said.object));
  }

  /** Returns the display name of a fact's subject or object: the entity's name, unless the fact used an alias. */
  displayName(said: string, at: string | undefined): string {
    if (at !== undefined && this.#entities.get(at)?.name === said) return said;
    const node = this.names.nodeOf(said);
    return node === nameKey(said) ? (this.#entities.get(node)?.name ?? said) : said;
  }

  /** Returns the entities that the aliases of a node have meant so far. */
  #absorbedBy(node: string, aliases: readonly string[]): ReadonlyMap<string, EntityRecord> {
    const absorbed = new Map<string, EntityRecord>();
    for (const alias of aliases) {
      const other = this.names.nodeOf(alias);
      if (other === node || !this.hasNode(other)) continue;
      if (other !== nameKey(alias)) {
        throw new MnemoraError(
          'invalid-input',
          `"${alias}" is already an alias of "${this.entity(other).name}". Nothing was changed.`,
        );
      }
      absorbed.set(other, this.entity(other));
    }
    return absorbed;
  }

  /** Replaces the entity with the same name, if there is one. See `canReplace`. */
  #replaceEntity(record: EntityRecord): void {
    const node = nameKey(record.name);
    // Of two spellings of an alias the first is kept, as in `putEntity`.
    const aliases = new Map(record.aliases.toReversed().map((alias) => [nameKey(alias), alias]));
    aliases.delete(node);
    for (const alias of aliases.keys()) this.names.addAlias(alias, node);
    this.#setEntity(node, { ...record, aliases: [...aliases.values()].toReversed() });
  }

  #note({ seq, recordedAt, retraction }: TripleRecord): void {
    this.#nextSeq = Math.max(this.#nextSeq, seq + 1);
    this.#latestTime = Math.max(this.#latestTime, recordedAt, retraction?.recordedAt ?? recordedAt);
  }

  #nodeFor(name: string): string {
    const node = this.names.nodeOf(name);
    if (!this.hasNode(node)) {
      this.#setEntity(node, { name, aliases: [], attributes: {}, isStandalone: false });
    }
    return node;
  }

  #setEntity(node: string, record: EntityRecord): void {
    this.#entities.set(node, record);
    this.#mirror?.reflect((graph) => graph.updateNode(node, () => nodeAttributes(record)));
    this.#entityChanged(node);
  }

  #dropFact(id: string): void {
    if (!this.facts.place(id)) return;
    this.#mirror?.reflect((graph) => graph.dropEdge(id));
    this.#forgetFacts([id]);
  }

  #forgetFacts(ids: readonly string[]): void {
    for (const id of ids) {
      this.facts.remove(id);
      this.#factChanged(id);
    }
  }

  #forgetNode(node: string): void {
    this.#forgetFacts([...this.facts.at(node)]);
    this.#entities.delete(node);
    this.names.forget(node);
    this.#entityChanged(node);
  }

  #entityChanged(node: string): void {
    for (const listener of this.#listeners) listener.entity(node);
  }

  #factChanged(id: string): void {
    this.#onChange();
    for (const listener of this.#listeners) listener.fact(id);
  }

  #filledMirror(): GraphMirror {
    if (!this.#newMirror)
      throw new MnemoraError('invalid-input', 'This graph was created without a graphology graph.');
    const mirror = this.#newMirror({
      nodeChanged: (node) => this.#entityChanged(node),
      nodeDropped: (node) => this.#forgetNode(node),
      edgeChanged: (id) => this.#factChanged(id),
      edgeDropped: (id) => this.#forgetFacts([id]),
      edgesCleared: () => this.#forgetFacts([...this.facts.records.keys()]),
      cleared: () => this.clear(),
    });
    mirror.reflect((graph) => {
      for (const [node, entity] of this.#entities) graph.addNode(node, nodeAttributes(entity));
      for (const record of this.facts.records.values()) {
        const [subject, object] = this.endsOf(record.id);
        graph.addDirectedEdgeWithKey(record.id, subject, object, edgeAttributes(record));
      }
    });
    return mirror;
  }
}

/** Returns the public fields of an entity. */
export function toEntity({ name, aliases, attributes }: EntityRecord): Entity {
  return { name, aliases: [...aliases], attributes: { ...attributes } };
}
