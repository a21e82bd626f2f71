/**
 * Ids by key. Most keys have one id, which is kept as it is: ten thousand facts make forty thousand keys, and as many
 * sets would take longer to make, and to sweep up, than all else about the facts.
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

  /** In the order of adding. */
  get(key: string): Iterable<string> {
    const known = this.#ids.get(key);
    return typeof known === 'string' ? [known] : (known ?? []);
  }

  count(key: string): number {
    const known = this.#ids.get(key);
    return typeof known === 'string' ? 1 : (known?.size ?? 0);
  }
}
