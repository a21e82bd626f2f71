import type { FactSlots } from './fact-slot.ts';
import type { TripleRecord } from './triple.ts';

/**
 * Which facts compete. Of the facts in one slot at most one holds at any time: a statement and its negation share a
 * slot, and so do all values of a single-valued predicate of one subject. A fact may end others in a slot that is not
 * its own: that one used to live somewhere stays true.
 */
export class FactIndex {
  readonly records: ReadonlyMap<string, TripleRecord>;
  readonly #records = new Map<string, TripleRecord>();
  readonly #idBySeq = new Map<number, string>();
  readonly #slotsById = new Map<string, FactSlots>();
  readonly #slots = new Map<string, Set<string>>();
  readonly #superseders = new Map<string, Set<string>>();

  constructor() {
    this.records = this.#records;
  }

  add(record: TripleRecord, slots: FactSlots): void {
    this.#records.set(record.id, record);
    this.#idBySeq.set(record.seq, record.id);
    this.#slotsById.set(record.id, slots);
    for (const key of [...slots.own, ...slots.claimed]) addTo(this.#slots, key, record.id);
    for (const id of record.supersedes) addTo(this.#superseders, id, record.id);
  }

  /** Puts a record in the place of the one with its id; both are in the same slots. */
  replace(record: TripleRecord): void {
    this.#records.set(record.id, record);
  }

  remove(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    const { own = [], claimed = [] } = this.#slotsById.get(id) ?? {};
    for (const key of [...own, ...claimed]) removeFrom(this.#slots, key, id);
    for (const superseded of record.supersedes) removeFrom(this.#superseders, superseded, id);
    this.#records.delete(id);
    this.#idBySeq.delete(record.seq);
    this.#slotsById.delete(id);
  }

  clear(): void {
    this.#records.clear();
    this.#idBySeq.clear();
    this.#slotsById.clear();
    this.#slots.clear();
    this.#superseders.clear();
  }

  /** The id of the fact with this seq. */
  idAt(seq: number): string | undefined {
    return this.#idBySeq.get(seq);
  }

  /** The slots in which a fact must be the one that began last. */
  slotKeys(id: string): readonly string[] {
    return this.#slotsById.get(id)?.own ?? [];
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
