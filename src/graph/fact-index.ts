import { firstPassing } from '../model/binary-search.ts';
import type { FactSlots } from './fact-slot.ts';
import type { TripleRecord } from './triple.ts';

/** The position of a fact in the graph: its two nodes, and the slots in which it competes. */
export interface FactPlace {
  readonly subject: string;
  readonly object: string;
  readonly slots: FactSlots;
}

/**
 * Indexes facts, and finds those that compete. Of the facts in one slot, at most one holds at any time. A statement
 * and its negation share a slot, and so do all values of a single-valued predicate of one subject. A fact may end
 * others in a slot that it does not occupy: "used to live in Rome" ends "lives in Rome" and itself stays true.
 */
export class FactIndex {
  readonly #records = new Map<string, TripleRecord>();
  readonly #idBySeq = new Map<number, string>();
  readonly #places = new Map<string, FactPlace>();
  readonly #slots = new IdLists();
  readonly #superseders = new IdLists();
  readonly #byMessage = new IdLists();
  /** Fact ids by node, sorted by when the facts began. */
  readonly #byNode = new Map<string, string[]>();

  get records(): ReadonlyMap<string, TripleRecord> {
    return this.#records;
  }

  add(record: TripleRecord, place: FactPlace): void {
    this.#records.set(record.id, record);
    this.#idBySeq.set(record.seq, record.id);
    this.#places.set(record.id, place);
    for (const key of slotsOfPlace(place)) this.#slots.add(key, record.id);
    for (const id of record.supersedes) this.#superseders.add(id, record.id);
    for (const { messageId } of record.sources) this.#byMessage.add(messageId, record.id);
    for (const node of endsOf(place)) {
      const ids = this.#byNode.get(node);
      if (ids) ids.splice(this.#position(ids, record), 0, record.id);
      else this.#byNode.set(node, [record.id]);
    }
  }

  /** Replaces the record with the same id. Both must begin at the same time and be in the same slots. */
  replace(record: TripleRecord): void {
    for (const { messageId } of this.#records.get(record.id)?.sources ?? []) {
      this.#byMessage.remove(messageId, record.id);
    }
    for (const { messageId } of record.sources) this.#byMessage.add(messageId, record.id);
    this.#records.set(record.id, record);
  }

  remove(id: string): void {
    const record = this.#records.get(id);
    const place = this.#places.get(id);
    if (!record || !place) return;
    for (const key of slotsOfPlace(place)) this.#slots.remove(key, id);
    for (const superseded of record.supersedes) this.#superseders.remove(superseded, id);
    for (const { messageId } of record.sources) this.#byMessage.remove(messageId, id);
    for (const node of endsOf(place)) {
      const ids = this.#byNode.get(node) ?? [];
      ids.splice(this.#position(ids, record), 1);
      if (ids.length === 0) this.#byNode.delete(node);
    }
    this.#records.delete(id);
    this.#idBySeq.delete(record.seq);
    this.#places.delete(id);
  }

  idAt(seq: number): string | undefined {
    return this.#idBySeq.get(seq);
  }

  place(id: string): FactPlace | undefined {
    return this.#places.get(id);
  }

  /** Returns the ids of the facts at a node, sorted by when they began. */
  at(node: string): readonly string[] {
    return this.#byNode.get(node) ?? [];
  }

  /** Returns the slots in which a fact holds only while it is the one that began last. */
  slotKeys(id: string): readonly string[] {
    return this.#places.get(id)?.slots.own ?? [];
  }

  /** Whether the slot contains a single fact. */
  isAloneIn(key: string): boolean {
    return this.#slots.count(key) === 1;
  }

  inSlot(key: string): TripleRecord[] {
    return this.#lookUp(this.#slots.get(key));
  }

  /** Returns the facts that supersede this one by id. */
  superseders(id: string): TripleRecord[] {
    return this.#lookUp(this.#superseders.get(id));
  }

  /** Returns the facts that have this message as a source. */
  fromMessage(messageId: string): TripleRecord[] {
    return this.#lookUp(this.#byMessage.get(messageId));
  }

  /** Yields the facts at a node, the one that began last first. Each is looked up only when it is consumed. */
  *latestAt(node: string | undefined): Generator<TripleRecord, void> {
    const ids = (node !== undefined && this.#byNode.get(node)) || [];
    for (let position = ids.length - 1; position >= 0; position--) {
      const record = this.#records.get(ids[position] ?? '');
      if (record) yield record;
    }
  }

  #lookUp(ids: Iterable<string>): TripleRecord[] {
    return Array.from(ids, (id) => this.#records.get(id)).filter((record) => record !== undefined);
  }

  /** Returns the index at which a record is, or belongs, in ids sorted by when the facts began. */
  #position(ids: readonly string[], record: TripleRecord): number {
    const last = this.#records.get(ids.at(-1) ?? '');
    if (last && byBeginning(last, record) < 0) return ids.length; // Most facts are added in the order in which they began.
    return firstPassing(ids.length, (position) => {
      const other = this.#records.get(ids[position] ?? '');
      return !other || byBeginning(other, record) >= 0;
    });
  }
}

/** Sorts facts by when they began, then by when they were recorded. */
export function byBeginning(a: TripleRecord, b: TripleRecord): number {
  return a.validFrom - b.validFrom || a.recordedAt - b.recordedAt || a.seq - b.seq;
}

function slotsOfPlace({ slots }: FactPlace): string[] {
  return [...slots.own, ...slots.claimed];
}

function endsOf({ subject, object }: FactPlace): readonly string[] {
  return subject === object ? [subject] : [subject, object];
}

/**
 * Lists of ids by key. Most keys have a single id, which is stored without a set: ten thousand facts have forty
 * thousand keys, and a set for each would cost more to create and garbage-collect than the rest of the index.
 */
class IdLists {
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
