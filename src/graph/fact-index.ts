import type { FactSlots } from './fact-slot.ts';
import { IdLists } from './id-lists.ts';
import type { TripleRecord } from './triple.ts';

/** Where a fact stands: the nodes at its ends, and where it competes. */
export interface FactPlace {
  readonly subject: string;
  readonly object: string;
  readonly slots: FactSlots;
}

/**
 * Which facts compete. Of the facts in one slot at most one holds at any time: a statement and its negation share a
 * slot, and so do all values of a single-valued predicate of one subject. A fact may end others in a slot that is not
 * its own: that one used to live somewhere stays true.
 */
export class FactIndex {
  readonly records: ReadonlyMap<string, TripleRecord>;
  readonly #records = new Map<string, TripleRecord>();
  readonly #idBySeq = new Map<number, string>();
  readonly #places = new Map<string, FactPlace>();
  readonly #slots = new IdLists();
  readonly #superseders = new IdLists();
  readonly #byMessage = new IdLists();
  /** By node, the fact that began first at the front. */
  readonly #byNode = new Map<string, string[]>();

  constructor() {
    this.records = this.#records;
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

  /** Puts a record in the place of the one with its id; both begin at one time and are in the same slots. */
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

  clear(): void {
    this.#records.clear();
    this.#idBySeq.clear();
    this.#places.clear();
    this.#slots.clear();
    this.#superseders.clear();
    this.#byMessage.clear();
    this.#byNode.clear();
  }

  /** The id of the fact with this seq. */
  idAt(seq: number): string | undefined {
    return this.#idBySeq.get(seq);
  }

  /** Where a fact stands. */
  place(id: string): FactPlace | undefined {
    return this.#places.get(id);
  }

  /** Ids of the facts with this node at an end, the one that began first at the front. */
  at(node: string): readonly string[] {
    return this.#byNode.get(node) ?? [];
  }

  /** The slots in which a fact must be the one that began last. */
  slotKeys(id: string): readonly string[] {
    return this.#places.get(id)?.slots.own ?? [];
  }

  /** Whether no other fact competes in the slot of one. */
  isAloneIn(key: string): boolean {
    return this.#slots.count(key) === 1;
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

  /** Facts of which this message is a source. */
  fromMessage(messageId: string): TripleRecord[] {
    return this.#lookUp(this.#byMessage.get(messageId));
  }

  /** Facts with this node at an end, the one that began last first; looked up one by one as they are asked for. */
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

  /** Where a record is, or belongs, in a list of ids in the order of beginning. */
  #position(ids: readonly string[], record: TripleRecord): number {
    const last = this.#records.get(ids.at(-1) ?? '');
    if (last && byBeginning(last, record) < 0) return ids.length; // as most facts come
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#records.get(ids[middle] ?? '');
      if (other && byBeginning(other, record) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The order in which facts began; equal beginnings are decided by the later recording. */
export function byBeginning(a: TripleRecord, b: TripleRecord): number {
  return a.validFrom - b.validFrom || a.recordedAt - b.recordedAt || a.seq - b.seq;
}

function slotsOfPlace({ slots }: FactPlace): string[] {
  return [...slots.own, ...slots.claimed];
}

function endsOf({ subject, object }: FactPlace): readonly string[] {
  return subject === object ? [subject] : [subject, object];
}
