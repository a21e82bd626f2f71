import type { NamedEntity } from '../graph/entity-name.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import { NameIndex } from '../graph/name-index.ts';

/** Finds the entities of a graph by their names in a text. Of a change only the entities that it touched are read. */
export class GraphNames {
  readonly #graph: KnowledgeGraph;
  readonly #index = new NameIndex();
  /** What is in the index, by node. */
  readonly #known = new Map<string, NamedEntity>();
  readonly #touched = new Set<string>();

  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
    const touch = ({ key }: { key: string }): void => void this.#touched.add(key);
    for (const event of ['nodeAdded', 'nodeDropped', 'nodeAttributesUpdated'] as const) {
      graph.graph.on(event, touch);
    }
    graph.graph.on('cleared', () => {
      for (const key of this.#known.keys()) this.#touched.add(key);
    });
  }

  /** The nodes of the entities that a text mentions, in the order of their first mention. */
  nodesIn(text: string): string[] {
    this.update();
    return this.#index.find(text).map((name) => this.#graph.nodeKey(name));
  }

  /** Takes up what has changed: done by every question, and beforehand where much has changed. */
  update(): void {
    for (const key of this.#touched) this.#update(key);
    this.#touched.clear();
  }

  #update(key: string): void {
    const before = this.#known.get(key);
    const now = this.#graph.graph.hasNode(key) ? this.#graph.entity(key) : undefined;
    if (before && now && isSame(before, now)) return;
    if (before) this.#index.remove(before);
    this.#known.delete(key);
    if (!now) return;
    this.#index.add(now);
    this.#known.set(key, now);
  }
}

function isSame(a: NamedEntity, b: NamedEntity): boolean {
  return a.name === b.name && JSON.stringify(a.aliases) === JSON.stringify(b.aliases);
}
