import { MnemoraError } from '../model/error.ts';
import { nameKey, withoutPossessive } from './entity-name.ts';
import { FactIndex } from './fact-index.ts';
import type { FactSlots, SaidFact } from './fact-slot.ts';
import { checkAgainst, mergeEntities, mergeRecords } from './graph-records.ts';
import type { Entity, EntityRecord, GraphRecords, TripleRecord } from './triple.ts';

/** Returns the slots of a fact between two nodes: see `FactIndex`. */
export type SlotsOf = (said: SaidFact, subject: string, object: string) => FactSlots;

/** Called after a change, with the key of the node or the id of the fact. */
export interface GraphListener {
  /** An entity was added, changed or dropped. */
  entity?(node: string): void;
  /** A fact was added, changed or dropped. */
  fact?(id: string): void;
  /** All facts were dropped. Entities that were dropped with them are reported one by one. */
  cleared?(): void;
}

/** A graph for traversal. It may also have nodes and edges that are not entities and facts. */
export interface Mirror {
  nodes(): string[];
  hasNode(node: string): boolean;
  degree(node: string): number;
}

/** Holds entities and facts, and the indexes that find them. Knows nothing about time. */
export class GraphStore {
  facts: FactIndex = new FactIndex();
  names: EntityNames = new EntityNames();
  readonly #slotsOf: SlotsOf;
  /** The `seq` of the next fact. It never decreases. */
  nextSeq = 0;
  /** The latest time at which anything was recorded. It never decreases. */
  latestTime: number = Number.NEGATIVE_INFINITY;
  readonly #entities = new Map<string, EntityRecord>();
  readonly #listeners = new Set<GraphListener>();
  #mirror: Mirror | undefined;

  constructor(slotsOf: SlotsOf) {
    this.#slotsOf = slotsOf;
  }

  /** Reports every change from now on. Returns a function that stops it. */
  listen(listener: GraphListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes a graph the mirror of this store, which reports every change to `listener` and may have nodes of its own. */
  follow(mirror: Mirror, listener: GraphListener): void {
    this.#mirror = mirror;
    this.listen(listener);
  }

  /** The entities by node, without nodes that only the mirror has. */
  get entities(): ReadonlyMap<string, EntityRecord> {
    return this.#entities;
  }

  hasNode(node: string): boolean {
    return this.#entities.has(node) || this.#mirror?.hasNode(node) === true;
  }

  /** Returns all nodes in the order they were added. */
  nodes(): string[] {
    return this.#mirror?.nodes() ?? [...this.#entities.keys()];
  }

  /** Returns the subject and object nodes of a fact, or an empty array if it does not exist. */
  endsOf(id: string): [subject: string, object: string] | [] {
    const place = this.facts.place(id);
    return place ? [place.subject, place.object] : [];
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
    if (this.#canReplace(given.entities)) {
      this.forgetFacts(given.triples.map(({ id }) => id));
      this.fill(given);
    } else {
      const all = mergeRecords(this.toRecords(), given);
      new GraphStore(this.#slotsOf).load(all); // throws before anything has changed
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
    this.#factChanged(record.id);
  }

  /** Replaces the record with the same id, which has the same subject, predicate and object. */
  replace(record: TripleRecord): void {
    this.#note(record);
    this.facts.replace(record);
    this.#factChanged(record.id);
  }

  /** Erases a fact, and its entities if nothing else keeps them. */
  erase(id: string): void {
    const ends = this.endsOf(id);
    this.forgetFacts([id]);
    for (const node of ends) this.dropIfBare(node);
  }

  dropIfBare(node: string): void {
    if (this.isBare(node) && !this.#entities.get(node)?.isStandalone) this.dropNode(node);
  }

  /** Whether a node exists and has no facts. */
  isBare(node: string): boolean {
    return this.hasNode(node) && this.facts.at(node).length === 0 && !this.#mirror?.degree(node);
  }

  /** Erases a node and its facts. */
  dropNode(node: string): void {
    this.forgetFacts([...this.facts.at(node)]);
    this.#entities.delete(node);
    this.names.forget(node);
    this.entityChanged(node);
  }

  /** Erases facts, and leaves their entities. */
  forgetFacts(ids: readonly string[]): void {
    for (const id of ids) {
      this.facts.remove(id);
      this.#factChanged(id);
    }
  }

  clear(): void {
    const nodes = [...this.#entities.keys()];
    this.facts = new FactIndex();
    this.names = new EntityNames();
    this.#entities.clear();
    for (const listener of this.#listeners) listener.cleared?.();
    for (const node of nodes) this.entityChanged(node);
  }

  /** Adds an entity or merges it into a known one, and returns its node. @throws MnemoraError `invalid-input` */
  putEntity(given: EntityRecord): string {
    const node = this.names.nodeOf(given.name);
    const absorbed = this.#absorbedBy(node, given.aliases);
    const known = this.#entities.get(node);
    const merged = [...(known ? [known] : []), given, ...absorbed.values()];
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

  /** Reports a change of an entity to the listeners. */
  entityChanged(node: string): void {
    for (const listener of this.#listeners) listener.entity?.(node);
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

  /** Replaces the entity with the same name, if there is one. See `#canReplace`. */
  #replaceEntity(record: EntityRecord): void {
    const node = nameKey(record.name);
    // Of two spellings of an alias the first is kept, as in `putEntity`.
    const aliases = new Map(record.aliases.toReversed().map((alias) => [nameKey(alias), alias]));
    aliases.delete(node);
    for (const alias of aliases.keys()) this.names.addAlias(alias, node);
    this.#setEntity(node, { ...record, aliases: [...aliases.values()].toReversed() });
  }

  #note({ seq, recordedAt, retraction }: TripleRecord): void {
    this.nextSeq = Math.max(this.nextSeq, seq + 1);
    this.latestTime = Math.max(this.latestTime, recordedAt, retraction?.recordedAt ?? recordedAt);
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
    this.entityChanged(node);
  }

  #factChanged(id: string): void {
    for (const listener of this.#listeners) listener.fact?.(id);
  }
}

/** Returns the public fields of an entity. */
export function toEntity({ name, aliases, attributes }: EntityRecord): Entity {
  return { name, aliases: [...aliases], attributes: { ...attributes } };
}

function aliasKeys(aliases: readonly string[], node: string): ReadonlySet<string> {
  return new Set(aliases.map(nameKey).filter((key) => key !== node));
}

/** Maps each name to the node of its entity: the name's own key, or the node whose alias it is. */
class EntityNames {
  readonly #nodeByAlias = new Map<string, string>();
  readonly #aliasesByNode = new Map<string, Set<string>>();

  /** Returns the node for a name, whether or not the graph has that node. */
  nodeOf(name: string): string {
    const key = nameKey(name);
    return this.#nodeByAlias.get(key) ?? key;
  }

  addAlias(alias: string, node: string): void {
    const key = nameKey(alias);
    if (key === node) return;
    for (const other of this.#aliasesByNode.get(key) ?? []) this.#set(other, node);
    this.#aliasesByNode.delete(key);
    this.#set(key, node);
  }

  forget(node: string): void {
    for (const alias of this.#aliasesByNode.get(node) ?? []) this.#nodeByAlias.delete(alias);
    this.#aliasesByNode.delete(node);
  }

  #set(alias: string, node: string): void {
    const before = this.#nodeByAlias.get(alias);
    if (before !== undefined && before !== node) this.#aliasesByNode.get(before)?.delete(alias);
    this.#nodeByAlias.set(alias, node);
    const known = this.#aliasesByNode.get(node);
    if (known) known.add(alias);
    else this.#aliasesByNode.set(node, new Set([alias]));
  }
}
