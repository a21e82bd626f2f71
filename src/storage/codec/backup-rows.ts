import type { StoredMessage } from '../../model/message.ts';
import type { Erasure } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { EntityRow, FactRow, Schema, SessionRecord, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

/** Stores without records in a backup: they can be rebuilt, or belong to one database only. */
type LeftOut = 'statements' | 'postings' | 'packedKnowledge' | 'changes' | 'meta';

export type BackupStore = Exclude<StoreName, LeftOut>;

/** A vector of a message, independent of the block that stores it. */
export interface VectorEntry {
  embedder: string;
  scope: string;
  id: string;
  vector: Float32Array;
}

/** A job that was still to be done, without its attempts and lease. */
export interface QueuedWork {
  queue: string;
  scope: string;
  sessionId: string;
  /** Empty if the job concerns the session as a whole. */
  turnIds: string[];
  createdAt: number;
}

/** Records that have another shape in a file than in the database. */
interface ReshapedRows {
  tombstones: { key: string };
  sessions: Omit<SessionRecord, 'messageCount' | 'erasures'>;
  messages: StoredMessage & { scope: string };
  triples: Omit<FactRow, 'messageIds'>;
  entities: Omit<EntityRow, 'messageIds'>;
  vectors: VectorEntry;
  jobs: QueuedWork;
}

/** Records of a backup after reading, by store. */
export type BackupRows = {
  [Name in BackupStore]: Name extends keyof ReshapedRows ? ReshapedRows[Name] : Schema[Name]['value'];
};

export type BackupKey = readonly (string | number)[];

/** Contents of a backup that is being written: its scope, and the records written so far. */
export interface BackupContents {
  /** True if lists and records without a scope are written. */
  readonly holdsAllScopes: boolean;
  isWanted(scope: string): boolean;
  /** Returns a record with its scope, which only a file of all scopes names in each record. */
  scoped(scope: string, record: object): object;
  /** Returns a session if it is in the file. */
  session(scope: string, id: string): SessionRecord | undefined;
  /** Registers a session that is written. */
  addSession(session: SessionRecord): void;
  addMessage(message: Schema['messages']['value']): void;
  isForgotten(messageId: string): boolean;
  hasEntity(scope: string, key: string): boolean;
  /** Returns the messages that are not in the file, or belong to another scope. */
  missing(row: { readonly scope: string; readonly messageIds: readonly string[] }): ReadonlySet<string>;
}

/** What a record depends on. It is imported only if these are. */
export interface BackupReferences {
  /** Scope of the file. */
  readonly scope?: string;
  /** Id of a session of the scope, which need not have a row. */
  readonly sessionId?: string;
  /** Ids of messages, which must be in the same file. */
  readonly messageIds?: readonly string[];
  /** Key of the record's own tombstone. */
  readonly tombstone?: string;
}

/** How rows of a store are written to a backup and read from one. */
export interface StoreBackup<Name extends BackupStore> {
  /**
   * Checks a record of a file field by field. The scope of a file of all scopes is undefined.
   *
   * @throws MnemoraError with any code; its message says what is wrong
   */
  readonly read: (record: unknown, fileScope: string | undefined) => BackupRows[Name];
  /**
   * Returns the record of a row, or undefined if this file does not contain it. Absent if a record combines many
   * rows.
   */
  readonly write?: (row: Schema[Name]['value'], contents: BackupContents) => object | undefined;
  /** Returns the key by which records are sorted. */
  readonly keyOf: (row: BackupRows[Name]) => BackupKey;
  readonly refersTo?: (row: BackupRows[Name]) => BackupReferences;
}

/** Rules of an object store, used by erasure, backups and verification. */
export interface StoreRules<Name extends StoreName> {
  /**
   * Plans which rows are removed or changed when messages are erased. Reads the state before the erasure, and decides
   * by a pure function. Absent if no row depends on messages.
   */
  readonly erase?: (transaction: Transaction, erasure: Erasure) => Promise<readonly Plan[]>;
  /** Absent if a backup has no records of the store. */
  readonly backup?: Name extends BackupStore ? StoreBackup<Name> : never;
  /** Returns the rows that must exist for a row to be valid, for `verify`. */
  readonly refersTo?: (row: Schema[Name]['value']) => {
    readonly scope: string;
    readonly sessionId?: string;
    readonly messageIds?: readonly string[];
  };
}
