import { checkOptionNames } from '../model/check-options.ts';
import { requireTime, type Clock } from '../model/clock.ts';
import { invalidInput, invalidOption, MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import {
  checkAttributes,
  checkName,
  checkNewTriple,
  checkText,
  checkTime,
  checkWords,
  type CheckedTriple,
} from './check-triple.ts';
import { singleValuedProperties } from './fact-slot.ts';
import { FactTimes, type SaidUntil } from './fact-times.ts';
import { FactView } from './fact-view.ts';
import {
  checkQuery,
  type EntityFactsQuery,
  type KnownAtQuery,
  type TripleListQuery,
  type TripleQuery,
} from './graph-query.ts';
import { checkRecords } from './graph-records.ts';
import { GraphStore, toEntity } from './graph-store.ts';
import { mergeSources, isRepetition, withoutSource } from './merge-sources.ts';
import {
  type AttributeMap,
  type Entity,
  type GraphRecords,
  type NewTriple,
  sentenceOf,
  type Triple,
  type TripleRecord,
  type TripleWords,
} from './triple.ts';

export interface KnowledgeGraphOptions {
  /** Predicates that have one value per subject at a time. @default SINGLE_VALUED_PREDICATES */
  readonly singleValued?: readonly string[];
  /** @default Date.now */
  readonly clock?: Clock;
}

/**
 * Stores facts together with what changed and when. Has everything of `KnowledgeGraph` except the graphology graph,
 * which most pages never use.
 */
export class FactGraph {
  readonly #clock: Clock;
  /** @internal The store behind the graph, for callers that read a lot of it or follow its changes. Read-only for them. */
  readonly store: GraphStore;
  /** Current view of the facts, valid until the version of the store changes. */
  #times: FactTimes | undefined;
  #timesVersion = 0;

  /** @throws MnemoraError `invalid-option` */
  constructor(options?: KnowledgeGraphOptions);
  /** @internal A graph over a store that others read, too. */
  constructor(options?: KnowledgeGraphOptions, store?: GraphStore);
  constructor(options: KnowledgeGraphOptions = {}, store?: GraphStore) {
    checkOptionNames('KnowledgeGraph', options, ['singleValued', 'clock']);
    const { singleValued, clock = Date.now } = options;
    if (typeof clock !== 'function') throw invalidOption('The clock of a KnowledgeGraph must be a function.');
    this.#clock = clock;
    this.store = store ?? new GraphStore(singleValuedProperties(singleValued), labeled);
  }

  /**
   * Adds a fact and returns it as it is known now. Repeating a fact that already holds adds the new sources to it and
   * keeps its id.
   *
   * @throws MnemoraError `invalid-input`; `not-found` if `supersedes` contains an unknown id. Nothing changes then.
   */
  addTriple(triple: NewTriple): Triple {
    const checked = checkNewTriple(triple, this.now());
    const { id } = triple;
    if (id !== undefined && (typeof id !== 'string' || id === ''))
      throw invalidInput('The id of a fact must be a non-empty string.');
    for (const superseded of checked.supersedes) this.#require(superseded);
    const known = this.#findSame(triple, checked);
    if (known) return this.#replace(mergeSources(known, checked));
    const record: TripleRecord = { ...checked, id: id ?? newId(), seq: this.store.nextSeq };
    this.store.putFact(record);
    return this.#timesAt().shown(record);
  }

  /**
   * Erases facts for good, including their history, and the entities that appeared only in them. A subject, predicate
   * and object that match no fact are not an error. Returns the number of erased facts.
   *
   * @throws MnemoraError `not-found` for an unknown id; `invalid-input`
   */
  deleteTriple(target: string | TripleWords): number {
    const records =
      typeof target === 'string' ? [this.#require(target)] : this.store.sameAs(checkWords(target));
    for (const { id } of records) this.store.erase(id);
    return records.length;
  }

  /**
   * Marks a fact as ended or, if `validTo` is its own `validFrom`, as never true. The fact stays in the history.
   *
   * @param times `validTo`: when it stopped holding; `recordedAt`: when that became known. Both default to now.
   * @throws MnemoraError `not-found`; `invalid-input` if it has already been retracted
   */
  retractTriple(id: string, times: { readonly validTo?: number; readonly recordedAt?: number } = {}): Triple {
    const record = this.#require(id);
    const now = this.now();
    const recordedAt = checkTime(times.recordedAt ?? now, 'recordedAt');
    const validTo = checkTime(times.validTo ?? now, 'validTo');
    if (record.retraction)
      throw invalidInput(`The fact "${id}" has already been retracted. Nothing was changed.`);
    const retraction = { recordedAt, validTo: Math.max(validTo, record.validFrom) };
    return this.#replace({ ...record, retraction });
  }

  /**
   * Removes a message as a source. Facts that came from it alone are erased; others keep their other sources. Facts
   * that the user entered stay. Returns the ids of the erased and the changed facts.
   */
  deleteSource(messageId: string): { readonly deleted: string[]; readonly changed: string[] } {
    const receipt = { deleted: [] as string[], changed: [] as string[] };
    for (const record of this.store.facts.fromMessage(messageId).toSorted((a, b) => a.seq - b.seq)) {
      const left = withoutSource(record, messageId);
      receipt[left ? 'changed' : 'deleted'].push(record.id);
      if (left) this.#replace(left);
    }
    for (const id of receipt.deleted) this.store.erase(id);
    return receipt;
  }

  /**
   * Returns a fact by id, whether or not it holds, or undefined if it is not known.
   *
   * @throws MnemoraError `invalid-input`
   */
  triple(id: string, query: KnownAtQuery = {}): Triple | undefined {
    return this.view(query).triple(id);
  }

  /**
   * Returns the facts that hold, in the order they were added; the query can ask for others.
   *
   * @throws MnemoraError `invalid-input`
   */
  triples(query?: TripleListQuery): Triple[];
  /** @internal Takes into account until when facts are said. */
  triples(query?: TripleListQuery, saidUntil?: SaidUntil): Triple[];
  triples(query: TripleListQuery = {}, saidUntil?: SaidUntil): Triple[] {
    const names = ['about', 'validAt', 'knownAt', 'includeHistory'];
    const { about, validAt, knownAt, includeHistory = false } = checkQuery(query, names);
    const times = this.#timesAt(knownAt, saidUntil);
    const isMeant =
      includeHistory && validAt === undefined
        ? (record: TripleRecord) => times.isKnown(record)
        : times.holdingAt(validAt ?? this.now());
    const store = this.store;
    const facts = about === undefined ? store.allFacts() : [...store.facts.latestAt(this.#find(about))];
    return times.shownAll(facts.filter(isMeant));
  }

  /**
   * Returns the facts that hold and have the entity as subject or object, then those of its neighbors, and so on up
   * to `depth`. Empty if the entity is unknown.
   *
   * @throws MnemoraError `invalid-input`
   */
  entityTriples(name: string, query: EntityFactsQuery = {}): Triple[] {
    const { validAt, knownAt, depth = 1 } = checkQuery(query, ['validAt', 'knownAt', 'depth']);
    const start = this.#find(name);
    const times = this.#timesAt(knownAt);
    const holds = times.holdingAt(validAt ?? this.now());
    const reached = new Set(start === undefined ? [] : [start]);
    const found = new Map<string, Triple>();
    for (let level = 0, visited = 0; level < depth && visited < reached.size; level++) {
      const frontier = [...reached].slice(visited);
      visited = reached.size;
      for (const node of frontier) {
        const records = [...this.store.facts.latestAt(node)];
        for (const triple of times.shownAll(records.filter((each) => !found.has(each.id) && holds(each)))) {
          found.set(triple.id, triple);
          for (const end of this.store.endsOf(triple.id)) reached.add(end);
        }
      }
    }
    return [...found.values()];
  }

  /** Returns {@link entityTriples} as sentences: `Sam lives in Rome`. */
  entityFacts(name: string, query: EntityFactsQuery = {}): string[] {
    return this.entityTriples(name, query).map(sentenceOf);
  }

  /**
   * Adds an entity without a fact, or adds aliases and attributes to a known one. If an alias is an entity of its
   * own, the two are merged, including their facts.
   *
   * @throws MnemoraError `invalid-input`
   */
  addEntity(
    name: string,
    about: { readonly aliases?: readonly string[]; readonly attributes?: AttributeMap } = {},
  ): Entity {
    const aliases = (about.aliases ?? []).map((alias) => checkName(alias, 'An alias'));
    const attributes = checkAttributes(about.attributes);
    const checked = checkName(name, 'The name of an entity');
    const node = this.store.putEntity({ name: checked, aliases, attributes, isStandalone: true });
    return toEntity(this.store.entity(node));
  }

  /**
   * Erases an entity and all facts in which it is the subject or object. Returns whether it existed.
   *
   * @throws MnemoraError `invalid-input`
   */
  deleteEntity(name: string): boolean {
    const node = this.store.find(checkText(name, 'The name of an entity'));
    if (node === undefined) return false;
    const neighbors = new Set(this.store.facts.at(node).flatMap((id) => this.store.endsOf(id)));
    this.store.graph.dropNode(node);
    for (const neighbor of neighbors) this.store.dropIfBare(neighbor);
    return true;
  }

  /** @throws MnemoraError `invalid-input` */
  entity(name: string): Entity | undefined {
    const node = this.store.find(checkText(name, 'The name of an entity'));
    return node === undefined ? undefined : toEntity(this.store.entity(node));
  }

  /** Returns the node key for a name, whether or not the entity exists. @throws MnemoraError `invalid-input` */
  nodeKey(name: string): string {
    return this.store.names.nodeOf(checkName(name, 'The name of an entity'));
  }

  entities(): Entity[] {
    return this.store.entities().map(toEntity);
  }

  clear(): void {
    this.store.clear();
  }

  /**
   * @internal Returns a view that evaluates facts one by one, which is cheaper than `triples()` for a few facts of many.
   *
   * @throws MnemoraError `invalid-input`
   */
  view(query: TripleQuery = {}, saidUntil?: SaidUntil): FactView {
    const { validAt, knownAt } = checkQuery(query, ['validAt', 'knownAt']);
    return new FactView(this.store, this.#timesAt(knownAt, saidUntil), validAt ?? this.now());
  }

  /** @internal Returns everything as plain data for storing. */
  toRecords(): GraphRecords {
    return {
      entities: this.store.entities(),
      triples: this.store
        .allFacts()
        .map(recordOf)
        .toSorted((a, b) => a.seq - b.seq),
    };
  }

  /**
   * @internal Adds records that were stored elsewhere. Facts replace those with the same id, entities those with the same name.
   * The order of calls does not matter. Either all records are added or none.
   *
   * @throws MnemoraError `invalid-input` if the resulting graph would be inconsistent
   */
  putRecords(records: GraphRecords): void {
    this.store.put(checkRecords(records));
  }

  /** @internal Erases facts by id, and the entities that appeared only in them. Unknown ids are ignored. */
  deleteRecords(ids: readonly string[]): void {
    for (const id of ids) this.store.erase(id);
  }

  /** Returns the existing fact that this one repeats. */
  #findSame({ id }: NewTriple, checked: CheckedTriple): TripleRecord | undefined {
    const taken = id === undefined ? undefined : this.store.fact(id);
    if (taken) {
      if (this.store.statement(taken) === this.store.statement(checked)) return taken;
      throw invalidInput(`The id "${id}" already belongs to another fact. Nothing was changed.`);
    }
    const held = this.store.sameAs(checked).filter(this.#timesAt().holdingAt(checked.validFrom));
    return held.find((record) => isRepetition(checked, record));
  }

  #replace(record: TripleRecord): Triple {
    this.store.putFact(record);
    return this.#timesAt().shown(record);
  }

  #find(name: string): string | undefined {
    return this.store.find(checkName(name, 'The name of an entity'));
  }

  #timesAt(knownAt?: number, saidUntil?: SaidUntil): FactTimes {
    if (knownAt !== undefined || saidUntil) return new FactTimes(this.store, knownAt ?? Infinity, saidUntil);
    const { version } = this.store;
    if (!this.#times || this.#timesVersion !== version) this.#times = new FactTimes(this.store, Infinity);
    this.#timesVersion = version;
    return this.#times;
  }

  /** @internal Returns the clock's time, but never a time before the latest recorded one: system clocks can be set back. */
  now(): number {
    return Math.max(requireTime(this.#clock(), 'The clock of a KnowledgeGraph'), this.store.latestTime);
  }

  #require(id: string): TripleRecord {
    const record = this.store.fact(id);
    if (record) return record;
    throw new MnemoraError('not-found', `There is no fact with the id "${id}". Nothing was changed.`);
  }
}

/** Returns the edge of a graph that is not stored in a database. Programs display the label. */
function labeled(record: TripleRecord): TripleRecord {
  return Object.assign({ label: record.predicate }, record);
}

/** Returns the fields of a fact that are stored in every graph. Copied one by one, because it is faster. */
function recordOf(fact: TripleRecord): TripleRecord {
  const { id, seq, subject, predicate, object, validFrom, validTo, recordedAt } = fact;
  const { retraction, supersedes, source, sources, attributes } = fact;
  return {
    ...{ id, seq, subject, predicate, object, validFrom },
    ...(validTo === undefined ? {} : { validTo }),
    recordedAt,
    ...(retraction === undefined ? {} : { retraction }),
    ...{ supersedes, source, sources, attributes },
  };
}
