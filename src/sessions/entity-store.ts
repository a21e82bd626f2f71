import { nameKey, withoutPossessive, type NamedEntity } from '../graph/entity-name.ts';
import { invalidInput } from '../model/error.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';
import { argument, checkString } from '../model/check-options.ts';

export interface SetEntityOptions {
  /** Ids of the messages that the new summary is based on, in addition to those of the previous summary. */
  messageIds?: readonly string[];
}

export interface SetManyOptions extends SetEntityOptions {
  /** @internal The job that made the summaries. It is completed in the same transaction. */
  ticket?: JobTicket;
}

/**
 * Summaries of entities by name: LangChain's `BaseEntityStore`. Case and spacing of a name are ignored, and `Sam's`
 * is the same as `Sam`.
 */
export interface EntityStore {
  /** Returns the summary of an entity, which may be empty, or the fallback if there is no entity. */
  get(name: string, fallback?: string): Promise<string | undefined>;
  set(name: string, summary: string, options?: SetEntityOptions): Promise<void>;
  /** Sets several summaries in one transaction, if the store has transactions, and ends the job that made them. */
  setMany?(summaries: ReadonlyMap<string, string>, options?: SetManyOptions): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Removes an entity. Removing one that does not exist changes nothing. */
  delete(name: string): Promise<void>;
  clear(): Promise<void>;
  /** Returns all entities by name. Without this method a memory knows only the names that it has written itself. */
  list?(): Promise<readonly NamedEntity[]>;
  /** True if the store itself erases data derived from erased messages, because it is in the same database. */
  readonly followsMessages?: boolean;
  /** Removes the entities that are known from these messages only. Needed only without `followsMessages`. */
  deleteSources?(messageIds: readonly string[]): Promise<void>;
}

interface StoredEntity {
  readonly name: string;
  readonly summary: string;
  readonly messageIds: ReadonlySet<string>;
}

/** A store in RAM that lives as long as the page. */
export class InMemoryEntityStore implements EntityStore {
  readonly #entities = new Map<string, StoredEntity>();

  async get(name: string, fallback?: string): Promise<string | undefined> {
    return this.#entities.get(entityKey(name))?.summary ?? fallback;
  }

  async set(name: string, summary: string, options: SetEntityOptions = {}): Promise<void> {
    const key = entityKey(name);
    const known = this.#entities.get(key);
    this.#entities.set(key, {
      name: known?.name ?? bareEntityName(name),
      summary: parseSummary(summary),
      messageIds: new Set([...(known?.messageIds ?? []), ...(options.messageIds ?? [])]),
    });
  }

  async has(name: string): Promise<boolean> {
    return this.#entities.has(entityKey(name));
  }

  async delete(name: string): Promise<void> {
    this.#entities.delete(entityKey(name));
  }

  async clear(): Promise<void> {
    this.#entities.clear();
  }

  async list(): Promise<readonly NamedEntity[]> {
    return Array.from(this.#entities.values(), ({ name }) => ({ name, aliases: [] }));
  }

  async deleteSources(messageIds: readonly string[]): Promise<void> {
    const gone = new Set(messageIds);
    for (const [key, entity] of this.#entities) {
      const isFromThese = entity.messageIds.size > 0 && [...entity.messageIds].every((id) => gone.has(id));
      if (isFromThese) this.#entities.delete(key);
    }
  }
}

/** Returns the key under which a name is stored. @throws MnemoraError `invalid-input` if the name is blank */
export function entityKey(name: unknown): string {
  const key = typeof name === 'string' ? nameKey(name) : '';
  if (key !== '') return withoutPossessive(key) ?? key;
  throw invalidInput('The name of an entity must be a string that is not blank.');
}

/** Returns a name as it is shown: `Sam` for ` Sam's `. */
export function bareEntityName(name: string): string {
  const trimmed = name.trim();
  return withoutPossessive(trimmed) ?? trimmed;
}

/** @throws MnemoraError `invalid-input` */
export function parseSummary(summary: unknown): string {
  return argument(checkString)('The summary of an entity', summary).toWellFormed();
}
