import { newId } from '../model/id.ts';
import type { InMemoryJobStore } from './in-memory-job-store.ts';
import type { JobTicket } from './job-store.ts';
import {
  newSourcesOf,
  type KnowledgeChanges,
  type KnowledgeStore,
  type KnowledgeWrite,
} from './knowledge-store.ts';
import type { Change, EntityRow, FactRow } from './schema.ts';
import type { ChangeCursor } from './transcript-store.ts';
import {
  entitiesOfFacts,
  entityWithoutMessages,
  factsWithoutAliases,
  factWithoutMessages,
  isBareEntity,
  lostAliases,
} from './without-messages.ts';

interface Knowledge {
  readonly facts: Map<string, FactRow>;
  /** By key. */
  readonly entities: Map<string, EntityRow>;
  /** What each write touched; the revision is the position in this list. */
  readonly changes: Pick<KnowledgeChange, 'facts' | 'entities'>[];
}

type KnowledgeChange = Extract<Change, { kind: 'knowledge' }>;

/** Facts and entities that live as long as the page. */
export class InMemoryKnowledgeStore implements KnowledgeStore {
  readonly #generation = newId();
  readonly #jobs: InMemoryJobStore;
  readonly #hasMessages: (ids: readonly string[]) => boolean;
  readonly #scopes = new Map<string, Knowledge>();
  readonly #tombstones = new Set<string>();

  constructor(jobs: InMemoryJobStore, hasMessages: (ids: readonly string[]) => boolean) {
    this.#jobs = jobs;
    this.#hasMessages = hasMessages;
  }

  async read(scope: string, since?: ChangeCursor): Promise<KnowledgeChanges> {
    const { facts, entities, changes } = this.#scope(scope);
    const cursor = { generation: this.#generation, revision: changes.length };
    if (since?.generation !== this.#generation) {
      const rows = structuredClone({ facts: [...facts.values()], entities: [...entities.values()] });
      return { cursor, reset: true, ...rows, removedFacts: [], removedEntities: [] };
    }
    const missed = changes.slice(since.revision);
    const factIds = [...new Set(missed.flatMap((change) => change.facts))];
    const entityIds = new Set(missed.flatMap((change) => change.entities));
    const touched = [...(entityIds.size > 0 ? entities.values() : [])].filter(({ id }) => entityIds.has(id));
    for (const { id } of touched) entityIds.delete(id);
    return {
      cursor,
      reset: false,
      facts: structuredClone(factIds.flatMap((id) => facts.get(id) ?? [])),
      entities: structuredClone(touched),
      removedFacts: factIds.filter((id) => !facts.has(id)),
      removedEntities: [...entityIds],
    };
  }

  async commit(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    ticket?: JobTicket,
  ): Promise<boolean> {
    if (ticket && !this.#jobs.requireTicket(ticket)) return false;
    if (!this.#isPresent(scope, since) || !this.#hasMessages(newSourcesOf(write))) return false;
    const { facts, entities } = this.#scope(scope);
    for (const fact of structuredClone(write.facts)) facts.set(fact.id, fact);
    for (const id of write.removedFacts) facts.delete(id);
    for (const entity of structuredClone(write.entities)) entities.set(entity.key, entity);
    for (const { key } of write.removedEntities) entities.delete(key);
    for (const key of write.tombstones ?? []) this.#tombstones.add(key);
    this.#recordChange(
      scope,
      [...write.facts.map((fact) => fact.id), ...write.removedFacts],
      [...write.entities, ...write.removedEntities],
    );
    if (ticket) this.#jobs.end(ticket);
    return true;
  }

  async tombstones(messageIds: readonly string[]): Promise<string[]> {
    return [...this.#tombstones].filter((key) => messageIds.some((id) => key.startsWith(`${id}/`)));
  }

  /** Erases what these messages alone told, in every scope. */
  erase(ids: ReadonlySet<string>): { facts: number; entities: number } {
    const erased = { facts: 0, entities: 0 };
    for (const scope of this.#scopes.keys()) {
      const inScope = this.#eraseFrom(scope, ids);
      erased.facts += inScope.facts;
      erased.entities += inScope.entities;
    }
    for (const key of this.#tombstones) if (ids.has(key.split('/')[0] ?? '')) this.#tombstones.delete(key);
    return erased;
  }

  /** Erases all that a scope knows. */
  eraseScope(scope: string): { facts: number; entities: number } {
    const { facts, entities } = this.#scope(scope);
    const erased = { facts: facts.size, entities: entities.size };
    this.#recordChange(scope, [...facts.keys()], [...entities.values()]);
    facts.clear();
    entities.clear();
    return erased;
  }

  #eraseFrom(scope: string, ids: ReadonlySet<string>): { facts: number; entities: number } {
    const { facts, entities } = this.#scope(scope);
    const before = facts.size;
    const lost = new Set<string>();
    const changed = new Set<string>();
    const made: EntityRow[] = [];
    for (const fact of [...facts.values()].filter((each) => each.messageIds.some((id) => ids.has(id)))) {
      const left = factWithoutMessages(fact, ids);
      changed.add(fact.id);
      if (left) facts.set(fact.id, left);
      else facts.delete(fact.id);
      if (!left) for (const key of [fact.subjectKey, fact.objectKey]) lost.add(key);
    }
    const touched = [...entities.values()].filter(
      (entity) => lost.has(entity.key) || entity.messageIds.some((id) => ids.has(id)),
    );
    const left = touched.map((entity) => entityWithoutMessages(entity, ids));
    for (const [position, entity] of left.entries()) {
      entities.set(entity.key, entity);
      const lostNames = lostAliases(touched[position] ?? entity, entity);
      const moved = factsWithoutAliases([...facts.values()], entity.key, lostNames);
      for (const fact of moved) facts.set(fact.id, fact);
      for (const fact of moved) changed.add(fact.id);
      const ends = entitiesOfFacts(moved).filter((end) => !entities.has(end.key));
      for (const end of ends) entities.set(end.key, end);
      made.push(...ends);
    }
    const named = new Set(Array.from(facts.values(), (fact) => [fact.subjectKey, fact.objectKey]).flat());
    const bare = left.filter((entity) => isBareEntity(entity) && !named.has(entity.key));
    for (const { key } of bare) entities.delete(key);
    this.#recordChange(scope, [...changed], [...touched, ...made]);
    return { facts: before - facts.size, entities: bare.length };
  }

  #isPresent(scope: string, cursor: ChangeCursor | undefined): boolean {
    return cursor?.generation === this.#generation && cursor.revision === this.#scope(scope).changes.length;
  }

  /** As in a database: what changes nothing that is read is in nobody's way. */
  #recordChange(scope: string, facts: string[], entities: readonly Pick<EntityRow, 'id'>[]): void {
    if (facts.length + entities.length === 0) return;
    this.#scope(scope).changes.push({ facts, entities: entities.map((entity) => entity.id) });
  }

  #scope(scope: string): Knowledge {
    const known = this.#scopes.get(scope) ?? { facts: new Map(), entities: new Map(), changes: [] };
    this.#scopes.set(scope, known);
    return known;
  }
}
