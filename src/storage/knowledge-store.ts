import type { NameErasure } from './forgetting/erase-name.ts';
import type { JobTicket } from './jobs/job-store.ts';
import type { ForgetReceipt } from './receipts.ts';
import type { EntityRow, FactRow, PackedRows, StatementRow, StoreName } from './schema.ts';
import type { Transaction } from './storage-engine.ts';
import type { ChangeCursor } from './change-log.ts';
import { messageIdsOf } from './remove-sources.ts';

/** What a scope knows, or what has changed of it since a cursor. */
export interface KnowledgeChanges {
  cursor: ChangeCursor;
  /** This is all there is: forget what was read before. */
  reset: boolean;
  /** Written or rewritten. */
  facts: FactRow[];
  entities: EntityRow[];
  statements: StatementRow[];
  /** Ids. */
  removedFacts: string[];
  removedEntities: string[];
  removedStatements: string[];
}

/** What a scope knew when it was packed, and what has changed of it since. */
export interface UnpackedKnowledge {
  parts: readonly PackedRows[];
  changes: KnowledgeChanges;
}

/** Where a scope's rows are kept once more, packed, so that a tab that has none of them reads them at once. */
export interface PackedKnowledgeStore {
  /** Undefined where nothing is packed, or too much has changed since. */
  load(scope: string, signal?: AbortSignal, within?: Transaction): Promise<UnpackedKnowledge | undefined>;
  /** Returns false, and stores nothing, where something of the scope was erased since the cursor. */
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
   * The messages that the rows name and did not name as they were read: what was told again and again is not looked up
   * with each telling. @default all that they name
   */
  newSources?: readonly string[];
  /** Keys of tombstones to leave: see `entity-tombstone.ts`. */
  tombstones?: readonly string[];
  /** How many turns were learned from since the notes of the scope were consolidated. @default as before */
  learnedTurns?: number;
}

/** What is forgotten beside facts and entities. */
export interface KnowledgeErasure {
  /** @default nothing is forgotten by name */
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

/** What {@link KnowledgeStore.read} reads. */
export const KNOWLEDGE_STORES: readonly StoreName[] = [
  'triples',
  'entities',
  'statements',
  'packedKnowledge',
  'changes',
  'meta',
];

/** Facts, entities and statements by scope. Each method is one transaction. */
export interface KnowledgeStore {
  /** What has come since a cursor; everything without one. In a transaction over {@link KNOWLEDGE_STORES}, if given. */
  read(
    scope: string,
    since?: ChangeCursor,
    signal?: AbortSignal,
    within?: Transaction,
  ): Promise<KnowledgeChanges>;
  /**
   * Writes all of it, and removes the job that it was made for, or writes nothing and returns false: where the scope's
   * knowledge has changed since the cursor, or one of the new sources is not there any more.
   *
   * @throws MnemoraError `leadership-lost`
   */
  commit(scope: string, write: KnowledgeWrite, since: ChangeCursor, ticket?: JobTicket): Promise<boolean>;
  /**
   * Writes what is left when something is forgotten, and erases all else that names it, in one transaction. Undefined,
   * and nothing is written, where the scope's knowledge has changed since the cursor. A preview writes nothing and gives
   * the same receipt.
   */
  forget(
    scope: string,
    write: KnowledgeWrite,
    since: ChangeCursor,
    options?: KnowledgeErasure,
  ): Promise<ForgetReceipt | undefined>;
  /** Absent where rows are at hand anyway. */
  readonly packed?: PackedKnowledgeStore;
  /** What has made the derived rows of a scope, as it was told; undefined where nobody has. */
  madeBy(scope: string): Promise<string | undefined>;
  setMadeBy(scope: string, version: string): Promise<void>;
  /** How many turns were learned from since the notes of a scope were consolidated, as far as they were counted. */
  learnedTurns(scope: string): Promise<number>;
  /** The tombstones of entities that were forgotten as told by these messages. */
  tombstones(messageIds: readonly string[]): Promise<string[]>;
}

/** The messages that have to be there for a write. */
export function newSourcesOf(write: KnowledgeWrite): readonly string[] {
  const { facts, entities, statements, newSources } = write;
  const told = [...facts, ...entities, ...statements.map(({ messageId }) => ({ messageIds: [messageId] }))];
  return newSources ?? messageIdsOf(told);
}
