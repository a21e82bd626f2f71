/** Names for which lower case is all the normalization needed; this covers nearly all names. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** An entity with all its names. */
export interface NamedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Returns the key under which an entity is found. Case, width and spacing of the name do not matter. */
export function nameKey(name: string): string {
  const key = PLAIN.test(name)
    ? name.toLowerCase()
    : name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
  // graphology stores neighbors in plain objects, where `constructor` and the like already exist. No other key ends
  // in a space.
  return key in Object.prototype ? `${key} ` : key;
}

/** Returns `sam` for `sam's` and `the joneses` for `the joneses'`, or undefined if the key is not a possessive. */
export function withoutPossessive(key: string): string | undefined {
  const bare = key.replace(/(?<=\S)['’]s$|(?<=s)['’]$/u, '');
  return bare === key ? undefined : bare;
}

/** Maps each name to the node of its entity: the name's own key, or the node whose alias it is. */
export class EntityNames {
  readonly #nodeByAlias = new Map<string, string>();
  readonly #aliasesByNode = new Map<string, Set<string>>();

  /** Returns the node for a name, whether or not the graph has that node. */
  nodeOf(name: string): string {
    const key = nameKey(name);
    return this.#nodeByAlias.get(key) ?? key;
  }

  /** Returns the existing node that a query means. `Sam's` means Sam unless an entity is called `Sam's`. */
  find(name: string, hasNode: (node: string) => boolean): string | undefined {
    const key = nameKey(name);
    return [key, withoutPossessive(key)]
      .map((form) => form && (this.#nodeByAlias.get(form) ?? form))
      .find((node) => node !== undefined && hasNode(node));
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
