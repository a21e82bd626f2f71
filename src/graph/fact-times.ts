import type { FactIndex } from './fact-index.ts';
import { isStatementKey } from './fact-slot.ts';
import type { GraphStore } from './graph-store.ts';
import type { Triple, TripleRecord } from './triple.ts';

/** When a fact stopped holding, and how that became known. */
interface FactEnd {
  /** `Infinity` while it holds. */
  readonly validTo: number;
  /** When the end became known, unless it was stated together with the fact. */
  readonly retractedAt?: number;
  readonly supersededBy?: string;
}

/** Returns the time until which anybody says the fact with an id: `Infinity` while somebody does. */
export type SaidUntil = (id: string) => number;

/** A period that facts of one slot cover without a gap. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly first: TripleRecord;
}

/**
 * Computes which facts hold when, as known at one point in time. None of this is stored: it follows from the records.
 *
 * Of the facts in a slot, the one that began last holds, for as long as it was stated to; if two began at the same
 * time, the one recorded later wins. When a fact with a stated end is over, the one before it holds again: someone
 * who stays in Rome until May lives in Paris again in June. When a fact was ended by a later statement, nothing takes
 * its place. A fact that was taken back at once ends nothing, and one that nobody says any more does not stand in for an
 * earlier one with the same statement. What the user has corrected was never true, also after the correction has ended.
 */
export class FactTimes {
  readonly #store: GraphStore;
  readonly #index: FactIndex;
  readonly #knownAt: number;
  readonly #saidUntil: SaidUntil;
  readonly #replaced = new Map<string, boolean>();
  readonly #ends = new Map<string, FactEnd>();
  /** Whether facts that nobody says any more compete, by slot and id. */
  readonly #contending = new Map<string, Map<string, boolean>>();

  constructor(store: GraphStore, knownAt: number, saidUntil: SaidUntil = () => Infinity) {
    this.#store = store;
    this.#index = store.facts;
    this.#knownAt = knownAt;
    this.#saidUntil = saidUntil;
  }

  isKnown(record: TripleRecord): boolean {
    return record.recordedAt <= this.#knownAt;
  }

  /** Returns a test for whether a fact holds at that time. */
  holdingAt(validAt: number): (record: TripleRecord) => boolean {
    const holders = new Map<string, string | undefined>();
    const holder = (slotKey: string): string | undefined => {
      if (!holders.has(slotKey)) {
        holders.set(slotKey, this.#holderAt(validAt, slotKey)?.id);
      }
      return holders.get(slotKey);
    };
    return (record) =>
      this.isKnown(record) &&
      record.validFrom <= validAt &&
      validAt < this.#ownEnd(record) &&
      !this.#superseders(record).some((later) => later.validFrom <= validAt && validAt < statedEnd(later)) &&
      !this.#isVoid(record) &&
      this.#index.slotKeys(record.id).every((key) => this.#index.isAloneIn(key) || holder(key) === record.id);
  }

  /** Returns a known fact with its end, and with the display names of its entities. */
  shown(record: TripleRecord): Triple {
    const { id, predicate, validFrom, recordedAt, source, sources, attributes } = record;
    const { validTo, ...end } = this.#endOf(record);
    const [subject, object] = this.#store.endsOf(id);
    return {
      id,
      subject: this.#store.displayName(record.subject, subject),
      predicate,
      object: this.#store.displayName(record.object, object),
      ...{ validFrom, recordedAt, source, sources, attributes },
      ...(validTo === Infinity ? {} : { validTo }),
      ...end,
    };
  }

  /** Returns several facts like {@link shown}, in the order they were added. */
  shownAll(records: readonly TripleRecord[]): Triple[] {
    return records.toSorted((a, b) => a.seq - b.seq).map((record) => this.shown(record));
  }

  #endOf(record: TripleRecord): FactEnd {
    const known = this.#ends.get(record.id);
    if (known) return known;
    const end = this.#readEnd(record);
    this.#ends.set(record.id, end);
    return end;
  }

  /** Returns when a known fact finally ended. */
  #readEnd(record: TripleRecord): FactEnd {
    const ownEnd = this.#ownEnd(record);
    const retraction = ownEnd < statedEnd(record) ? this.#retractionOf(record) : undefined;
    let end: FactEnd = { validTo: ownEnd, ...(retraction && { retractedAt: retraction.recordedAt }) };
    const successors = this.#superseders(record)
      .filter((later) => statedEnd(later) >= ownEnd)
      .map((later): Run => ({ from: later.validFrom, to: statedEnd(later), first: later }));
    for (const key of this.#index.slotKeys(record.id)) {
      if (this.#index.isAloneIn(key)) continue;
      const run = this.#runAtEndOf(record, key);
      if (run) successors.push(run);
    }
    for (const { from, first } of successors) {
      const validTo = Math.max(from, record.validFrom);
      if (validTo >= end.validTo) continue;
      end = {
        validTo,
        supersededBy: first.id,
        ...(first.recordedAt < record.recordedAt ? {} : { retractedAt: first.recordedAt }),
      };
    }
    return end;
  }

  /**
   * Returns the run of later facts in a slot that covers the end of this one. Of many facts, only those that began next are
   * looked at, up to the first that has no end.
   */
  #runAtEndOf(record: TripleRecord, slotKey: string): Run | undefined {
    if (!this.#contends(record, slotKey)) return undefined;
    const end = this.#ownEnd(record);
    let run: Run | undefined;
    for (const later of this.#contendersAfter(record, slotKey)) {
      if (later.validFrom >= end) return undefined;
      const to = endOfClaim(later, slotKey);
      if (to <= later.validFrom) continue;
      run =
        run && later.validFrom <= run.to
          ? { ...run, to: Math.max(run.to, to) }
          : { from: later.validFrom, to, first: later };
      if (run.to >= end) return run;
    }
    return undefined;
  }

  /** Returns the last fact of a slot that covers a time. Of many facts, only the last ones are looked at. */
  #holderAt(validAt: number, slotKey: string): TripleRecord | undefined {
    for (const record of this.#index.latestInSlot(slotKey)) {
      const covers = record.validFrom <= validAt && validAt < endOfClaim(record, slotKey);
      if (covers && this.#contends(record, slotKey)) return record;
    }
    return undefined;
  }

  /** Yields the facts that compete with one of them and began later. */
  *#contendersAfter(record: TripleRecord, slotKey: string): Generator<TripleRecord, void> {
    let before = record;
    for (const later of this.#index.laterInSlot(slotKey, record)) {
      if (!this.#competes(later) || this.#isUnsaidRepeat(later, before)) continue;
      before = later;
      yield later;
    }
  }

  /**
   * Whether a fact of a slot was known, not replaced as wrong from the start, and no repeat that nobody says any more of
   * the one that competes before it.
   */
  #contends(record: TripleRecord, slotKey: string): boolean {
    if (!this.#competes(record)) return false;
    if (this.#isSaid(record)) return true;
    const known = this.#contending.get(slotKey) ?? new Map<string, boolean>();
    this.#contending.set(slotKey, known);
    const decided = known.get(record.id);
    if (decided !== undefined) return decided;
    // Goes back through what states the same, to the last one that competes whatever is before it.
    const repeats = [record];
    let before: TripleRecord | undefined;
    for (const earlier of this.#index.earlierInSlot(slotKey, record)) {
      if (known.get(earlier.id) === false || !this.#competes(earlier)) continue;
      if (!this.#statesSame(earlier, record)) break;
      if (known.has(earlier.id) || this.#isSaid(earlier)) {
        before = earlier;
        break;
      }
      repeats.push(earlier);
    }
    for (const each of repeats.toReversed()) {
      const isRepeat = before !== undefined && this.#isUnsaidRepeat(each, before);
      known.set(each.id, !isRepeat);
      if (!isRepeat) before = each;
    }
    return before === record;
  }

  #superseders(record: TripleRecord): TripleRecord[] {
    return this.#index
      .superseders(record.id)
      .filter((later) => this.#competes(later) && !this.#isUnsaidRepeat(later, record));
  }

  #competes(record: TripleRecord): boolean {
    return this.isKnown(record) && !this.#isVoid(record) && this.#saidUntil(record.id) > record.validFrom;
  }

  /** Whether a fact says for no longer what an earlier one says, and nobody says it any more. */
  #isUnsaidRepeat(later: TripleRecord, earlier: TripleRecord): boolean {
    return this.#statesSame(later, earlier) && statedEnd(later) <= statedEnd(earlier) && !this.#isSaid(later);
  }

  #statesSame(one: TripleRecord, other: TripleRecord): boolean {
    return this.#index.slotKeys(one.id)[0] === this.#index.slotKeys(other.id)[0];
  }

  #isSaid({ id }: TripleRecord): boolean {
    return this.#saidUntil(id) === Infinity;
  }

  #isVoid(record: TripleRecord): boolean {
    return this.#isReplaced(record) || (this.#retractionOf(record)?.validTo ?? Infinity) <= record.validFrom;
  }

  /** Whether a fact that names this one in `supersedes` covers its whole period, or is the user's correction of it. */
  #isReplaced(record: TripleRecord): boolean {
    if (this.#index.superseders(record.id).length === 0) return false;
    const known = this.#replaced.get(record.id);
    if (known !== undefined) return known;
    // Collects all facts that the answer depends on: the superseders, their superseders, and so on. Not recursive,
    // because chains can be long.
    const chain = new Map([[record.id, record]]);
    for (const id of chain.keys()) {
      for (const later of this.#index.superseders(id)) {
        if (!this.#replaced.has(later.id)) chain.set(later.id, later);
      }
    }
    // Newest first, because whether a fact was replaced depends on later facts only.
    for (const each of [...chain.values()].toSorted((a, b) => b.seq - a.seq)) {
      const isReplaced = this.#superseders(each).some(
        (later) =>
          later.validFrom <= each.validFrom &&
          (statedEnd(later) >= statedEnd(each) || this.#isCorrection(later, each)),
      );
      this.#replaced.set(each.id, isReplaced);
    }
    return this.#replaced.get(record.id) === true;
  }

  /** Whether the user says something else instead: what they correct was never true, however long their fact holds. */
  #isCorrection(later: TripleRecord, earlier: TripleRecord): boolean {
    return later.source === 'user' && !this.#statesSame(later, earlier);
  }

  #ownEnd(record: TripleRecord): number {
    return Math.min(statedEnd(record), this.#retractionOf(record)?.validTo ?? Infinity);
  }

  #retractionOf({ retraction }: TripleRecord): TripleRecord['retraction'] {
    return retraction && retraction.recordedAt <= this.#knownAt ? retraction : undefined;
  }
}

function statedEnd(record: TripleRecord): number {
  return record.validTo ?? Infinity;
}

/** Returns how long a fact suppresses older ones of its slot. Repeating a statement replaces it entirely. */
function endOfClaim(record: TripleRecord, slotKey: string): number {
  return isStatementKey(slotKey) ? Infinity : statedEnd(record);
}
