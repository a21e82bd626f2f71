import { checkName } from './check-triple.ts';
import { FactTimes } from './fact-times.ts';
import { checkQuery, type EntityFactsQuery, type TripleListQuery, type TripleQuery } from './graph-query.ts';
import type { GraphStore } from './graph-store.ts';
import type { Triple, TripleRecord } from './triple.ts';

/** Reads the facts of a store as they are known at some time. Changes nothing. */
export class FactReader {
  readonly #store: GraphStore;
  readonly #now: () => number;
  #times: FactTimes | undefined;

  constructor(store: GraphStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** To be called when the store has changed. */
  refresh(): void {
    this.#times = undefined;
  }

  /** A fact, if it is known. @throws MnemoraError `invalid-input` */
  triple(id: string, query: Pick<TripleQuery, 'knownAt'>): Triple | undefined {
    const times = this.#timesAt(checkQuery(query, ['knownAt']).knownAt);
    const record = this.#store.facts.records.get(id);
    return record && times.isKnown(record) ? this.#shown(record, times) : undefined;
  }

  /** The facts that are meant, in the order of adding. @throws MnemoraError `invalid-input` */
  triples(query: TripleListQuery): Triple[] {
    const {
      validAt,
      knownAt,
      includeHistory = false,
    } = checkQuery(query, ['validAt', 'knownAt', 'includeHistory']);
    const times = this.#timesAt(knownAt);
    const isMeant =
      includeHistory && validAt === undefined
        ? (record: TripleRecord) => times.isKnown(record)
        : times.holdingAt(validAt ?? this.#now());
    return this.#ordered([...this.#store.facts.records.values()].filter(isMeant), times);
  }

  /** The facts around an entity, breadth first. @throws MnemoraError `invalid-input` */
  around(name: string, query: EntityFactsQuery): Triple[] {
    const { validAt, knownAt, depth = 1 } = checkQuery(query, ['validAt', 'knownAt', 'depth']);
    const start = this.#store.find(checkName(name, 'The name of an entity'));
    const times = this.#timesAt(knownAt);
    const holds = times.holdingAt(validAt ?? this.#now());
    const reached = new Set(start === undefined ? [] : [start]);
    const found = new Map<string, Triple>();
    let frontier = [...reached];
    for (let level = 0; level < depth && frontier.length > 0; level++) {
      const next: string[] = [];
      for (const node of frontier) {
        const records = this.#store.factsAt(node).filter((record) => !found.has(record.id) && holds(record));
        for (const triple of this.#ordered(records, times)) {
          found.set(triple.id, triple);
          for (const end of this.#store.graph.extremities(triple.id)) {
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

  /** Tells of each fact whether it holds at that time, with all that is known. */
  holdingAt(validAt: number): (record: TripleRecord) => boolean {
    return this.#timesAt(undefined).holdingAt(validAt);
  }

  /** A fact with all that is known of it. */
  toTriple(record: TripleRecord): Triple {
    return this.#shown(record, this.#timesAt(undefined));
  }

  #timesAt(knownAt: number | undefined): FactTimes {
    if (knownAt !== undefined) return new FactTimes(this.#store.facts, knownAt);
    this.#times ??= new FactTimes(this.#store.facts, Number.POSITIVE_INFINITY);
    return this.#times;
  }

  #ordered(records: readonly TripleRecord[], times: FactTimes): Triple[] {
    return records.toSorted((a, b) => a.seq - b.seq).map((record) => this.#shown(record, times));
  }

  #shown(record: TripleRecord, times: FactTimes): Triple {
    const {
      seq: _seq,
      retraction: _retraction,
      supersedes: _supersedes,
      validTo: _validTo,
      ...fields
    } = record;
    const { validTo, ...end } = times.endOf(record);
    return {
      ...fields,
      subject: this.#store.displayName(record.subject),
      object: this.#store.displayName(record.object),
      ...(validTo === Number.POSITIVE_INFINITY ? {} : { validTo }),
      ...end,
    };
  }
}
