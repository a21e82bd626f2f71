/** Ids in the order in which they were added. What the newest cost does not depend on how many there are. */
export class RecentIds {
  /** Deleted ids leave a gap. */
  #ids: (string | undefined)[] = [];
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#places.size;
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** Adds an id; one that is known keeps its place. */
  add(id: string): void {
    if (this.#places.has(id)) return;
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#ids[place] = undefined;
    if (this.#ids.length > 2 * this.#places.size) this.#closeGaps();
  }

  /** Returns the ids that were added last, in the order in which they were added. */
  newest(count: number): string[] {
    const found: string[] = [];
    for (let place = this.#ids.length - 1; place >= 0 && found.length < count; place -= 1) {
      const id = this.#ids[place];
      if (id !== undefined) found.push(id);
    }
    return found.toReversed();
  }

  #closeGaps(): void {
    this.#ids = [...this.#places.keys()];
    for (const [place, id] of [...this.#places.keys()].entries()) this.#places.set(id, place);
  }
}
