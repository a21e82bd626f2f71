import { MnemoraError } from '../model/error.ts';
import { nameKey } from './entity-name.ts';
import { EntityNames } from './entity-names.ts';
import { FactIndex } from './fact-index.ts';
import { edgeAttributes, nodeAttributes } from './graph-records.ts';
import { MultiDirectedGraph } from './graphology.ts';
import type { Entity, EntityRecord, TripleRecord } from './triple.ts';

/** Names the slots of a fact between two nodes: see `FactIndex`. */
export type SlotKeys = (record: TripleRecord, subject: string, object: string) => readonly string[];

/** Entities and facts in a graph, and what is needed to find them. Knows nothing of time. */
export class GraphStore {
  readonly graph: MultiDirectedGraph = new MultiDirectedGraph();
  readonly facts: FactIndex = new FactIndex();
  readonly names: EntityNames = new EntityNames();
  readonly #slotKeys: SlotKeys;
  readonly #entities = new Map<string, EntityRecord>();

  /** @param onChange called after anything was added, changed or dropped, also from outside */
  constructor(slotKeys: SlotKeys, onChange: () => void) {
    this.#slotKeys = slotKeys;
    const { graph, facts, names } = this;
    graph.on('edgeAdded', onChange);
    graph.on('edgeAttributesUpdated', onChange);
    graph.on('edgeDropped', ({ key }) => {
      facts.remove(key);
      onChange();
    });
    graph.on('nodeDropped', ({ key }) => {
      this.#entities.delete(key);
      names.forget(key);
    });
    graph.on('edgesCleared', () => {
      facts.clear();
      onChange();
    });
    graph.on('cleared', () => {
      facts.clear();
      names.clear();
      this.#entities.clear();
      onChange();
    });
  }

  insert(record: TripleRecord): void {
    const subject = this.#nodeFor(record.subject);
    const object = this.#nodeFor(record.object);
    this.facts.add(record, this.#slotKeys(record, subject, object));
    this.graph.addDirectedEdgeWithKey(record.id, subject, object, edgeAttributes(record));
  }

  /** Puts a record in the place of the one with its id, about the same. */
  replace(record: TripleRecord): void {
    this.facts.replace(record);
    this.graph.replaceEdgeAttributes(record.id, edgeAttributes(record));
  }

  /** Erases a fact, and what was only there for it. */
  erase(id: string): void {
    const ends = this.graph.extremities(id);
    this.graph.dropEdge(id);
    for (const node of ends) this.dropIfBare(node);
  }

  dropIfBare(node: string): void {
    const isBare = this.graph.hasNode(node) && this.graph.degree(node) === 0;
    if (isBare && !this.#entities.get(node)?.isStandalone) this.graph.dropNode(node);
  }

  /** Adds an entity or what is new about it, and returns its node. @throws MnemoraError `invalid-input` */
  putEntity(given: EntityRecord): string {
    const node = this.names.nodeOf(given.name);
    const absorbed = this.#absorbedBy(node, given.aliases);
    const merged = [this.#entities.get(node), given, ...absorbed.values()].filter(
      (entity) => entity !== undefined,
    );
    const moved = [...absorbed.keys()].flatMap((other) => this.factsAt(other));
    for (const other of absorbed.keys()) this.graph.dropNode(other);
    const name = merged[0]?.name ?? given.name;
    const aliases = new Map<string, string>();
    for (const entity of merged) {
      for (const alias of [entity.name, ...entity.aliases]) {
        const key = nameKey(alias);
        if (key !== node && !aliases.has(key)) aliases.set(key, alias);
      }
    }
    for (const alias of aliases.keys()) this.names.addAlias(alias, node);
    this.#setEntity(node, {
      name,
      aliases: [...aliases.values()],
      attributes: Object.assign(
        {},
        ...merged.toReversed().map((entity) => entity.attributes),
        given.attributes,
      ),
      isStandalone: merged.some((entity) => entity.isStandalone),
    });
    for (const record of new Map(moved.map((fact) => [fact.id, fact])).values()) this.insert(record);
    return node;
  }

  /** An entity by its node. A node that was added from outside is called as its key. */
  entity(node: string): EntityRecord {
    return this.#entities.get(node) ?? { name: node, aliases: [], attributes: {}, isStandalone: true };
  }

  /** The node that a question means, if it is there. */
  find(name: string): string | undefined {
    return this.names.find(name, (node) => this.graph.hasNode(node));
  }

  /** How an end of a fact is called: as the entity is, unless another of its names was used. */
  displayName(said: string): string {
    const node = this.names.nodeOf(said);
    return node === nameKey(said) ? (this.#entities.get(node)?.name ?? said) : said;
  }

  /** All facts, past ones too, with this node at an end. */
  factsAt(node: string): TripleRecord[] {
    return this.graph
      .edges(node)
      .map((id) => this.facts.records.get(id))
      .filter((record) => record !== undefined);
  }

  /** The entities that the aliases of a node mean until now. */
  #absorbedBy(node: string, aliases: readonly string[]): ReadonlyMap<string, EntityRecord> {
    const absorbed = new Map<string, EntityRecord>();
    for (const alias of aliases) {
      const other = this.names.nodeOf(alias);
      if (other === node || !this.graph.hasNode(other)) continue;
      if (other !== nameKey(alias)) {
        throw new MnemoraError(
          'invalid-input',
          `"${alias}" is an alias of "${this.entity(other).name}" already. Nothing was changed.`,
        );
      }
      absorbed.set(other, this.entity(other));
    }
    return absorbed;
  }

  #nodeFor(name: string): string {
    const node = this.names.nodeOf(name);
    if (!this.graph.hasNode(node)) {
      this.#setEntity(node, { name, aliases: [], attributes: {}, isStandalone: false });
    }
    return node;
  }

  #setEntity(node: string, record: EntityRecord): void {
    this.#entities.set(node, record);
    if (this.graph.hasNode(node)) this.graph.replaceNodeAttributes(node, nodeAttributes(record));
    else this.graph.addNode(node, nodeAttributes(record));
  }
}

/** What is shown of an entity. */
export function toEntity({ name, aliases, attributes }: EntityRecord): Entity {
  return { name, aliases: [...aliases], attributes: { ...attributes } };
}
