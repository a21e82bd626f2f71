import { nameKey } from './entity-name.ts';

/** Maps each name to the node of its entity: the name's own key, or the node whose alias it is. */
export class EntityNames {
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

  clear(): void {
    this.#nodeByAlias.clear();
    this.#aliasesByNode.clear();
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
