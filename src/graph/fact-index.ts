import type { TripleRecord } from './triple.ts';

/**
 * Which facts compete. Of the facts in one slot at most one holds at any time: a statement and its negation share a
 * slot, and so do all values of a single-valued predicate of one subject.
 */
export class FactIndex {
  readonly records: ReadonlyMap<string, TripleRecord>;
  readonly #records = new Map<string, TripleRecord>();
  readonly #slotKeys = new Map<string, readonly string[]>();
  readonly #slots = new Map<string, Set<string>>();
  readonly #superseders = new Map<string, Set<string>>();

  constructor() {
    this.records = this.#records;
  }

  add(record: TripleRecord, slotKeys: readonly string[]): void {
    this.#records.set(record.id, record);
    this.#slotKeys.set(record.id, slotKeys);
    for (const key of slotKeys) addTo(this.#slots, key, record.id);
    for (const id of record.supersedes) addTo(this.#superseders, id, record.id);
  }

  /** Puts a record in the place of the one with its id; both are in the same slots. */
  replace(record: TripleRecord): void {
    this.#records.set(record.id, record);
  }

  remove(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    for (const key of this.slotKeys(id)) removeFrom(this.#slots, key, id);
    for (const superseded of record.supersedes) removeFrom(this.#superseders, superseded, id);
    this.#records.delete(id);
    this.#slotKeys.delete(id);
  }

  clear(): void {
    this.#records.clear();
    this.#slotKeys.clear();
    this.#slots.clear();
    this.#superseders.clear();
  }

  slotKeys(id: string): readonly string[] {
    return this.#slotKeys.get(id) ?? [];
  }

  inSlot(key: string): TripleRecord[] {
    return this.#lookUp(this.#slots.get(key));
  }

  /** Whether another fact names this one as superseded. */
  isNamed(id: string): boolean {
    return this.#superseders.has(id);
  }

  /** Facts that name this one as superseded. */
  superseders(id: string): TripleRecord[] {
    return this.#lookUp(this.#superseders.get(id));
  }

  /** The facts that others name as superseded, newest first. */
  named(): TripleRecord[] {
    return this.#lookUp(this.#superseders.keys()).toSorted((a, b) => b.seq - a.seq);
  }

  #lookUp(ids: Iterable<string> = []): TripleRecord[] {
    return Array.from(ids, (id) => this.#records.get(id)).filter((record) => record !== undefined);
  }
}

function addTo(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids) ids.add(id);
  else map.set(key, new Set([id]));
}

function removeFrom(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  ids?.delete(id);
  if (ids?.size === 0) map.delete(key);
}
