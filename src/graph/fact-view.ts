import { checkName, checkWords } from './check-triple.ts';
import type { SaidFact } from './fact-slot.ts';
import type { FactTimes } from './fact-times.ts';
import type { GraphStore } from './graph-store.ts';
import type { Triple, TripleRecord } from './triple.ts';

/**
 * What holds at one time, and what is known at one time, looked at fact by fact: only what is asked for is worked out.
 * To be used before the graph changes.
 */
export class FactView {
  readonly #store: GraphStore;
  readonly #times: FactTimes;
  readonly #isHolding: (record: TripleRecord) => boolean;

  constructor(store: GraphStore, times: FactTimes, validAt: number) {
    this.#store = store;
    this.#times = times;
    this.#isHolding = times.holdingAt(validAt);
  }

  /** The fact with this id, whether it holds or not; undefined where it is not known. */
  triple(id: string): Triple | undefined {
    const record = this.#store.facts.records.get(id);
    return record && this.#times.isKnown(record) ? shownFact(record, this.#store, this.#times) : undefined;
  }

  /** Whether there is a fact with this id that holds. */
  holds(id: string): boolean {
    const record = this.#store.facts.records.get(id);
    return record !== undefined && this.#isHolding(record);
  }

  /** The nodes at the ends of a fact; none where it is not there. */
  endsOf(id: string): readonly string[] {
    return this.#store.endsOf(id);
  }

  /** Whether a fact holds that has these two nodes at its ends. */
  areLinked(a: string, b: string): boolean {
    const { facts } = this.#store;
    const [few, other] = facts.at(a).length < facts.at(b).length ? [a, b] : [b, a];
    return facts.at(few).some((id) => {
      const [subject, object] = this.#store.endsOf(id);
      const isBetween = subject === few ? object === other : subject === other;
      return isBetween && this.holds(id);
    });
  }

  /**
   * The facts that hold of an entity, those of which it is the object included, the one that began last first.
   *
   * @throws MnemoraError `invalid-input`
   */
  *latest(name: string): Generator<Triple, void> {
    const node = this.#store.find(checkName(name, 'The name of an entity'));
    if (node === undefined) return;
    for (const record of this.#store.facts.latestAt(node)) {
      if (this.#isHolding(record)) yield shownFact(record, this.#store, this.#times);
    }
  }

  /** The known facts of which a message is a source, whether they hold or not. */
  from(messageId: string): Triple[] {
    return this.#shown(this.#store.facts.fromMessage(messageId));
  }

  /** The known facts that name this one in `supersedes`, whether they hold or not. */
  successors(id: string): Triple[] {
    return this.#shown(this.#store.facts.superseders(id));
  }

  /**
   * The facts that hold and compete with one that says this: those that it may end.
   *
   * @throws MnemoraError `invalid-input`
   */
  rivals(said: SaidFact): Triple[] {
    const { own, claimed } = this.#store.slotsFor({ ...said, ...checkWords(said) });
    const competing = [...own, ...claimed].flatMap((key) => this.#store.facts.inSlot(key));
    return this.#shown([...new Set(competing)].filter(this.#isHolding));
  }

  #shown(records: readonly TripleRecord[]): Triple[] {
    const known = records.filter((record) => this.#times.isKnown(record));
    return shownFacts(known, this.#store, this.#times);
  }
}

/** {@link shownFact} for several facts, in the order of adding. */
export function shownFacts(records: readonly TripleRecord[], store: GraphStore, times: FactTimes): Triple[] {
  return records.toSorted((a, b) => a.seq - b.seq).map((record) => shownFact(record, store, times));
}

/** A fact with what is known of its end, and with its ends called as their entities are. */
export function shownFact(record: TripleRecord, store: GraphStore, times: FactTimes): Triple {
  const {
    seq: _seq,
    retraction: _retraction,
    supersedes: _supersedes,
    validTo: _validTo,
    ...fields
  } = record;
  const { validTo, ...end } = times.endOf(record);
  const place = store.facts.place(record.id);
  return {
    ...fields,
    subject: store.displayName(record.subject, place?.subject),
    object: store.displayName(record.object, place?.object),
    ...(validTo === Number.POSITIVE_INFINITY ? {} : { validTo }),
    ...end,
  };
}
