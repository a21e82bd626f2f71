import { firstPassing } from '../model/ordered/binary-search.ts';
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
 * earlier one with the same statement.
 */
export class FactTimes {
  readonly #store: GraphStore;
  readonly #index: FactIndex;
  readonly #knownAt: number;
  readonly #saidUntil: SaidUntil;
  readonly #replaced = new Map<string, boolean>();
  readonly #slotEnds = new Map<string, ReadonlyMap<string, Run>>();

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

  /** Returns when a known fact finally ended. */
  #endOf(record: TripleRecord): FactEnd {
    const ownEnd = this.#ownEnd(record);
    const retraction = ownEnd < statedEnd(record) ? this.#retractionOf(record) : undefined;
    let end: FactEnd = { validTo: ownEnd, ...(retraction && { retractedAt: retraction.recordedAt }) };
    const successors = this.#superseders(record)
      .filter((later) => statedEnd(later) >= ownEnd)
      .map((later): Run => ({ from: later.validFrom, to: statedEnd(later), first: later }));
    for (const key of this.#index.slotKeys(record.id)) {
      if (this.#index.isAloneIn(key)) continue;
      const run = this.#endsInSlot(key).get(record.id);
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

  /** Maps each fact that later facts of the slot ended to the run of facts that covers its end. */
  #endsInSlot(slotKey: string): ReadonlyMap<string, Run> {
    const known = this.#slotEnds.get(slotKey);
    if (known) return known;
    const ends = new Map<string, Run>();
    // Goes from the last beginning to the first; the leftmost run is on top of the stack.
    const runs: Run[] = [];
    for (const record of this.#contenders(slotKey).toReversed()) {
      const run = runReaching(runs, this.#ownEnd(record));
      if (run) ends.set(record.id, run);
      let to = endOfClaim(record, slotKey);
      if (to <= record.validFrom) continue;
      for (let top = runs.at(-1); top && top.from <= to; top = runs.at(-1)) {
        to = Math.max(to, top.to);
        runs.pop();
      }
      runs.push({ from: record.validFrom, to, first: record });
    }
    this.#slotEnds.set(slotKey, ends);
    return ends;
  }

  /** Returns the last fact of a slot that covers a time. Of many facts, only the last ones are looked at. */
  #holderAt(validAt: number, slotKey: string): TripleRecord | undefined {
    const covers = (record: TripleRecord): boolean =>
      record.validFrom <= validAt && validAt < endOfClaim(record, slotKey);
    for (const record of this.#index.latestInSlot(slotKey)) {
      if (!covers(record) || !this.#competes(record)) continue;
      // Whether it is a repeat that nobody says any more depends on the facts before it.
      return this.#saidUntil(record.id) === Infinity ? record : this.#contenders(slotKey).findLast(covers);
    }
    return undefined;
  }

  /**
   * Returns the facts of a slot that were known and not replaced as wrong from the start, in the order in which they
   * began.
   */
  #contenders(slotKey: string): TripleRecord[] {
    const contenders: TripleRecord[] = [];
    for (const record of this.#index.inSlot(slotKey)) {
      const before = contenders.at(-1);
      if (this.#competes(record) && !(before && this.#isUnsaidRepeat(record, before)))
        contenders.push(record);
    }
    return contenders;
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
    const [statement] = this.#index.slotKeys(earlier.id);
    const isRepeat =
      statement === this.#index.slotKeys(later.id)[0] && statedEnd(later) <= statedEnd(earlier);
    return isRepeat && this.#saidUntil(later.id) < Infinity;
  }

  #isVoid(record: TripleRecord): boolean {
    return this.#isReplaced(record) || (this.#retractionOf(record)?.validTo ?? Infinity) <= record.validFrom;
  }

  /** Whether a fact that names this one in `supersedes` covers its whole period. */
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
        (later) => later.validFrom <= each.validFrom && statedEnd(later) >= statedEnd(each),
      );
      this.#replaced.set(each.id, isReplaced);
    }
    return this.#replaced.get(record.id) === true;
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

/** Returns the run that begins before `end` and covers it. The leftmost run is the last in the list. */
function runReaching(runs: readonly Run[], end: number): Run | undefined {
  const run = runs[firstPassing(runs.length, (position) => (runs[position]?.from ?? 0) < end)];
  return run && run.to >= end ? run : undefined;
}
