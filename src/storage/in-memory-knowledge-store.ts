import { newId } from '../model/id.ts';
import type { InMemoryJobStore } from './in-memory-job-store.ts';
import type { JobTicket } from './job-store.ts';
import type { KnowledgeChanges, KnowledgeStore, KnowledgeWrite } from './knowledge-store.ts';
import type { EntityRow, FactRow } from './schema.ts';
import type { ChangeCursor } from './transcript-store.ts';
import {
  entityWithoutMessages,
  factWithoutMessages,
  isBareEntity,
  messageIdsOf,
} from './without-messages.ts';

interface Knowledge {
  readonly facts: Map<string, FactRow>;
  /** By key. */
  readonly entities: Map<string, EntityRow>;
  revision: number;
}

/** Facts and entities that live as long as the page. */
export class InMemoryKnowledgeStore implements KnowledgeStore {
  readonly #generation = newId();
  readonly #jobs: InMemoryJobStore;
  readonly #hasMessage: (id: string) => boolean;
  readonly #scopes = new Map<string, Knowledge>();
  readonly #tombstones = new Set<string>();

  constructor(jobs: InMemoryJobStore, hasMessage: (id: string) => boolean) {
    this.#jobs = jobs;
    this.#hasMessage = hasMessage;
  }

  async read(scope: string, since?: ChangeCursor): Promise<KnowledgeChanges> {
    const { facts, entities, revision } = this.#scope(scope);
    const cursor = { generation: this.#generation, revision };
    const none = { facts: [], entities: [], removedFacts: [], removedEntities: [] };
    if (this.#isPresent(scope, since)) return { cursor, reset: false, ...none };
    const rows = structuredClone({ facts: [...facts.values()], entities: [...entities.values()] });
    return { cursor, reset: true, ...none, ...rows };
  }

  async commit(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    ticket?: JobTicket,
  ): Promise<boolean> {
    if (ticket && !this.#jobs.requireTicket(ticket)) return false;
    const sources = messageIdsOf([...write.facts, ...write.entities]);
    if (!this.#isPresent(scope, since) || !sources.every(this.#hasMessage)) return false;
    const { facts, entities } = this.#scope(scope);
    for (const fact of structuredClone(write.facts)) facts.set(fact.id, fact);
    for (const id of write.removedFacts) facts.delete(id);
    for (const entity of structuredClone(write.entities)) entities.set(entity.key, entity);
    for (const { key } of write.removedEntities) entities.delete(key);
    for (const key of write.tombstones ?? []) this.#tombstones.add(key);
    this.#scope(scope).revision += 1;
    if (ticket && !ticket.goesOn) this.#jobs.end(ticket);
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
    facts.clear();
    entities.clear();
    this.#scope(scope).revision += 1;
    return erased;
  }

  #eraseFrom(scope: string, ids: ReadonlySet<string>): { facts: number; entities: number } {
    const { facts, entities } = this.#scope(scope);
    const before = { facts: facts.size, entities: entities.size };
    const lost = new Set<string>();
    for (const fact of [...facts.values()]) {
      const left = factWithoutMessages(fact, ids);
      if (left) facts.set(fact.id, left);
      else facts.delete(fact.id);
      if (!left) for (const key of [fact.subjectKey, fact.objectKey]) lost.add(key);
    }
    const named = new Set(Array.from(facts.values(), (fact) => [fact.subjectKey, fact.objectKey]).flat());
    for (const entity of [...entities.values()]) {
      const left = entityWithoutMessages(entity, ids);
      const isTouched = left.mentions.length < entity.mentions.length || lost.has(entity.key);
      if (isTouched && isBareEntity(left) && !named.has(entity.key)) entities.delete(entity.key);
      else entities.set(entity.key, left);
    }
    this.#scope(scope).revision += 1;
    return { facts: before.facts - facts.size, entities: before.entities - entities.size };
  }

  #isPresent(scope: string, cursor: ChangeCursor | undefined): boolean {
    return cursor?.generation === this.#generation && cursor.revision === this.#scope(scope).revision;
  }

  #scope(scope: string): Knowledge {
    const known = this.#scopes.get(scope) ?? { facts: new Map(), entities: new Map(), revision: 0 };
    this.#scopes.set(scope, known);
    return known;
  }
}
