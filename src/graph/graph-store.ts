import { MultiDirectedGraph } from 'graphology';
import { invalidInput } from '../model/error.ts';
import { EntityNames } from './entity-names.ts';
import { nameKey, withoutPossessive } from './entity-name.ts';
import { FactIndex } from './fact-index.ts';
import { type FactSlots, type SaidFact, type SingleValuedProperty, slotsOf } from './fact-slot.ts';
import { damaged, mergeEntities, mergeRecords } from './graph-records.ts';
import {
  isProposal,
  type Entity,
  type EntityRecord,
  type GraphRecords,
  type TripleRecord,
} from './triple.ts';

export type { MultiDirectedGraph } from 'graphology';

/** Returns the edge for a fact between two nodes. */
export type EdgeOf<Fact extends TripleRecord> = (
  record: TripleRecord,
  subject: string,
  object: string,
) => Fact;

/** Called after a change, with the key of the node or the id of the fact. */
export interface GraphListener<Fact extends TripleRecord = TripleRecord> {
  /** An entity was added, changed or dropped. */
  entity?(node: string): void;
  /** A fact was added, changed or dropped. `before` is undefined if it was added, `now` if it was dropped. */
  fact?(id: string, before: Fact | undefined, now: Fact | undefined): void;
}

/** Attributes of a node. The label is the name, which programs display. */
type EntityNode = Omit<EntityRecord, 'name'> & { readonly label: string };

/**
 * Holds entities and facts in one graphology graph: entities are nodes, and facts are edges, whether or not they hold.
 * What is dropped from the graph leaves the names and indexes, too. Knows nothing about time.
 */
export class GraphStore<Fact extends TripleRecord = TripleRecord> {
  readonly graph: MultiDirectedGraph<EntityNode, Fact> = new MultiDirectedGraph<EntityNode, Fact>();
  readonly facts: FactIndex<Fact> = new FactIndex((id) =>
    this.graph.hasEdge(id) ? this.graph.getEdgeAttributes(id) : undefined,
  );
  readonly names: EntityNames = new EntityNames();
  readonly #singleValued: SingleValuedProperty;
  readonly #edgeOf: EdgeOf<Fact>;
  readonly #listeners = new Set<GraphListener<Fact>>();
  /** The `seq` of the next fact. It never decreases. */
  nextSeq = 0;
  /** The latest time at which anything was recorded. It never decreases. */
  latestTime: number = Number.NEGATIVE_INFINITY;
  /** Changes with every change of a fact. */
  version = 0;

  constructor(singleValued: SingleValuedProperty, edgeOf: EdgeOf<Fact>) {
    this.#singleValued = singleValued;
    this.#edgeOf = edgeOf;
    this.#followGraph();
  }

  /** Reports every change of a node or an edge from now on. Returns a function that stops it. */
  listen(listener: GraphListener<Fact>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns a fact, or undefined if there is none with this id. */
  fact(id: string): Fact | undefined {
    return this.facts.has(id) ? this.graph.getEdgeAttributes(id) : undefined;
  }

  allFacts(): Fact[] {
    const found: Fact[] = [];
    this.graph.forEachEdge((id, fact) => {
      if (this.facts.has(id)) found.push(fact); // and not an edge that was added to the graph directly
    });
    return found;
  }

  /** Returns the subject and object nodes of a fact, or an empty array if it does not exist. */
  endsOf(id: string): [subject: string, object: string] | [] {
    return this.graph.hasEdge(id) ? this.graph.extremities(id) : [];
  }

  hasNode(node: string): boolean {
    return this.graph.hasNode(node);
  }

  /** Returns an entity by its node. A node that was added to the graph directly is named by its key. */
  entity(node: string): EntityRecord {
    const known: Partial<EntityNode> = this.hasNode(node) ? this.graph.getNodeAttributes(node) : {};
    const { label: name = node, aliases = [], attributes = {}, isStandalone = true } = known;
    return { name, aliases, attributes, isStandalone };
  }

  /** Returns all entities in the order in which they were added. */
  entities(): EntityRecord[] {
    return this.graph.mapNodes((node) => this.entity(node));
  }

  /** Adds validated records. @throws MnemoraError `invalid-input` if two entities have the same alias */
  load({ entities, triples }: GraphRecords): void {
    for (const entity of entities) this.putEntity(entity);
    for (const record of triples) this.putFact(record);
  }

  /** Adds records that were stored together and are consistent with each other, without checking them. */
  fill({ entities, triples }: GraphRecords): void {
    for (const entity of entities) {
      const node = nameKey(entity.name);
      this.#setEntity(node, mergeEntities(node, entity, [entity]));
    }
    for (const record of triples) this.putFact(record);
  }

  /**
   * Adds validated records, replacing those with the same ids and names.
   *
   * @throws MnemoraError `invalid-input` if they conflict with existing records. Nothing changes then.
   */
  put(given: GraphRecords): void {
    this.#checkOrder(given.triples);
    const ends = new Set(given.triples.flatMap(({ id }) => this.endsOf(id)));
    if (this.#canReplace(given.entities)) this.fill(given);
    else {
      const all = mergeRecords({ entities: this.entities(), triples: this.allFacts() }, given);
      new GraphStore(this.#singleValued, this.#edgeOf).load(all); // throws before anything has changed
      this.clear();
      this.load(all);
    }
    for (const { name } of given.entities) ends.delete(this.names.nodeOf(name));
    for (const node of ends) this.dropIfBare(node);
  }

  /** Adds a fact, or replaces the one with the same id. */
  putFact(record: TripleRecord): void {
    const { id, seq, recordedAt, retraction } = record;
    this.nextSeq = Math.max(this.nextSeq, seq + 1);
    this.latestTime = Math.max(this.latestTime, recordedAt, retraction?.recordedAt ?? recordedAt);
    const subject = this.#nodeFor(record.subject);
    const object = this.#nodeFor(record.object);
    const fact = this.#edgeOf(record, subject, object);
    const before = this.fact(id);
    if (before) {
      const [from, to] = this.endsOf(id);
      if (from === subject && to === object && hasSamePlace(before, fact)) {
        this.facts.removeSources(before);
        this.facts.addSources(fact);
        this.graph.replaceEdgeAttributes(id, fact);
        return this.#factChanged(id, before, fact);
      }
      this.graph.dropEdge(id);
    }
    this.graph.addDirectedEdgeWithKey(id, subject, object, fact);
    this.facts.add(fact, subject, object, slotsOf(fact, subject, object, this.#singleValued));
    this.#factChanged(id, undefined, fact);
  }

  /** Erases a fact, and its entities if nothing else keeps them. */
  erase(id: string): void {
    const ends = this.endsOf(id);
    if (ends.length > 0) this.graph.dropEdge(id);
    for (const node of ends) this.dropIfBare(node);
  }

  dropIfBare(node: string): void {
    if (this.isBare(node) && !this.entity(node).isStandalone) this.graph.dropNode(node);
  }

  /** Forgets what is known of an entity beside its facts, and drops it if it has none. */
  release(node: string): void {
    if (!this.hasNode(node)) return;
    this.#setEntity(node, { name: this.entity(node).name, aliases: [], attributes: {}, isStandalone: false });
    this.dropIfBare(node);
  }

  /** Whether a node exists and has no facts. */
  isBare(node: string): boolean {
    return this.hasNode(node) && this.graph.degree(node) === 0;
  }

  clear(): void {
    for (const node of this.graph.nodes()) this.graph.dropNode(node);
  }

  /** Adds an entity or merges it into a known one, and returns its node. @throws MnemoraError `invalid-input` */
  putEntity(given: EntityRecord): string {
    const node = this.names.nodeOf(given.name);
    const absorbed = this.#absorbedBy(node, given.aliases);
    const known = this.hasNode(node) ? [this.entity(node)] : [];
    const merged = [...known, given, ...absorbed.values()];
    const moved = [...absorbed.keys()].flatMap((other) => [...this.facts.latestAt(other)]);
    for (const other of absorbed.keys()) this.graph.dropNode(other);
    const entity = mergeEntities(node, given, merged);
    this.#setEntity(node, entity);
    for (const fact of new Map(moved.map((each) => [each.id, each])).values()) this.putFact(fact);
    return node;
  }

  /** Returns the existing node that a query means. `Sam's` means Sam unless an entity is called `Sam's`. */
  find(name: string): string | undefined {
    const key = nameKey(name);
    return [key, withoutPossessive(key) ?? key]
      .map((form) => this.names.nodeOf(form))
      .find((node) => this.hasNode(node));
  }

  /** Returns the slots in which this fact would compete. */
  slotsFor(said: SaidFact): FactSlots {
    const { names } = this;
    return slotsOf(said, names.nodeOf(said.subject), names.nodeOf(said.object), this.#singleValued);
  }

  /** Returns the facts that state the same, in any wording and by any names, in the order they were added. */
  sameAs(said: SaidFact): Fact[] {
    return this.facts.inSlot(this.statement(said)).toSorted((a, b) => a.seq - b.seq);
  }

  /** Returns a key that is equal for all wordings of a statement, and all names of its entities. */
  statement(said: SaidFact): string {
    return this.slotsFor(said).own[0];
  }

  /** Returns the display name of a fact's subject or object: the entity's name, unless the fact used an alias. */
  displayName(said: string, at: string | undefined): string {
    const nameAt = (node: string): string | undefined =>
      this.hasNode(node) ? this.graph.getNodeAttribute(node, 'label') : undefined;
    if (at !== undefined && nameAt(at) === said) return said;
    const node = this.names.nodeOf(said);
    return node === nameKey(said) ? (nameAt(node) ?? said) : said;
  }

  #followGraph(): void {
    const entityChanged = ({ key }: { readonly key: string }): void => {
      for (const listener of this.#listeners) listener.entity?.(key);
    };
    this.graph.on('nodeAdded', entityChanged);
    this.graph.on('nodeAttributesUpdated', entityChanged);
    this.graph.on('nodeDropped', ({ key, attributes }: { key: string; attributes: Partial<EntityNode> }) => {
      this.names.remove(attributes.aliases ?? [], key);
      entityChanged({ key });
    });
    this.graph.on('edgeDropped', ({ key, attributes, source, target }) => {
      if (!this.facts.has(key)) return;
      this.facts.remove(attributes, source, target);
      this.#factChanged(key, attributes, undefined);
    });
    const clearFacts = (): void => {
      this.facts.clear();
      this.version += 1;
    };
    this.graph.on('edgesCleared', clearFacts);
    this.graph.on('cleared', () => {
      clearFacts();
      this.names.clear();
    });
  }

  /** Returns the entities that the aliases of a node have meant so far. */
  #absorbedBy(node: string, aliases: readonly string[]): ReadonlyMap<string, EntityRecord> {
    const absorbed = new Map<string, EntityRecord>();
    for (const alias of aliases) {
      const other = this.names.nodeOf(alias);
      if (other === node || !this.hasNode(other)) continue;
      if (other !== nameKey(alias)) {
        throw invalidInput(
          `"${alias}" is already an alias of "${this.entity(other).name}". Nothing was changed.`,
        );
      }
      absorbed.set(other, this.entity(other));
    }
    return absorbed;
  }

  /** Checks that facts can be added to the others or replace them. @throws MnemoraError `invalid-input` */
  #checkOrder(triples: readonly TripleRecord[]): void {
    const seqById = new Map(triples.map(({ id, seq }) => [id, seq]));
    const seqOf = (id: string): number => seqById.get(id) ?? this.fact(id)?.seq ?? -1;
    // Mostly facts keep their seq or come after all others.
    const isUsual = triples.every(({ id, seq }) => seq >= this.nextSeq || this.fact(id)?.seq === seq);
    const others = isUsual ? [] : this.allFacts().filter((fact) => !seqById.has(fact.id));
    const taken = new Set(others.map(({ seq }) => seq));
    for (const { id, seq, supersedes } of triples) {
      if (taken.has(seq)) throw damaged(`two facts have the same seq ${seq}`);
      const isYounger = this.facts
        .superseders(id)
        .some((later) => seqOf(later.id) <= seq && !seqById.has(later.id));
      if (isYounger || supersedes.some((other) => seqOf(other) >= seq)) {
        throw damaged(
          `the fact "${id}" supersedes a fact that is not older, or is superseded by one that is not newer`,
        );
      }
    }
  }

  /** Whether these entities can replace those with the same names without moving a fact to another entity. */
  #canReplace(entities: readonly EntityRecord[]): boolean {
    const keys = new Set(entities.map(({ name }) => nameKey(name)));
    const claimed = new Set<string>();
    return (
      keys.size === entities.length &&
      entities.every(({ name, aliases }) => {
        const node = nameKey(name);
        const wanted = aliasKeys(aliases, node);
        const before = aliasKeys(this.entity(node).aliases, node);
        const added = [...wanted].filter((key) => !before.has(key));
        const isFree = added.every(
          (key) =>
            this.names.nodeOf(key) === key && !this.hasNode(key) && !keys.has(key) && !claimed.has(key),
        );
        for (const key of added) claimed.add(key);
        return this.names.nodeOf(name) === node && isFree && [...before].every((key) => wanted.has(key));
      })
    );
  }

  #nodeFor(name: string): string {
    const node = this.names.nodeOf(name);
    if (!this.hasNode(node)) {
      this.#setEntity(node, { name, aliases: [], attributes: {}, isStandalone: false });
    }
    return node;
  }

  #setEntity(node: string, { name: label, aliases, attributes, isStandalone }: EntityRecord): void {
    const entity = { label, aliases, attributes, isStandalone };
    this.names.remove(this.entity(node).aliases, node);
    this.names.add(aliases, node);
    if (this.hasNode(node)) this.graph.replaceNodeAttributes(node, entity);
    else this.graph.addNode(node, entity);
  }

  #factChanged(id: string, before: Fact | undefined, now: Fact | undefined): void {
    this.version += 1;
    for (const listener of this.#listeners) listener.fact?.(id, before, now);
  }
}

/** Returns the public fields of an entity. */
export function toEntity({ name, aliases, attributes }: EntityRecord): Entity {
  return { name, aliases: [...aliases], attributes: { ...attributes } };
}

/** Whether all indexes have two versions of a fact, between the same nodes, in the same places. */
function hasSamePlace(a: TripleRecord, b: TripleRecord): boolean {
  return (
    (['seq', 'predicate', 'object', 'validFrom', 'validTo', 'recordedAt'] as const).every(
      (field) => a[field] === b[field],
    ) &&
    isProposal(a) === isProposal(b) &&
    a.supersedes.join('\n') === b.supersedes.join('\n')
  );
}

function aliasKeys(aliases: readonly string[], node: string): ReadonlySet<string> {
  return new Set(aliases.map(nameKey).filter((key) => key !== node));
}
