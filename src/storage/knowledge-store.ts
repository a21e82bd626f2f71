import type { JobTicket } from './job-store.ts';
import type { EntityRow, FactRow } from './schema.ts';
import type { ChangeCursor } from './transcript-store.ts';
import { messageIdsOf } from './without-messages.ts';

/** What a scope knows, or what has changed of it since a cursor. */
export interface KnowledgeChanges {
  cursor: ChangeCursor;
  /** This is all there is: forget what was read before. */
  reset: boolean;
  /** Written or rewritten. */
  facts: FactRow[];
  entities: EntityRow[];
  /** Ids. */
  removedFacts: string[];
  removedEntities: string[];
}

export interface KnowledgeWrite {
  facts: readonly FactRow[];
  entities: readonly EntityRow[];
  removedFacts: readonly string[];
  removedEntities: readonly Pick<EntityRow, 'id' | 'key'>[];
  /**
   * The messages that the rows name and did not name as they were read: what was told again and again is not looked up
   * with each telling. @default all that they name
   */
  newSources?: readonly string[];
  /** Keys of tombstones to leave: see `entity-tombstone.ts`. */
  tombstones?: readonly string[];
}

/** Facts and entities by scope. Each method is one transaction. */
export interface KnowledgeStore {
  read(scope: string, since?: ChangeCursor, signal?: AbortSignal): Promise<KnowledgeChanges>;
  /**
   * Writes all of it, and removes the job that it was made for, or writes nothing and returns false: where the scope's
   * knowledge has changed since the cursor, or one of the new sources is not there any more.
   *
   * @throws MnemoraError `leadership-lost`
   */
  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean>;
  /** The tombstones of entities that were forgotten as told by these messages. */
  tombstones(messageIds: readonly string[]): Promise<string[]>;
}

/** The messages that have to be there for a write. */
export function newSourcesOf({ facts, entities, newSources }: KnowledgeWrite): readonly string[] {
  return newSources ?? messageIdsOf([...facts, ...entities]);
}
