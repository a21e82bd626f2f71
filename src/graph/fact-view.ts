import { checkName, checkWords } from './check-triple.ts';
import type { SaidFact } from './fact-slot.ts';
import type { FactTimes } from './fact-times.ts';
import type { GraphStore } from './graph-store.ts';
import { isProposal, type Triple, type TripleRecord } from './triple.ts';

/**
 * Evaluates facts one by one, at one valid time and one known time; computes only what is requested. It becomes invalid
 * when the graph changes.
 */
export class FactView {
  readonly #store: GraphStore;
  readonly #times: FactTimes;
  /** Whether a fact, or a proposal, is neither over nor replaced nor rejected. */
  readonly #isCurrent: (record: TripleRecord) => boolean;
  readonly #isHolding: (record: TripleRecord) => boolean;

  constructor(store: GraphStore, times: FactTimes, validAt: number) {
    this.#store = store;
    this.#times = times;
    this.#isCurrent = times.holdingAt(validAt);
    this.#isHolding = (record) => !isProposal(record) && this.#isCurrent(record);
  }

  /** Returns the fact with this id, whether or not it holds, or undefined if it is not known. */
  triple(id: string): Triple | undefined {
    const record = this.#store.fact(id);
    return record && this.#times.isKnown(record) ? this.#times.shown(record) : undefined;
  }

  /** Returns the fact with this id if it is known, and neither retracted nor superseded. A stated end may have passed. */
  unretracted(id: string): Triple | undefined {
    const fact = this.triple(id);
    return fact?.retractedAt === undefined && fact?.supersededBy === undefined ? fact : undefined;
  }

  /** Returns the fact or proposal with this id if it is neither over nor replaced nor rejected. */
  current(id: string): Triple | undefined {
    const record = this.#store.fact(id);
    return record && this.#isCurrent(record) ? this.#times.shown(record) : undefined;
  }

  /** Whether the fact with this id exists, holds and is not only proposed. */
  holds(id: string): boolean {
    const record = this.#store.fact(id);
    return record !== undefined && this.#isHolding(record);
  }

  /** Returns the subject and object nodes of a fact, or an empty array if it does not exist. */
  endsOf(id: string): readonly string[] {
    return this.#store.endsOf(id);
  }

  /** Whether a fact that holds connects these two nodes. */
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
   * Yields the facts that hold and have the entity as subject or object, the one that began last first.
   *
   * @throws MnemoraError `invalid-input`
   */
  *latest(name: string): Generator<Triple, void> {
    const node = this.#store.find(checkName(name, 'The name of an entity'));
    for (const record of this.#store.facts.latestAt(node))
      if (this.#isHolding(record)) yield this.#times.shown(record);
  }

  /**
   * Yields the proposals about an entity that nobody has decided on and nothing has ended, the one that began last first.
   *
   * @throws MnemoraError `invalid-input`
   */
  *proposed(name: string): Generator<Triple, void> {
    const node = this.#store.find(checkName(name, 'The name of an entity'));
    for (const record of this.#store.facts.latestAt(node))
      if (isProposal(record) && this.#isCurrent(record)) yield this.#times.shown(record);
  }

  /** Returns the known facts that have this message as a source, whether or not they hold. */
  from(messageId: string): Triple[] {
    return this.#shown(this.#store.facts.fromMessage(messageId));
  }

  /** Returns the known facts that name this one in `supersedes`, whether or not they hold. */
  successors(id: string): Triple[] {
    return this.#shown(this.#store.facts.superseders(id));
  }

  /**
   * Returns the facts that hold and compete with the given statement, that is, those that it may end.
   *
   * @throws MnemoraError `invalid-input`
   */
  rivals(said: SaidFact): Triple[] {
    const { own, claimed } = this.#store.slotsFor({ ...said, ...checkWords(said) });
    const competing = [...own, ...claimed].flatMap((key) => this.#store.facts.inSlot(key));
    return this.#shown([...new Set(competing)].filter(this.#isHolding));
  }

  #shown(records: readonly TripleRecord[]): Triple[] {
    return this.#times.shownAll(records.filter((record) => this.#times.isKnown(record)));
  }
}
