import { firstPassing } from '../model/ordered/binary-search.ts';
import type { FactSlots } from './fact-slot.ts';
import type { TripleRecord } from './triple.ts';

/**
 * Finds the ids of facts, and those that compete. Of the facts in one slot, at most one holds at any time. A statement
 * and its negation share a slot, and so do all values of a single-valued predicate of one subject. A fact may end
 * others in a slot that it does not occupy: "used to live in Rome" ends "lives in Rome" and itself stays true.
 */
export class FactIndex<Fact extends TripleRecord = TripleRecord> {
  readonly #factAt: (id: string) => Fact | undefined;
  readonly #slotsById = new Map<string, FactSlots>();
  /** Fact ids by slot, sorted by when the facts began. Most slots have one fact, whose id is stored without a list. */
  readonly #bySlot = new Map<string, string | string[]>();
  readonly #superseders = new IdLists();
  readonly #byMessage = new IdLists();
  /** Fact ids by node, sorted by when the facts began. */
  readonly #byNode = new Map<string, string[]>();

  /** @param factAt returns the fact with an id */
  constructor(factAt: (id: string) => Fact | undefined) {
    this.#factAt = factAt;
  }

  /** @param slots the slots of the fact between these nodes */
  add(fact: Fact, subject: string, object: string, slots: FactSlots): void {
    const { id, supersedes } = fact;
    this.#slotsById.set(id, slots);
    for (const key of slots.own) this.#addInSlot(key, fact);
    for (const key of slots.claimed) this.#addInSlot(key, fact);
    for (const superseded of supersedes) this.#superseders.add(superseded, id);
    this.addSources(fact);
    this.#addAt(subject, fact);
    if (object !== subject) this.#addAt(object, fact);
  }

  remove(fact: Fact, subject: string, object: string): void {
    const { id, supersedes } = fact;
    const { own = [], claimed = [] } = this.#slotsById.get(id) ?? {};
    for (const key of new Set([...own, ...claimed])) this.#removeFromSlot(key, fact);
    for (const superseded of supersedes) this.#superseders.remove(superseded, id);
    this.removeSources(fact);
    for (const node of new Set([subject, object])) {
      const ids = this.#byNode.get(node) ?? [];
      ids.splice(this.#position(ids, fact), 1);
      if (ids.length === 0) this.#byNode.delete(node);
    }
    this.#slotsById.delete(id);
  }

  addSources({ id, sources }: Fact): void {
    for (const { messageId } of sources) this.#byMessage.add(messageId, id);
  }

  removeSources({ id, sources }: Fact): void {
    for (const { messageId } of sources) this.#byMessage.remove(messageId, id);
  }

  clear(): void {
    const lists = [this.#slotsById, this.#bySlot, this.#superseders, this.#byMessage, this.#byNode];
    for (const list of lists) list.clear();
  }

  has(id: string): boolean {
    return this.#slotsById.has(id);
  }

  /** Returns the ids of the facts at a node, sorted by when they began. */
  at(node: string): readonly string[] {
    return this.#byNode.get(node) ?? [];
  }

  /** Returns the slots in which a fact holds only while it is the one that began last. */
  slotKeys(id: string): readonly string[] {
    return this.#slotsById.get(id)?.own ?? [];
  }

  /** Whether the slot contains a single fact. */
  isAloneIn(key: string): boolean {
    const ids = this.#bySlot.get(key);
    return typeof ids === 'string' || ids?.length === 1;
  }

  /** Returns the facts in a slot, the one that began first first. */
  inSlot(key: string): Fact[] {
    return this.#lookUp(this.#idsIn(key));
  }

  /** Yields the facts in a slot, the one that began last first. Each is looked up only when it is consumed. */
  *latestInSlot(key: string): Generator<Fact, void> {
    yield* this.#latest(this.#idsIn(key));
  }

  /** Yields the facts in a slot that began before one of them, the last of them first. */
  *earlierInSlot(key: string, fact: Fact): Generator<Fact, void> {
    const ids = this.#idsIn(key);
    yield* this.#latest(ids, this.#position(ids, fact));
  }

  /** Yields the facts in a slot that began after one of them, in the order in which they began. */
  *laterInSlot(key: string, fact: Fact): Generator<Fact, void> {
    const ids = this.#idsIn(key);
    for (let position = this.#position(ids, fact) + 1; position < ids.length; position++) {
      const later = this.#factAt(ids[position] ?? '');
      if (later) yield later;
    }
  }

  /** Returns the facts that supersede this one by id. */
  superseders(id: string): Fact[] {
    return this.#lookUp(this.#superseders.get(id));
  }

  /** Returns the facts that have this message as a source. */
  fromMessage(messageId: string): Fact[] {
    return this.#lookUp(this.#byMessage.get(messageId));
  }

  /** Yields the facts at a node, the one that began last first. Each is looked up only when it is consumed. */
  *latestAt(node: string | undefined): Generator<Fact, void> {
    if (node !== undefined) yield* this.#latest(this.at(node));
  }

  *#latest(ids: readonly string[], before = ids.length): Generator<Fact, void> {
    for (let position = before - 1; position >= 0; position--) {
      const fact = this.#factAt(ids[position] ?? '');
      if (fact) yield fact;
    }
  }

  #idsIn(slot: string): readonly string[] {
    const ids = this.#bySlot.get(slot) ?? [];
    return typeof ids === 'string' ? [ids] : ids;
  }

  #lookUp(ids: Iterable<string>): Fact[] {
    return Array.from(ids, this.#factAt).filter((fact) => fact !== undefined);
  }

  #addInSlot(key: string, fact: Fact): void {
    const known = this.#bySlot.get(key);
    if (known === undefined || known === fact.id) {
      this.#bySlot.set(key, fact.id);
      return;
    }
    const ids = typeof known === 'string' ? [known] : known;
    const position = this.#position(ids, fact);
    if (ids[position] !== fact.id) ids.splice(position, 0, fact.id);
    this.#bySlot.set(key, ids);
  }

  #removeFromSlot(key: string, fact: Fact): void {
    const known = this.#bySlot.get(key);
    if (known === fact.id) this.#bySlot.delete(key);
    if (known === undefined || typeof known === 'string') return;
    const position = this.#position(known, fact);
    if (known[position] === fact.id) known.splice(position, 1);
    if (known.length === 0) this.#bySlot.delete(key);
  }

  #addAt(node: string, fact: Fact): void {
    const ids = this.#byNode.get(node);
    if (ids) ids.splice(this.#position(ids, fact), 0, fact.id);
    else this.#byNode.set(node, [fact.id]);
  }

  /** Returns the index at which a fact is, or belongs, in ids sorted by when the facts began. */
  #position(ids: readonly string[], fact: Fact): number {
    const last = this.#factAt(ids.at(-1) ?? '');
    if (last && byBeginning(last, fact) < 0) return ids.length; // Most facts are added in the order in which they began.
    return firstPassing(ids.length, (position) => {
      // A fact that has left the graph is the one whose id is being removed.
      const other = this.#factAt(ids[position] ?? '');
      return !other || byBeginning(other, fact) >= 0;
    });
  }
}

/** Sorts facts by when they began, then by when they were recorded. */
function byBeginning(a: TripleRecord, b: TripleRecord): number {
  return a.validFrom - b.validFrom || a.recordedAt - b.recordedAt || a.seq - b.seq;
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

  clear(): void {
    this.#ids.clear();
  }

  /** Returns the ids of a key in the order they were added. */
  get(key: string): Iterable<string> {
    const known = this.#ids.get(key);
    return typeof known === 'string' ? [known] : (known ?? []);
  }
}
