import { nameKey, withoutPossessive, type NamedEntity } from '../graph/entity-name.ts';
import { MnemoraError } from '../model/error.ts';
import type { JobTicket } from '../storage/jobs/job-store.ts';

export interface SetEntityOptions {
  /** The messages that the summary was made from, besides those of the summary before it. */
  messageIds?: readonly string[];
}

export interface SetManyOptions extends SetEntityOptions {
  /** @internal The job that they were made for, which ends with them. */
  ticket?: JobTicket;
}

/**
 * What is known of entities, by name: LangChain's `BaseEntityStore`. Case and spacing of a name do not matter, and
 * `Sam's` is Sam.
 */
export interface EntityStore {
  /** The summary of an entity; where there is none, the fallback. It may be empty. */
  get(name: string, fallback?: string): Promise<string | undefined>;
  set(name: string, summary: string, options?: SetEntityOptions): Promise<void>;
  /** Sets several in one transaction, where there are transactions. */
  setMany?(summaries: ReadonlyMap<string, string>, options?: SetManyOptions): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Deleting what is not there changes nothing. */
  delete(name: string): Promise<void>;
  clear(): Promise<void>;
  /** The names of all. Without it a memory knows only the names that it has written itself. */
  list?(): Promise<readonly NamedEntity[]>;
  /** Whether it forgets by itself what came from messages that are erased: over the database that holds them. */
  readonly followsMessages?: boolean;
  /** Removes the entities that are known from these messages alone, where it does not do so by itself. */
  deleteSources?(messageIds: readonly string[]): Promise<void>;
}

interface StoredEntity {
  readonly name: string;
  readonly summary: string;
  readonly messageIds: ReadonlySet<string>;
}

/** A store that lives as long as the page. */
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

/** Under which a name is kept. @throws MnemoraError `invalid-input` where it is blank */
export function entityKey(name: unknown): string {
  const key = typeof name === 'string' ? nameKey(name) : '';
  if (key !== '') return withoutPossessive(key) ?? key;
  throw new MnemoraError('invalid-input', 'The name of an entity must be a string that is not blank.');
}

/** A name as it is shown: `Sam` for ` Sam's `. */
export function bareEntityName(name: string): string {
  const trimmed = name.trim();
  return withoutPossessive(trimmed) ?? trimmed;
}

/** @throws MnemoraError `invalid-input` */
export function parseSummary(summary: unknown): string {
  if (typeof summary === 'string') return summary.toWellFormed();
  throw new MnemoraError(
    'invalid-input',
    `The summary of an entity must be a string, not a ${typeof summary}.`,
  );
}
