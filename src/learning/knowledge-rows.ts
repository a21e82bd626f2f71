import { nameKey, type NamedEntity } from '../graph/entity-name.ts';
import { FactGraph, type KnowledgeGraphOptions } from '../graph/fact-graph.ts';
import { singleValuedProperties } from '../graph/fact-slot.ts';
import type { FactView } from '../graph/fact-view.ts';
import type { TripleQuery } from '../graph/graph-query.ts';
import { GraphStore } from '../graph/graph-store.ts';
import { NameIndex } from '../graph/name-index.ts';
import type { EntityRecord, GraphRecords, TripleRecord } from '../graph/triple.ts';
import { analyze } from '../language/terms.ts';
import { aliasesOf } from '../storage/facts-and-entities.ts';
import type { EntityRow, FactRow, ClaimRow, EntityMention } from '../storage/schema.ts';
import { EndIndex } from './claims/end-index.ts';
import { SentenceIndex } from './sentence-index.ts';
import { unconfirmedSpeaker } from './speaker.ts';
import { ClaimIndex } from './claims/claim-index.ts';
import { ClaimLists } from './claims/claim-lists.ts';
import type { NewRows, RowChanges } from '../storage/knowledge-store.ts';
import type { PackedWords } from './packed-words.ts';

/** Number of sentences indexed at once, which takes a few milliseconds. */
const SLICE_SENTENCES = 1000;
/** Number of claims listed at once, which takes a few milliseconds. */
const SLICE_CLAIMS = 250;

/** The facts of a scope. */
export interface ScopeFacts {
  get(id: string): FactRow | undefined;
  values(): Iterable<FactRow>;
}

/** The stored rows of a scope. The facts are the edges of its graph; they are held nowhere else. */
export class KnowledgeRows {
  readonly scope: string;
  readonly graph: FactGraph;
  /** The store behind the graph, with the rows of the facts as edges. */
  readonly store: GraphStore<FactRow>;
  /** Keyword index of facts and notes. */
  readonly sentenceIndex: SentenceIndex;
  readonly claimIndex: ClaimIndex;
  /** The claims in the orders in which questions need them. */
  readonly claimLists: ClaimLists = new ClaimLists(this);
  readonly facts: ScopeFacts;
  readonly #pinnedFacts = new Set<string>();
  readonly #enteredFacts = new Set<string>();
  readonly #unconfirmedFacts = new Set<string>();
  readonly #claims = new Map<string, ClaimRow>();
  readonly #endedClaims = new Map<string, ClaimRow>();
  readonly #weakClaims = new Map<string, ClaimRow>();
  readonly #unclearClaims = new Map<string, ClaimRow>();
  #endIndex: EndIndex | undefined;
  readonly #entities = new Map<string, EntityRow>();
  readonly #entityKeys = new Map<string, string>();
  readonly #mentionWords = new Map<string, MentionWords>();
  readonly #names: GraphNames;
  readonly claims: ReadonlyMap<string, ClaimRow> = this.#claims;
  /** The claims that a later one has ended. */
  readonly endedClaims: ReadonlyMap<string, ClaimRow> = this.#endedClaims;
  /** The claims, weak ones included, that may or may not be the user's own words, even to a human reader. */
  readonly unclearClaims: ReadonlyMap<string, ClaimRow> = this.#unclearClaims;
  /** The entities by the key of their name. One whose name has become an alias of another is no node of the graph. */
  readonly entities: ReadonlyMap<string, EntityRow> = this.#entities;
  /** Changes with every change of the rows, so that results computed from them can be cached. */
  version = 0;

  /** @param packed terms of the rows that {@link unpack} adds */
  constructor(scope: string, options: KnowledgeGraphOptions = {}, packed: readonly PackedWords[] = []) {
    this.scope = scope;
    const store = new GraphStore(
      singleValuedProperties(options.singleValued),
      (record, subjectKey, objectKey) => factRow(record, { scope, subjectKey, objectKey }),
    );
    this.store = store;
    this.graph = new FactGraph(options, store);
    this.facts = { get: (id) => store.fact(id), values: () => store.allFacts() };
    const packedFacts = packed.map(({ facts }) => facts);
    this.sentenceIndex = new SentenceIndex(this, packedFacts);
    const packedClaims = packed.map(({ claims }) => claims);
    this.claimIndex = new ClaimIndex(this.claims, this.claimLists, packedClaims);
    this.#names = new GraphNames(store);
    store.listen({
      fact: (id, _before, fact) => {
        setIf(fact?.isPinned === true, this.#pinnedFacts, id);
        setIf(fact?.source === 'user', this.#enteredFacts, id);
        setIf(fact !== undefined && unconfirmedSpeaker(fact) !== undefined, this.#unconfirmedFacts, id);
      },
    });
  }

  get pinnedFacts(): FactRow[] {
    return this.#factsOf(this.#pinnedFacts);
  }

  /** The facts that the user entered. */
  get enteredFacts(): FactRow[] {
    return this.#factsOf(this.#enteredFacts);
  }

  /** The facts that the user has not stated: see `unconfirmedSpeaker`. */
  get unconfirmedFacts(): FactRow[] {
    return this.#factsOf(this.#unconfirmedFacts);
  }

  /** Returns a view that evaluates facts one by one: see `FactView`. @throws MnemoraError `invalid-input` */
  view(query?: TripleQuery): FactView {
    return this.graph.view(query);
  }

  apply(changes: RowChanges): void {
    this.version += 1;
    for (const id of changes.removedClaims) {
      this.claimIndex.delete(id);
      const row = this.claim(id);
      if (row) this.#endIndex?.delete(row);
      const all = [this.#claims, this.#endedClaims, this.#weakClaims, this.#unclearClaims];
      for (const rows of all) rows.delete(id);
      this.claimLists.touch(id);
    }
    for (const id of changes.removedFacts) this.sentenceIndex.deleteFact(id);
    this.graph.deleteRecords(changes.removedFacts);
    for (const id of changes.removedEntities) this.#removeEntity(id);
    for (const { id, isWeak } of changes.claims) {
      if (isWeak === true) this.claimIndex.delete(id);
      else this.claimIndex.put(id);
    }
    for (const { id } of changes.facts) this.sentenceIndex.putFact(id);
    for (const { id } of changes.entities) this.sentenceIndex.putEntity(id, this.entityById(id));
    this.#addRows(changes);
    const entities = new Map(changes.entities.map((entity) => [entity.key, entity]));
    for (const { subjectKey, objectKey } of changes.facts) {
      for (const key of [subjectKey, objectKey]) {
        // An entity that was only in removed facts went with them, and is restored from its row.
        const row = this.store.hasNode(key) ? undefined : this.#entities.get(key);
        if (row) entities.set(key, row);
      }
    }
    if (entities.size + changes.facts.length === 0) return;
    // The rows were validated before they were stored.
    this.store.put(recordsOf([...entities.values()], changes.facts));
    this.#names.update();
  }

  /**
   * Adds packed rows to an empty graph; their terms were passed to the constructor. Entities must come before their
   * facts.
   */
  unpack({ facts, entities, claims }: NewRows): void {
    this.#addRows({ entities, claims });
    this.store.fill(recordsOf(entities, facts));
    this.#names.update();
  }

  /** Number of facts, entities and claims. */
  get size(): number {
    return this.store.graph.size + this.#entities.size + this.#claims.size + this.#weakClaims.size;
  }

  all(): NewRows {
    return {
      facts: this.store.allFacts(),
      entities: [...this.#entities.values()],
      claims: [...this.allClaims()],
    };
  }

  /**
   * Indexes some of the queued rows: see `SentenceIndex`. Returns whether there are more.
   *
   * @param isAsked whether to index the words of claims as well, which only questions search
   */
  readSome(isAsked: boolean): boolean {
    return (
      this.sentenceIndex.read(SLICE_SENTENCES) ||
      this.claimLists.read(SLICE_CLAIMS) ||
      (isAsked && this.claimIndex.read(SLICE_SENTENCES))
    );
  }

  /** Returns a claim, also one that is only kept because it may end others. */
  claim(id: string): ClaimRow | undefined {
    return this.#claims.get(id) ?? this.#weakClaims.get(id);
  }

  /** Returns all claims with the weak ones. */
  *allClaims(): Generator<ClaimRow, void> {
    yield* this.#claims.values();
    yield* this.#weakClaims.values();
  }

  /** Finds what a claim ends. Made when it is first needed, which questions do not. */
  get endIndex(): EndIndex {
    return (this.#endIndex ??= new EndIndex(this));
  }

  /** Returns the keys of the known entities that a text mentions, in the order of their first mention. */
  entitiesIn(text: string): string[] {
    return this.#names.nodesIn(text);
  }

  /** Returns the keys of all names of an entity, its own first. */
  namesOf(key: string): string[] {
    return [...new Set([key, ...(this.graph.entity(key)?.aliases ?? []).map(nameKey)])];
  }

  entityById(id: string): EntityRow | undefined {
    const row = this.#entities.get(this.#entityKeys.get(id) ?? '');
    return row?.id === id ? row : undefined;
  }

  /** Returns a test for whether an index term is in the name or a mention of an entity. */
  wordsOf({ key, name, mentions }: EntityRow): (term: string) => boolean {
    const words = this.#mentionWords.get(key) ?? new MentionWords();
    this.#mentionWords.set(key, words);
    return (term) => words.has(mentions, term) || analyze(name).includes(term);
  }

  /** Returns the index terms of these rows. */
  pack({ facts, entities, claims }: NewRows): PackedWords {
    return {
      facts: this.sentenceIndex.pack(facts, entities),
      claims: this.claimIndex.pack(claims.filter(({ isWeak }) => isWeak !== true)),
    };
  }

  #factsOf(ids: ReadonlySet<string>): FactRow[] {
    return [...ids].flatMap((id) => this.store.fact(id) ?? []);
  }

  #addRows({ entities, claims }: Pick<NewRows, 'entities' | 'claims'>): void {
    for (const row of claims) {
      // What a model cites is no longer weak.
      const [rows, others] = row.isWeak ? [this.#weakClaims, this.#claims] : [this.#claims, this.#weakClaims];
      rows.set(row.id, row);
      others.delete(row.id);
      this.#endIndex?.put(row);
      this.claimLists.touch(row.id);
      if (row.endedBy === undefined) this.#endedClaims.delete(row.id);
      else this.#endedClaims.set(row.id, row);
      if (row.isUnclear === true) this.#unclearClaims.set(row.id, row);
      else this.#unclearClaims.delete(row.id);
    }
    for (const row of entities) {
      this.#entities.set(row.key, row);
      this.#entityKeys.set(row.id, row.key);
    }
  }

  #removeEntity(id: string): void {
    const row = this.entityById(id);
    this.#entityKeys.delete(id);
    this.sentenceIndex.deleteEntity(id, row);
    if (!row) return;
    this.#entities.delete(row.key);
    this.#mentionWords.delete(row.key);
    // Its name may have become an alias of another entity, which must stay.
    if (this.store.names.nodeOf(row.name) === row.key) this.store.release(row.key);
  }
}

function setIf(isIn: boolean, ids: Set<string>, id: string): void {
  if (isIn) ids.add(id);
  else ids.delete(id);
}

/** Returns a fact with the fields that follow from the others. The row is returned as it is if it has them. */
function factRow(
  record: TripleRecord & Partial<FactRow>,
  place: Pick<FactRow, 'scope' | 'subjectKey' | 'objectKey'>,
): FactRow {
  const { sources, messageIds = [] } = record;
  const isStored =
    record.subjectKey === place.subjectKey &&
    record.objectKey === place.objectKey &&
    sources.every(({ messageId }) => messageIds.includes(messageId)) &&
    messageIds.every((id) => sources.some(({ messageId }) => messageId === id));
  if (isStored) return record as FactRow;
  return { ...record, ...place, messageIds: [...new Set(sources.map(({ messageId }) => messageId))] };
}

function recordsOf(entities: readonly EntityRow[], facts: readonly FactRow[]): GraphRecords {
  return { entities: entities.map(entityRecord), triples: facts.toSorted((a, b) => a.seq - b.seq) };
}

/** Returns the graph's record of an entity. Its mentions keep it in the graph without facts. */
export function entityRecord(row: EntityRow): EntityRecord {
  return {
    name: row.name,
    aliases: aliasesOf(row),
    attributes: row.attributes,
    isStandalone: row.isStandalone || row.mentions.length > 0,
  };
}

/**
 * Finds the entities of a graph by their names in a text. After a change, only the changed entities are indexed
 * again.
 */
class GraphNames {
  readonly #store: GraphStore<FactRow>;
  readonly #index = new NameIndex();
  /** The indexed entities, by node. */
  readonly #known = new Map<string, NamedEntity>();
  readonly #touched = new Set<string>();

  constructor(store: GraphStore<FactRow>) {
    this.#store = store;
    store.listen({ entity: (node) => void this.#touched.add(node) });
  }

  /** Returns the nodes of the entities that a text mentions, in the order of their first mention. */
  nodesIn(text: string): string[] {
    this.update();
    return this.#index.find(text).map((name) => this.#store.names.nodeOf(name));
  }

  /** Indexes what has changed. Every search calls it; calling it earlier helps after large changes. */
  update(): void {
    for (const node of this.#touched) this.#update(node);
    this.#touched.clear();
  }

  #update(node: string): void {
    const before = this.#known.get(node);
    const now = this.#store.hasNode(node) ? this.#store.entity(node) : undefined;
    if (before && now && isSame(before, now)) return;
    if (before) this.#index.remove(before);
    this.#known.delete(node);
    if (!now) return;
    this.#index.add(now);
    this.#known.set(node, now);
  }
}

function isSame(a: NamedEntity, b: NamedEntity): boolean {
  const isAlias = (alias: string, position: number): boolean => alias === b.aliases[position];
  return a.name === b.name && a.aliases.length === b.aliases.length && a.aliases.every(isAlias);
}

/**
 * The index terms of an entity's mentions. Term counts are kept between calls and updated by the difference, because
 * a turn adds one mention to thousands.
 */
class MentionWords {
  #mentions: readonly EntityMention[] = [];
  readonly #counts = new Map<string, number>();

  /** Whether one of these mentions contains an index term. */
  has(mentions: readonly EntityMention[], term: string): boolean {
    this.#turnTo(mentions);
    return this.#counts.has(term);
  }

  #turnTo(mentions: readonly EntityMention[]): void {
    const before = this.#mentions;
    if (mentions === before) return;
    let same = 0;
    while (same < mentions.length && saySame(before[same], mentions[same])) same += 1;
    for (const gone of before.slice(same)) this.#count(gone, -1);
    for (const added of mentions.slice(same)) this.#count(added, 1);
    this.#mentions = mentions;
  }

  #count({ note, aliases }: EntityMention, by: 1 | -1): void {
    for (const term of analyze([note, ...aliases].join(' '))) {
      const count = (this.#counts.get(term) ?? 0) + by;
      if (count > 0) this.#counts.set(term, count);
      else this.#counts.delete(term);
    }
  }
}

function saySame(a: EntityMention | undefined, b: EntityMention | undefined): boolean {
  return a === b || (a?.note === b?.note && a?.aliases.join('\n') === b?.aliases.join('\n'));
}
