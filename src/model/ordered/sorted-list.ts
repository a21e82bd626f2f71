import { firstPassing } from './binary-search.ts';

/** Maximum number of items in a part of a list, so that adding one moves few others. */
const PART_ITEMS = 512;

/** Items in order. An item that changes is deleted before, and added again afterwards. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  /** Parts without gaps between them, none of them empty. */
  readonly #parts: T[][] = [];

  /** @param compare returns 0 for the same item only */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  add(item: T): void {
    const at = Math.min(this.#partOf(item), Math.max(0, this.#parts.length - 1));
    const part = this.#parts[at];
    if (!part) {
      this.#parts.push([item]);
      return;
    }
    part.splice(this.#placeIn(part, item), 0, item);
    if (part.length > PART_ITEMS) this.#parts.splice(at + 1, 0, part.splice(PART_ITEMS / 2));
  }

  /** Deletes the item that is the same as this one, if there is one. */
  delete(item: T): void {
    const at = this.#partOf(item);
    const part = this.#parts[at];
    if (!part) return;
    const place = this.#placeIn(part, item);
    const found = part[place];
    if (found === undefined || this.#compare(found, item) !== 0) return;
    part.splice(place, 1);
    if (part.length === 0) this.#parts.splice(at, 1);
  }

  /** Returns an item of the list and the items before and after it. */
  around(item: T): T[] {
    const at = this.#partOf(item);
    const part = this.#parts[at] ?? [];
    const place = this.#placeIn(part, item);
    const before = place > 0 ? part[place - 1] : this.#parts[at - 1]?.at(-1);
    const after = place + 1 < part.length ? part[place + 1] : this.#parts[at + 1]?.[0];
    return [before, part[place], after].filter((each) => each !== undefined);
  }

  /** Yields the items, the last one first. The list must not change until it is done. */
  *fromLast(): Generator<T, void> {
    for (let at = this.#parts.length - 1; at >= 0; at -= 1) {
      const part = this.#parts[at] ?? [];
      for (let place = part.length - 1; place >= 0; place -= 1) yield part[place] as T;
    }
  }

  /** Returns the first part whose last item is not before this one. */
  #partOf(item: T): number {
    return firstPassing(this.#parts.length, (at) => !this.#isBefore(this.#parts[at]?.at(-1), item));
  }

  #placeIn(part: readonly T[], item: T): number {
    return firstPassing(part.length, (place) => !this.#isBefore(part[place], item));
  }

  #isBefore(one: T | undefined, other: T): boolean {
    return one !== undefined && this.#compare(one, other) < 0;
  }
}
