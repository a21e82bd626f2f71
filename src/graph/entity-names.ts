import { nameKey } from './entity-name.ts';

/** Maps each name to the node of its entity: the name's own key, or the node whose alias it is. */
export class EntityNames {
  readonly #nodeByAlias = new Map<string, string>();

  /** Returns the node for a name, whether or not the graph has that node. */
  nodeOf(name: string): string {
    const key = nameKey(name);
    return this.#nodeByAlias.get(key) ?? key;
  }

  add(aliases: readonly string[], node: string): void {
    for (const key of aliases.map(nameKey)) if (key !== node) this.#nodeByAlias.set(key, node);
  }

  /** Forgets the aliases of a node, except those that have become names of another. */
  remove(aliases: readonly string[], node: string): void {
    for (const key of aliases.map(nameKey)) {
      if (this.#nodeByAlias.get(key) === node) this.#nodeByAlias.delete(key);
    }
  }

  clear(): void {
    this.#nodeByAlias.clear();
  }
}
