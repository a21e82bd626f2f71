import { checkName } from './check-triple.ts';
import { FactTimes } from './fact-times.ts';
import { FactView, shownFact, shownFacts } from './fact-view.ts';
import { checkQuery, type EntityFactsQuery, type TripleListQuery, type TripleQuery } from './graph-query.ts';
import type { GraphStore } from './graph-store.ts';
import type { Triple, TripleRecord } from './triple.ts';

/** Reads the facts of a store as they were known at a given time. Changes nothing. */
export class FactReader {
  readonly #store: GraphStore;
  readonly #now: () => number;
  #times: FactTimes | undefined;

  constructor(store: GraphStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Drops cached results. Call it after the store has changed. */
  refresh(): void {
    this.#times = undefined;
  }

  /** Returns the matching facts in the order they were added. @throws MnemoraError `invalid-input` */
  triples(query: TripleListQuery): Triple[] {
    const {
      about,
      validAt,
      knownAt,
      includeHistory = false,
    } = checkQuery(query, ['about', 'validAt', 'knownAt', 'includeHistory']);
    const times = this.#timesAt(knownAt);
    const isMeant =
      includeHistory && validAt === undefined
        ? (record: TripleRecord) => times.isKnown(record)
        : times.holdingAt(validAt ?? this.#now());
    const { facts } = this.#store;
    const records = about === undefined ? facts.records.values() : facts.latestAt(this.#find(about));
    return shownFacts([...records].filter(isMeant), this.#store, times);
  }

  /** Returns the facts around an entity, breadth first. @throws MnemoraError `invalid-input` */
  around(name: string, query: EntityFactsQuery): Triple[] {
    const { validAt, knownAt, depth = 1 } = checkQuery(query, ['validAt', 'knownAt', 'depth']);
    const { facts } = this.#store;
    const start = this.#find(name);
    const times = this.#timesAt(knownAt);
    const holds = times.holdingAt(validAt ?? this.#now());
    const reached = new Set(start === undefined ? [] : [start]);
    const found = new Map<string, Triple>();
    let frontier = [...reached];
    for (let level = 0; level < depth && frontier.length > 0; level++) {
      const next: string[] = [];
      for (const node of frontier) {
        const records = [...facts.latestAt(node)].filter((record) => !found.has(record.id) && holds(record));
        for (const triple of shownFacts(records, this.#store, times)) {
          found.set(triple.id, triple);
          for (const end of this.#store.endsOf(triple.id)) {
            if (reached.has(end)) continue;
            reached.add(end);
            next.push(end);
          }
        }
      }
      frontier = next;
    }
    return [...found.values()];
  }

  /** Returns a view that evaluates facts one by one. @throws MnemoraError `invalid-input` */
  view(query: TripleQuery): FactView {
    const { validAt, knownAt } = checkQuery(query, ['validAt', 'knownAt']);
    return new FactView(this.#store, this.#timesAt(knownAt), validAt ?? this.#now());
  }

  /** Returns a test for whether a fact holds at that time, given everything that is known. */
  holdingAt(validAt: number): (record: TripleRecord) => boolean {
    return this.#timesAt(undefined).holdingAt(validAt);
  }

  /** Returns a fact with its end, as it is known now. */
  toTriple(record: TripleRecord): Triple {
    return shownFact(record, this.#store, this.#timesAt(undefined));
  }

  #find(name: string): string | undefined {
    return this.#store.find(checkName(name, 'The name of an entity'));
  }

  #timesAt(knownAt: number | undefined): FactTimes {
    if (knownAt !== undefined) return new FactTimes(this.#store.facts, knownAt);
    this.#times ??= new FactTimes(this.#store.facts, Number.POSITIVE_INFINITY);
    return this.#times;
  }
}
