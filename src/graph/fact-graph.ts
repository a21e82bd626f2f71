import { checkOptionNames } from '../model/check-options.ts';
import { requireTime, type Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
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
import { FactReader } from './fact-reader.ts';
import { sentenceOf } from './fact-sentence.ts';
import { slotsOf, statementOf, type TripleWords } from './fact-slot.ts';
import type { FactView } from './fact-view.ts';
import type { EntityFactsQuery, KnownAtQuery, TripleListQuery, TripleQuery } from './graph-query.ts';
import { checkRecords } from './graph-records.ts';
import { GraphStore, toEntity, type MakeMirror } from './graph-store.ts';
import { mergeSources, saysAgain, withoutSource } from './merge-sources.ts';
import {
  SINGLE_VALUED_PREDICATES,
  singleValuedProperties,
  type SingleValuedProperty,
} from './single-valued.ts';
import type { AttributeMap, Entity, GraphRecords, NewTriple, Triple, TripleRecord } from './triple.ts';

export interface KnowledgeGraphOptions {
  /** Predicates of which a subject has one value at a time. @default SINGLE_VALUED_PREDICATES */
  readonly singleValued?: readonly string[];
  /** @default Date.now */
  readonly clock?: Clock;
}

let readerOf: (graph: FactGraph) => FactReader;

/** What a graph is kept in, for those who read much of it, or follow its changes. To be read, not to be written to. */
export let storeOf: (graph: FactGraph) => GraphStore;

/**
 * What holds and what is known, to be looked at fact by fact: for few facts of many.
 *
 * @throws MnemoraError `invalid-input`
 */
export function viewOf(graph: FactGraph, query: TripleQuery = {}): FactView {
  return readerOf(graph).view(query);
}

/**
 * Facts with what changed and when: all of a `KnowledgeGraph` but the graph of graphology, which most pages never ask
 * for.
 */
export class FactGraph {
  static {
    readerOf = (graph) => graph.#reader;
    storeOf = (graph) => graph.#store;
  }

  readonly #clock: Clock;
  readonly #singleValued: SingleValuedProperty;
  readonly #store: GraphStore;
  readonly #reader: FactReader;

  /**
   * @internal
   * @param makeMirror what shows the facts as another graph, for those who ask for one
   * @throws MnemoraError `invalid-option`
   */
  constructor(options: KnowledgeGraphOptions = {}, makeMirror?: MakeMirror) {
    checkOptionNames('KnowledgeGraph', options, ['singleValued', 'clock']);
    const { singleValued = SINGLE_VALUED_PREDICATES, clock = Date.now } = options;
    if (typeof clock !== 'function') {
      throw new MnemoraError('invalid-option', 'The clock of a KnowledgeGraph must be a function.');
    }
    this.#clock = clock;
    this.#singleValued = singleValuedProperties(singleValued);
    this.#store = new GraphStore(
      (record, subject, object) => slotsOf(record, subject, object, this.#singleValued),
      () => this.#reader.refresh(),
      makeMirror,
    );
    this.#reader = new FactReader(this.#store, () => this.#now());
  }

  /**
   * Adds a fact, and returns it as it is known now. A fact that holds already, said again, gets the new sources and
   * keeps its id.
   *
   * @throws MnemoraError `invalid-input`; `not-found` where `supersedes` names no fact; nothing changes then
   */
  addTriple(triple: NewTriple): Triple {
    const checked = checkNewTriple(triple, this.#now());
    const { id } = triple;
    if (id !== undefined && (typeof id !== 'string' || id === '')) {
      throw new MnemoraError('invalid-input', 'The id of a fact must be a string that is not empty.');
    }
    for (const superseded of checked.supersedes) this.#require(superseded);
    const known = this.#findSame(triple, checked);
    if (known) return this.#reader.toTriple(this.#replace(mergeSources(known, checked)));
    const record: TripleRecord = { ...checked, id: id ?? newId(), seq: this.#store.nextSeq };
    this.#store.insert(record);
    return this.#reader.toTriple(record);
  }

  /**
   * Erases facts for good, with their history; entities that were only in them go as well. By subject, predicate and
   * object, facts that are not there are no error. Returns how many were erased.
   *
   * @throws MnemoraError `not-found` where an id is not there; `invalid-input`
   */
  deleteTriple(target: string | TripleWords): number {
    const records =
      typeof target === 'string'
        ? [this.#require(target)]
        : this.#store.facts.inSlot(this.#statement(checkWords(target)));
    for (const { id } of records) this.#store.erase(id);
    return records.length;
  }

  /**
   * Says that a fact has ended, or, with its own `validFrom` as `validTo`, that it never held. It stays as history.
   *
   * @param times `validTo`: until when it held; `recordedAt`: when that became known; both are now by default
   * @throws MnemoraError `not-found`; `invalid-input` where it was retracted before
   */
  retractTriple(id: string, times: { readonly validTo?: number; readonly recordedAt?: number } = {}): Triple {
    const record = this.#require(id);
    const now = this.#now();
    const recordedAt = checkTime(times.recordedAt ?? now, 'recordedAt');
    const validTo = checkTime(times.validTo ?? now, 'validTo');
    if (record.retraction) throw new MnemoraError('invalid-input', `The fact "${id}" was retracted before.`);
    const retraction = { recordedAt, validTo: Math.max(validTo, record.validFrom) };
    return this.#reader.toTriple(this.#replace({ ...record, retraction }));
  }

  /**
   * Forgets a message as a source: facts that came from it alone are erased, others keep their other sources.
   * What the person entered by hand stays. Returns the ids.
   */
  deleteSource(messageId: string): { readonly deleted: string[]; readonly changed: string[] } {
    const receipt = { deleted: [] as string[], changed: [] as string[] };
    for (const record of this.#store.facts.fromMessage(messageId).toSorted((a, b) => a.seq - b.seq)) {
      const left = withoutSource(record, messageId);
      receipt[left ? 'changed' : 'deleted'].push(record.id);
      if (left) this.#replace(left);
    }
    for (const id of receipt.deleted) this.#store.erase(id);
    return receipt;
  }

  /** A fact by its id, whether it holds or not; undefined where it is not known. @throws MnemoraError `invalid-input` */
  triple(id: string, query: KnownAtQuery = {}): Triple | undefined {
    return this.#reader.view(query).triple(id);
  }

  /** The facts that hold, in the order of adding; others on request. @throws MnemoraError `invalid-input` */
  triples(query: TripleListQuery = {}): Triple[] {
    return this.#reader.triples(query);
  }

  /**
   * The facts around an entity that hold, those of which it is the object included: its own first, then those of its
   * neighbors, and so on. None where it is unknown. @throws MnemoraError `invalid-input`
   */
  entityTriples(name: string, query: EntityFactsQuery = {}): Triple[] {
    return this.#reader.around(name, query);
  }

  /** {@link entityTriples} as sentences: `Sam lives in Rome`. */
  entityFacts(name: string, query: EntityFactsQuery = {}): string[] {
    return this.entityTriples(name, query).map(sentenceOf);
  }

  /**
   * Adds an entity on its own, or gives a known one further aliases and attributes. An alias that was an entity
   * itself becomes one with it, facts and all. @throws MnemoraError `invalid-input`
   */
  addEntity(
    name: string,
    about: { readonly aliases?: readonly string[]; readonly attributes?: AttributeMap } = {},
  ): Entity {
    const aliases = (about.aliases ?? []).map((alias) => checkName(alias, 'An alias'));
    const attributes = checkAttributes(about.attributes);
    const checked = checkName(name, 'The name of an entity');
    const node = this.#store.putEntity({ name: checked, aliases, attributes, isStandalone: true });
    return toEntity(this.#store.entity(node));
  }

  /**
   * Erases an entity and all facts in which it takes part. Returns whether there was one.
   *
   * @throws MnemoraError `invalid-input`
   */
  deleteEntity(name: string): boolean {
    const node = this.#store.find(checkText(name, 'The name of an entity'));
    if (node === undefined) return false;
    const neighbors = new Set(this.#store.facts.at(node).flatMap((id) => this.#store.endsOf(id)));
    this.#store.dropNode(node);
    for (const neighbor of neighbors) this.#store.dropIfBare(neighbor);
    return true;
  }

  /** @throws MnemoraError `invalid-input` */
  entity(name: string): Entity | undefined {
    const node = this.#store.find(checkText(name, 'The name of an entity'));
    return node === undefined ? undefined : toEntity(this.#store.entity(node));
  }

  /** The node of the entity that a name means, there or not. @throws MnemoraError `invalid-input` */
  nodeKey(name: string): string {
    return this.#store.names.nodeOf(checkName(name, 'The name of an entity'));
  }

  entities(): Entity[] {
    return this.#store.nodes().map((node) => toEntity(this.#store.entity(node)));
  }

  clear(): void {
    this.#store.clear();
  }

  /** Everything, as plain data for storing. */
  toRecords(): GraphRecords {
    return this.#store.toRecords();
  }

  /**
   * Brings in records that were stored elsewhere: facts take the place of those with their ids, entities of those with
   * their names. The order of calls does not matter. All of it is brought in, or nothing.
   *
   * @throws MnemoraError `invalid-input` where the graph with them would be damaged
   */
  putRecords(records: GraphRecords): void {
    this.#store.put(checkRecords(records));
  }

  /**
   * Erases facts by id, with entities that were only in them. Those that are not there are passed over.
   * Returns how many were erased.
   */
  deleteRecords(ids: readonly string[]): number {
    const known = new Set(ids.filter((id) => this.#store.facts.records.has(id)));
    for (const id of known) this.#store.erase(id);
    return known.size;
  }

  /** The fact that this one says again. */
  #findSame({ id }: NewTriple, checked: CheckedTriple): TripleRecord | undefined {
    const taken = id === undefined ? undefined : this.#store.facts.records.get(id);
    if (taken) {
      if (this.#statement(taken) === this.#statement(checked)) return taken;
      throw new MnemoraError('invalid-input', `The id "${id}" is that of another fact. Nothing was changed.`);
    }
    const held = this.#store.facts
      .inSlot(this.#statement(checked))
      .filter(this.#reader.holdingAt(checked.validFrom));
    return held.find((record) => saysAgain(checked, record));
  }

  #statement(words: TripleWords): string {
    return statementOf(words, this.#store.names, this.#singleValued);
  }

  #replace(record: TripleRecord): TripleRecord {
    this.#store.replace(record);
    return record;
  }

  #require(id: string): TripleRecord {
    const record = this.#store.facts.records.get(id);
    if (record) return record;
    throw new MnemoraError('not-found', `There is no fact with the id "${id}". Nothing was changed.`);
  }

  /** The clock's time, never before one that was recorded: clocks are set back. */
  #now(): number {
    return Math.max(requireTime(this.#clock(), 'The clock of a KnowledgeGraph'), this.#store.latestTime);
  }
}
