import type { NameErasure } from './forgetting/erase-name.ts';
import type { JobTicket } from './jobs/job-store.ts';
import type { ForgetReceipt } from './receipts.ts';
import type { EntityRow, FactRow, PackedRows, StatementRow, StoreName } from './schema.ts';
import type { Transaction } from './storage-engine.ts';
import type { ChangeCursor } from './change-log.ts';
import { messageIdsOf } from './facts-and-entities.ts';

/** Knowledge of a scope, or its changes since a cursor. */
export interface KnowledgeChanges {
  cursor: ChangeCursor;
  /** True if this is all knowledge: drop everything read before. */
  reset: boolean;
  /** Facts written or rewritten. */
  facts: FactRow[];
  entities: EntityRow[];
  statements: StatementRow[];
  /** Ids of removed facts. */
  removedFacts: string[];
  removedEntities: string[];
  removedStatements: string[];
}

/** Packed knowledge of a scope, and its changes since it was packed. */
export interface UnpackedKnowledge {
  parts: readonly PackedRows[];
  changes: KnowledgeChanges;
}

/** Stores a second, packed copy of a scope's rows, which a new tab reads at once. */
export interface PackedKnowledgeStore {
  /** Returns undefined if nothing is packed, or too much has changed since. */
  load(scope: string, signal?: AbortSignal, within?: Transaction): Promise<UnpackedKnowledge | undefined>;
  /** Returns false, and stores nothing, if something of the scope was erased since the cursor. */
  save(scope: string, parts: readonly PackedRows[], cursor: ChangeCursor): Promise<boolean>;
}

export interface KnowledgeWrite {
  facts: readonly FactRow[];
  entities: readonly EntityRow[];
  statements: readonly StatementRow[];
  removedFacts: readonly string[];
  removedEntities: readonly Pick<EntityRow, 'id' | 'key'>[];
  removedStatements: readonly string[];
  /**
   * Ids of the messages that the rows name now and did not name when they were read. Only these are looked up, so
   * that repeated facts stay cheap.
   *
   * @default all messages that the rows name
   */
  newSources?: readonly string[];
  /** Keys of tombstones to store: see `entity-tombstone.ts`. */
  tombstones?: readonly string[];
  /** Number of turns learned from since the notes of the scope were consolidated. @default unchanged */
  learnedTurns?: number;
}

/** What to forget in addition to facts and entities. */
export interface KnowledgeErasure {
  /** The name to forget. @default none */
  readonly name?: NameErasure;
  readonly isPreview?: boolean;
}

/** A write that changes nothing. */
export const NO_CHANGE: KnowledgeWrite = {
  facts: [],
  entities: [],
  statements: [],
  removedFacts: [],
  removedEntities: [],
  removedStatements: [],
};

/** Stores that {@link KnowledgeStore.read} needs. */
export const KNOWLEDGE_STORES: readonly StoreName[] = [
  'triples',
  'entities',
  'statements',
  'packedKnowledge',
  'changes',
  'meta',
];

/** Stores facts, entities and statements by scope. Each method is one transaction. */
export interface KnowledgeStore {
  /**
   * Returns the changes since a cursor, or everything without one. Uses the given transaction over {@link
   * KNOWLEDGE_STORES}, if any.
   */
  read(
    scope: string,
    since?: ChangeCursor,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<KnowledgeChanges>;
  /**
   * Writes everything and removes the job that made it. Writes nothing and returns false if the scope's knowledge has
   * changed since the cursor, or if one of the new sources no longer exists.
   *
   * @throws MnemoraError `leadership-lost`
   */
  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean>;
  /**
   * Writes the rows that remain after forgetting, and erases everything else that contains the name, in one
   * transaction. Returns undefined, and writes nothing, if the scope's knowledge has changed since the cursor. A
   * preview writes nothing and returns the same receipt.
   */
  forget(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    options?: KnowledgeErasure,
  ): Promise<ForgetReceipt | undefined>;
  /** Absent if all rows are in memory anyway. */
  readonly packed?: PackedKnowledgeStore;
  /** Returns the version that made the derived rows of a scope, or undefined if none was recorded. */
  madeBy(scope: string): Promise<string | undefined>;
  setMadeBy(scope: string, version: string): Promise<void>;
  /** Returns the recorded number of turns learned from since the notes of a scope were consolidated. */
  learnedTurns(scope: string): Promise<number>;
  /** Returns the tombstones of entities that were forgotten in these messages. */
  tombstones(messageIds: readonly string[]): Promise<string[]>;
}

/** Returns the ids of the messages that must exist for a write. */
export function newSourcesOf(write: KnowledgeWrite): readonly string[] {
  const { facts, entities, statements, newSources } = write;
  const told = [...facts, ...entities, ...statements.map(({ messageId }) => ({ messageIds: [messageId] }))];
  return newSources ?? messageIdsOf(told);
}
