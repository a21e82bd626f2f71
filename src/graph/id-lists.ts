/**
 * Lists of ids by key. Most keys have a single id, which is stored without a set: ten thousand facts have forty
 * thousand keys, and a set for each would cost more to create and garbage-collect than the rest of the index.
 */
export class IdLists {
  readonly #ids = new Map<string, string | Set<string>>();

  add(key: string, id: string): void {
    const known = this.#ids.get(key);
    if (known === undefined) this.#ids.set(key, id);
    else if (typeof known !== 'string') known.add(id);
    else if (known !== id) this.#ids.set(key, new Set([known, id]));
  }

  remove(key: string, id: string): void {
    const known = this.#ids.get(key);
    if (known === id) this.#ids.delete(key);
    if (known === undefined || typeof known === 'string') return;
    known.delete(id);
    if (known.size === 0) this.#ids.delete(key);
  }

  clear(): void {
    this.#ids.clear();
  }

  has(key: string): boolean {
    return this.#ids.has(key);
  }

  /** Returns the ids of a key in the order they were added. */
  get(key: string): Iterable<string> {
    const known = this.#ids.get(key);
    return typeof known === 'string' ? [known] : (known ?? []);
  }

  count(key: string): number {
    const known = this.#ids.get(key);
    return typeof known === 'string' ? 1 : (known?.size ?? 0);
  }
}
