import type { StoredMessage } from '../../model/message.ts';
import type { Erasure } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { EntityRow, FactRow, Schema, SessionRecord, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';
import type { BackupContents } from './backup-contents.ts';

/** Stores without records in a backup: they can be rebuilt, or belong to one database only. */
type LeftOut = 'claims' | 'postings' | 'packedKnowledge' | 'changes' | 'meta';

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

/** A record of a store in a backup; a row if backups have none of them. */
export type RecordOf<Name extends StoreName> = {
  [Each in Name]: Each extends BackupStore ? BackupRows[Each] : Schema[Each]['value'];
}[Name];

export type BackupKey = readonly (string | number)[];

/** What must exist in the scope of a row for the row to be valid. */
export interface References {
  readonly sessionId?: string | undefined;
  readonly messageIds?: readonly string[];
  /** Field of a record that names the messages. @default 'messageIds' */
  readonly field?: string;
}

/** How rows of a store are written to a backup and read from one. How they are merged is in `store-merges.ts`. */
export interface StoreBackup<Name extends StoreName> {
  /** Returns the key by which records are sorted. */
  readonly keyOf: (record: RecordOf<Name>) => BackupKey;
  /**
   * Checks a record of a file field by field. The scope of a file of all scopes is undefined.
   *
   * @throws MnemoraError with any code; its message says what is wrong
   */
  readonly read: (record: unknown, fileScope: string | undefined) => RecordOf<Name>;
  /** Checks a record against those before it, beyond its references. @throws MnemoraError `backup-invalid` */
  readonly check?: (record: RecordOf<Name>, contents: BackupContents) => void;
  /** Returns the record of a row, or undefined if this file does not contain it. */
  readonly write?: (
    row: Schema[Name]['value'],
    contents: BackupContents,
    key: Schema[Name]['key'],
  ) => object | undefined;
  /** Replaces `write` if a row has several records, or a record combines several rows. */
  readonly writeAll?: (transaction: Transaction, contents: BackupContents) => AsyncIterable<object>;
  /**
   * Returns a record of somebody else's backup such that nothing in it counts as a claim of the user here;
   * undefined if it is not imported. Absent if it is imported as it is.
   */
  readonly foreign?: (record: RecordOf<Name>) => RecordOf<Name> | undefined;
}

/** How rows are forgotten that leave tombstones of their own. */
export interface RowTombstones<Name extends StoreName> {
  /** Returns the key of a row's tombstone. */
  readonly keyOf: (row: RecordOf<Name>) => string;
  /** Plans the removal of rows. */
  readonly planWithout: (
    transaction: Transaction,
    rows: readonly Schema[Name]['value'][],
  ) => Plan[] | Promise<Plan[]>;
}

/** Rules of an object store, used by erasure, backups and verification. */
export interface StoreRules<Name extends StoreName> {
  /**
   * Plans which rows are removed or changed when messages are erased. Reads the state before the erasure, and decides
   * by a pure function. Absent if no row depends on messages.
   */
  readonly erase?: (transaction: Transaction, erasure: Erasure) => Promise<readonly Plan[]>;
  /** Absent if a backup has no records of the store. */
  readonly backup?: StoreBackup<Name>;
  readonly tombstones?: RowTombstones<Name>;
  /** Returns what a row, or a record of a backup, needs. */
  readonly refersTo?: (row: RecordOf<Name>) => References;
  /** Yields what is wrong with a row, beyond its references. */
  readonly problems?: (
    row: Schema[Name]['value'],
    contents: BackupContents,
    transaction: Transaction,
  ) => Iterable<string> | AsyncIterable<string>;
}
