import { nameKey } from '../graph/entity-name.ts';
import type { FactGraph } from '../graph/fact-graph.ts';
import type { FactView } from '../graph/fact-view.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import type { TripleRecord, TripleSource } from '../graph/triple.ts';
import { newId } from '../model/id.ts';
import { withoutRewrite, isBareEntity, messageIdsOf } from '../storage/facts-and-entities.ts';
import type { KnowledgeWrite } from '../storage/knowledge-store.ts';
import type { EntityMention, EntityRow, FactRow, ClaimRow } from '../storage/schema.ts';
import { EndIndex } from './claims/end-index.ts';
import { entityRecord, type KnowledgeRows } from './knowledge-rows.ts';

/** A graph that is being changed, and the changes to write. */
export class KnowledgeDraft {
  readonly graph: FactGraph;
  /** The stored rows; their graph already includes the changes made so far. */
  readonly rows: KnowledgeRows;
  readonly #store: GraphStore<FactRow>;
  /** The changed facts by id, as they were before. */
  readonly #facts = new Map<string, FactRow | undefined>();
  readonly #nodes = new Set<string>();
  readonly #mentions = new Map<string, readonly EntityMention[]>();
  readonly #tombstones: string[] = [];
  readonly #claims = new Map<string, ClaimRow>();
  readonly #removedClaims = new Set<string>();
  readonly #added = new EndIndex({
    claim: (id) => this.#claims.get(id),
    allClaims: () => this.#claims.values(),
  });
  /** Number of turns learned from since notes were last consolidated. @default unchanged */
  learnedTurns: number | undefined;
  readonly #stopListening: () => void;

  constructor(rows: KnowledgeRows) {
    this.graph = rows.graph;
    this.rows = rows;
    this.#store = rows.store;
    this.#stopListening = this.#store.listen({
      fact: (id, before) => {
        if (!this.#facts.has(id)) this.#facts.set(id, before);
      },
      entity: (node) => void this.#nodes.add(node),
    });
  }

  /** Returns a view of the graph as it is now: see `FactView`. */
  view(): FactView {
    return this.rows.view();
  }

  /** Returns the facts at an entity, given by its key, including those that no longer hold. */
  factsAt(key: string): FactRow[] {
    return this.#store.facts.at(key).flatMap((id) => this.#store.fact(id) ?? []);
  }

  entity(name: string): EntityRow | undefined {
    return this.rows.entities.get(this.graph.nodeKey(name));
  }

  /** Returns the mentions of an entity as they will be stored. */
  mentionsOf(name: string): readonly EntityMention[] {
    return this.#mentionsAt(this.graph.nodeKey(name));
  }

  /**
   * Adds a mention of an entity. If an alias is an entity of its own, the two are merged; an alias of another entity
   * is not taken over.
   */
  addMention(name: string, given: EntityMention): void {
    const key = this.graph.nodeKey(name);
    const mention = { ...given, aliases: given.aliases.filter((alias) => this.#isFree(alias, key)) };
    const absorbed = mention.aliases
      .map((alias) => this.graph.nodeKey(alias))
      .filter((other) => other !== key)
      .flatMap((other) => this.#mentionsAt(other));
    const own = this.#mentionsAt(key);
    // None of the notes was written with knowledge of the others that it is merged with.
    const before = absorbed.length === 0 ? own : [...absorbed, ...own].map(withoutRewrite);
    const mentions = [...before, absorbed.length === 0 ? mention : withoutRewrite(mention)];
    const shown = this.graph.entity(name)?.name ?? name;
    // Merges the entities that the aliases mean, with their own aliases.
    if (mention.aliases.some((alias) => this.graph.entity(alias))) {
      this.graph.addEntity(shown, { aliases: mention.aliases });
    }
    this.setMentions(shown, mentions);
  }

  /** Replaces all mentions of an entity. */
  setMentions(name: string, mentions: readonly EntityMention[]): void {
    const key = this.graph.nodeKey(name);
    this.#mentions.set(key, mentions);
    this.#nodes.add(key);
    const row = this.#entityRow(key, name);
    this.graph.putRecords({ entities: [entityRecord(row)], triples: [] });
    if (isBareEntity(row) && this.#store.isBare(key)) this.graph.deleteEntity(name);
  }

  /** Erases an entity, its mentions and its facts. */
  dropEntity(key: string): void {
    const name = this.rows.entities.get(key)?.name ?? key;
    this.#mentions.set(key, []);
    this.#nodes.add(key);
    this.graph.deleteEntity(name);
  }

  setPinned(id: string, isPinned: boolean): void {
    const fact = this.#store.fact(id);
    if (!fact) return;
    const { isPinned: _before, ...unpinned } = fact;
    // What the user wants to be told always is no proposal any more.
    const { isProposal: _proposed, ...attributes } = fact.attributes;
    const changed: TripleRecord & Pick<FactRow, 'isPinned'> = isPinned
      ? { ...fact, attributes, isPinned }
      : unpinned;
    this.#store.putFact(changed);
  }

  /** Removes what a message says from the sources of a fact. */
  dropSource(id: string, messageId: string): void {
    const fact = this.#store.fact(id);
    const isLeft = (source: TripleSource): boolean =>
      source.isContext === true || source.messageId !== messageId;
    if (fact) this.#store.putFact({ ...fact, sources: fact.sources.filter(isLeft) });
  }

  /** Marks a fact as one that the user does not accept. */
  setRejected(id: string): void {
    const fact = this.#store.fact(id);
    if (fact) this.#store.putFact({ ...fact, attributes: { ...fact.attributes, isRejected: true } });
  }

  /** Returns the claims as they will be stored, with the weak ones. */
  claims(): ClaimRow[] {
    const kept = [...this.rows.allClaims()].filter(({ id }) => !this.#removedClaims.has(id));
    return [...new Map([...kept.map((row) => [row.id, row] as const), ...this.#claims]).values()];
  }

  /** Returns a claim as it will be stored. */
  claim(id: string): ClaimRow | undefined {
    return this.#claims.get(id) ?? (this.#removedClaims.has(id) ? undefined : this.rows.claim(id));
  }

  /** Returns the claims that one may end: see `EndIndex`. */
  targetsOf(claim: Pick<ClaimRow, 'ends'>): ClaimRow[] {
    return this.#asTheyWillBe([...this.rows.endIndex.targetsOf(claim), ...this.#added.targetsOf(claim)]);
  }

  /** Returns the claims that may end one: see `EndIndex`. */
  endersOf(claim: Pick<ClaimRow, 'matters'>): ClaimRow[] {
    return this.#asTheyWillBe([...this.rows.endIndex.endersOf(claim), ...this.#added.endersOf(claim)]);
  }

  #asTheyWillBe(rows: readonly ClaimRow[]): ClaimRow[] {
    return [...new Set(rows.map(({ id }) => id))].flatMap((id) => this.claim(id) ?? []);
  }

  addClaims(claims: readonly Omit<ClaimRow, 'scope'>[]): void {
    for (const claim of claims) {
      const row = { ...claim, scope: this.rows.scope };
      this.#removedClaims.delete(row.id);
      this.#claims.set(row.id, row);
      this.#added.put(row);
    }
  }

  /** Removes claims. Returns those that they had ended, which hold again. */
  dropClaims(ids: readonly string[]): ClaimRow[] {
    for (const id of ids) {
      this.#claims.delete(id);
      this.#removedClaims.add(id);
    }
    const gone = new Set(ids);
    const freed = Array.from(this.rows.endedClaims.values()).flatMap(({ id }) => {
      const ended = this.claim(id);
      if (ended?.endedBy === undefined || !gone.has(ended.endedBy)) return [];
      const { endedBy: _by, endedText: _text, ...held } = ended;
      return [held];
    });
    this.addClaims(freed);
    return freed;
  }

  addTombstones(keys: readonly string[]): void {
    this.#tombstones.push(...keys);
  }

  toWrite(): KnowledgeWrite {
    this.#stopListening();
    const store = this.#store;
    const facts = [...this.#facts.keys()].flatMap((id) => store.fact(id) ?? []);
    const nodes = new Set([...this.#nodes, ...facts.flatMap((fact) => [fact.subjectKey, fact.objectKey])]);
    const isChanged = (key: string): boolean => this.#nodes.has(key) || !this.rows.entities.get(key);
    const entities = [...nodes]
      .filter((key) => store.hasNode(key) && isChanged(key))
      .map((key) => this.#entityRow(key));
    const newSources = [
      ...Array.from(this.#claims.values(), ({ messageId }) => messageId),
      ...facts.flatMap((fact) => added(fact.messageIds, this.#facts.get(fact.id)?.messageIds)),
      ...entities.flatMap((row) => added(row.messageIds, this.rows.entities.get(row.key)?.messageIds)),
    ];
    return {
      facts,
      entities,
      claims: [...this.#claims.values()],
      newSources: [...new Set(newSources)],
      removedClaims: [...this.#removedClaims].filter((id) => this.rows.claim(id)),
      removedFacts: [...this.#facts].flatMap(([id, before]) => (before && !store.fact(id) ? id : [])),
      removedEntities: [...nodes]
        .filter((key) => !store.hasNode(key))
        .flatMap((key) => this.rows.entities.get(key) ?? []),
      tombstones: this.#tombstones,
      ...(this.learnedTurns === undefined ? {} : { learnedTurns: this.learnedTurns }),
    };
  }

  #isFree(alias: string, key: string): boolean {
    const meant = this.graph.nodeKey(alias);
    return meant === key || meant === nameKey(alias);
  }

  #mentionsAt(key: string): readonly EntityMention[] {
    return this.#mentions.get(key) ?? this.rows.entities.get(key)?.mentions ?? [];
  }

  #entityRow(key: string, name?: string): EntityRow {
    const known = this.rows.entities.get(key);
    const isNode = this.#store.hasNode(key);
    const entity = isNode ? this.graph.entity(key) : undefined;
    const isStandalone = isNode && this.#store.entity(key).isStandalone;
    const mentions = this.#mentionsAt(key);
    return {
      scope: this.rows.scope,
      key,
      id: known?.id ?? newId(),
      name: entity?.name ?? known?.name ?? name ?? key,
      attributes: entity?.attributes ?? known?.attributes ?? {},
      isStandalone: known?.isStandalone ?? (mentions.length === 0 && isStandalone),
      mentions,
      messageIds: messageIdsOf(mentions),
    };
  }
}

function added(ids: readonly string[], before: readonly string[] = []): string[] {
  const known = new Set(before);
  return ids.filter((id) => !known.has(id));
}
