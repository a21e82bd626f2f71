import type { NamedEntity } from '../graph/entity-name.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { storeOf, type FactGraph } from '../graph/fact-graph.ts';
import { NameIndex } from '../graph/name-index.ts';

/**
 * Finds the entities of a graph by their names in a text. After a change, only the changed entities are indexed
 * again.
 */
export class GraphNames {
  readonly #store: GraphStore;
  readonly #index = new NameIndex();
  /** The indexed entities, by node. */
  readonly #known = new Map<string, NamedEntity>();
  readonly #touched = new Set<string>();

  constructor(graph: FactGraph) {
    this.#store = storeOf(graph);
    this.#store.listen({
      entity: (node) => void this.#touched.add(node),
      fact: () => undefined,
    });
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
