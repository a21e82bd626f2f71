import { nameKey, withoutPossessive } from './entity-name.ts';

/** Which node each name means: its own key, or that of the entity it is an alias of. */
export class EntityNames {
  readonly #nodeByAlias = new Map<string, string>();

  /** The node that a name means, there or not. */
  nodeOf(name: string): string {
    const key = nameKey(name);
    return this.#nodeByAlias.get(key) ?? key;
  }

  /** The node that a question means: `Sam's` is Sam where there is no `Sam's`. */
  find(name: string, hasNode: (node: string) => boolean): string | undefined {
    const key = nameKey(name);
    return [key, withoutPossessive(key)]
      .map((form) => form && (this.#nodeByAlias.get(form) ?? form))
      .find((node) => node !== undefined && hasNode(node));
  }

  addAlias(alias: string, node: string): void {
    const key = nameKey(alias);
    if (key === node) return;
    for (const [other, target] of this.#nodeByAlias) {
      if (target === key) this.#nodeByAlias.set(other, node);
    }
    this.#nodeByAlias.set(key, node);
  }

  forget(node: string): void {
    for (const [alias, target] of this.#nodeByAlias) {
      if (target === node) this.#nodeByAlias.delete(alias);
    }
  }

  clear(): void {
    this.#nodeByAlias.clear();
  }
}
