import { nameKey, type NamedEntity } from '../graph/entity-name.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { isEntityForgotten, namesForgotten } from '../storage/entity-tombstone.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import { ChangeFollower, MAX_TRIES } from '../storage/change-follower.ts';
import {
  NO_CHANGE,
  type KnowledgeChanges,
  type KnowledgeWrite,
  Knowledge,
} from '../storage/knowledge-store.ts';
import { aliasesOf, summaryOf } from '../storage/facts-and-entities.ts';
import type { StorageEngine } from '../storage/storage-engine.ts';
import type { EntityRow } from '../storage/schema.ts';
import {
  bareEntityName,
  entityKey,
  parseSummary,
  type EntityStore,
  type SetEntityOptions,
  type SetManyOptions,
} from './entity-store.ts';

/**
 * Entities of one scope of a database. A summary is erased with any message that it is based on, because it is not
 * known which message each of its words came from.
 */
export class ScopeEntityStore implements EntityStore {
  readonly followsMessages = true;
  readonly #store: Knowledge;
  readonly #scope: string;
  readonly #rows = new Map<string, EntityRow>();
  /** Keys of the two entities of each fact, by fact id. */
  readonly #factEnds = new Map<string, readonly string[]>();
  readonly #follower: ChangeFollower<KnowledgeChanges>;

  constructor(engine: StorageEngine, scope: string) {
    const store = new Knowledge(engine);
    this.#store = store;
    this.#scope = scope;
    this.#follower = new ChangeFollower({
      read: (since, signal, within) => store.read(scope, since, signal, within),
      apply: (changes) => this.#apply(changes),
    });
  }

  async get(name: string, fallback?: string): Promise<string | undefined> {
    const row = await this.#find(name);
    return row ? summaryOf(row) : fallback;
  }

  /** Sets a summary. @throws MnemoraError `not-found` if a message that it is based on is not in the database */
  async set(name: string, summary: string, options: SetEntityOptions = {}): Promise<void> {
    await this.setMany(new Map([[name, summary]]), options);
  }

  /**
   * Sets all summaries or none. An entity that was forgotten in one of the messages is left out.
   *
   * @throws MnemoraError `not-found` if one of the messages is not in the database; `leadership-lost`
   */
  async setMany(summaries: ReadonlyMap<string, string>, options: SetManyOptions = {}): Promise<void> {
    const { messageIds = [], ticket } = options;
    const notes = Array.from(summaries, ([name, note]) => ({
      name,
      key: entityKey(name),
      note: parseSummary(note),
    }));
    await this.#change(async () => {
      // Read for each try: what is forgotten after it changes the knowledge, so that the write is refused.
      const forgotten = await this.#store.tombstones(messageIds);
      const isForgotten = (key: string, note: string): boolean =>
        messageIds.some((id) => isEntityForgotten(forgotten, id, key) || namesForgotten(note, id, forgotten));
      const kept = notes.filter(({ key, note }) => !isForgotten(key, note));
      return { entities: kept.map(({ name, note }) => this.#rowWith(name, note, messageIds)) };
    }, ticket);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#find(name)) !== undefined;
  }

  async delete(name: string): Promise<void> {
    entityKey(name);
    await this.#change(() => {
      const row = this.#rowOf(name);
      return row ? this.#withoutMentions([row]) : {};
    });
  }

  async clear(): Promise<void> {
    await this.#change(() => this.#withoutMentions(this.#mentioned()));
  }

  async list(): Promise<readonly NamedEntity[]> {
    await this.#follower.sync();
    return this.#mentioned().map((row) => ({ name: row.name, aliases: aliasesOf(row) }));
  }

  async #find(name: string): Promise<EntityRow | undefined> {
    entityKey(name);
    await this.#follower.sync();
    const row = this.#rowOf(name);
    return row?.mentions.length ? row : undefined;
  }

  /** Returns the entities with a summary. Rows without mentions exist only for the facts about them. */
  #mentioned(): EntityRow[] {
    return [...this.#rows.values()].filter(({ mentions }) => mentions.length > 0);
  }

  #rowOf(name: string): EntityRow | undefined {
    const key = nameKey(name);
    for (const form of new Set([key, entityKey(name)])) {
      const isCalledSo = (row: EntityRow): boolean => aliasesOf(row).some((alias) => nameKey(alias) === form);
      const row = this.#rows.get(form) ?? [...this.#rows.values()].find(isCalledSo);
      if (row) return row;
    }
    return undefined;
  }

  #rowWith(name: string, note: string, messageIds: readonly string[]): EntityRow {
    const known = this.#rowOf(name);
    const ids = [...new Set([...(known?.messageIds ?? []), ...messageIds])];
    const row = known ?? {
      scope: this.#scope,
      key: entityKey(name),
      id: newId(),
      name: bareEntityName(name),
      attributes: {},
      isStandalone: false,
    };
    const aliases = known ? aliasesOf(known) : [];
    return {
      ...row,
      mentions: [{ messageIds: ids, note, aliases, recordedAt: Date.now() }],
      messageIds: ids,
    };
  }

  /** Removes the summaries of entities. An entity that occurs in a fact keeps its row. */
  #withoutMentions(rows: readonly EntityRow[]): Partial<KnowledgeWrite> {
    const inFacts = new Set([...this.#factEnds.values()].flat());
    const isKept = (row: EntityRow): boolean => row.isStandalone || inFacts.has(row.key);
    return {
      entities: rows.filter(isKept).map((row) => ({ ...row, mentions: [], messageIds: [] })),
      removedEntities: rows.filter((row) => !isKept(row)),
    };
  }

  /** Writes what `change` makes of the current rows. Runs it again if another tab has written in the meantime. */
  #change(
    change: () => Partial<KnowledgeWrite> | Promise<Partial<KnowledgeWrite>>,
    ticket?: JobTicket,
  ): Promise<void> {
    return this.#follower.inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const cursor = await this.#follower.syncNow();
        const write = { ...NO_CHANGE, ...(await change()) };
        if (await this.#store.commit(this.#scope, write, cursor, ticket)) return;
        const now = await this.#follower.syncNow();
        if (now.generation === cursor.generation && now.revision === cursor.revision) {
          throw new MnemoraError(
            'not-found',
            'The entity was not stored: a message that it was learned from was forgotten or is not in this database.',
          );
        }
      }
      throw new MnemoraError(
        'storage-failed',
        'The entity was not stored: other tabs kept changing entities at the same time. Try again.',
      );
    });
  }

  #apply(changes: KnowledgeChanges): void {
    if (changes.reset) {
      this.#rows.clear();
      this.#factEnds.clear();
    }
    const removed = new Set(changes.removedEntities);
    for (const [key, row] of this.#rows) if (removed.has(row.id)) this.#rows.delete(key);
    for (const row of changes.entities) this.#rows.set(row.key, row);
    for (const id of changes.removedFacts) this.#factEnds.delete(id);
    for (const { id, subjectKey, objectKey } of changes.facts)
      this.#factEnds.set(id, [subjectKey, objectKey]);
  }
}
