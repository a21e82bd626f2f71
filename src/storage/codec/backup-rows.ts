import type { StoredMessage } from '../../model/message.ts';
import type { EntityRow, FactRow, Schema, SessionRecord, StoreName, SummaryRecord } from '../schema.ts';

/** Stores of which a backup holds nothing: they are made again, or belong to one database only. */
type LeftOut = 'statements' | 'postings' | 'packedKnowledge' | 'changes' | 'meta';

export type BackupStore = Exclude<StoreName, LeftOut>;

/** A vector of a message, whatever block it is stored in. */
export interface VectorEntry {
  embedder: string;
  scope: string;
  id: string;
  vector: Float32Array;
}

/** Work that was still to be done, without how often it was tried and who was at it. */
export interface QueuedWork {
  queue: string;
  sessionId: string;
  /** Empty where it is about the session as a whole. */
  turnIds: string[];
  createdAt: number;
}

/** The records whose shape in a file is another than in the database. */
interface ReshapedRows {
  tombstones: { key: string };
  sessions: Omit<SessionRecord, 'messageCount' | 'erasures'>;
  messages: StoredMessage;
  summaries: Omit<SummaryRecord, 'scope'>;
  triples: Omit<FactRow, 'messageIds'>;
  entities: Omit<EntityRow, 'messageIds'>;
  vectors: VectorEntry;
  jobs: QueuedWork;
}

/** The records of a backup, once read. */
export type BackupRows = {
  [Name in BackupStore]: Name extends keyof ReshapedRows ? ReshapedRows[Name] : Schema[Name]['value'];
};

export type BackupKey = readonly (string | number)[];

/** What a backup is about, and what of it has been written already. */
export interface BackupContents {
  /** Whether lists and records that belong to no scope are written. */
  readonly holdsAllScopes: boolean;
  isWanted(scope: string): boolean;
  /** A session that is in the file. */
  session(id: string): SessionRecord | undefined;
  /** To be called with each session that is written. */
  addSession(session: SessionRecord): void;
  addMessage(message: Schema['messages']['value']): void;
  isForgotten(messageId: string): boolean;
  /** Of these messages those that are not in the file, or of another scope. */
  missing(row: { readonly scope: string; readonly messageIds: readonly string[] }): ReadonlySet<string>;
}

/** What a record goes with: it comes in only where these do. */
export interface BackupReferences {
  /** That of the file. */
  readonly scope?: string;
  /** It may be a session that has no row. */
  readonly sessionId?: string;
  /** They must be in the same file. */
  readonly messageIds?: readonly string[];
  /** Under which it is forgotten by itself. */
  readonly tombstone?: string;
}

/** How the rows of a store are written to a backup and read from one. */
export interface StoreBackup<Name extends BackupStore> {
  /** A record of a file, checked field by field. @throws MnemoraError of any code, which says what is wrong with it */
  readonly read: (record: unknown) => BackupRows[Name];
  /** What is written of a row; undefined where it is not for this file. Absent where records are gathered from many rows. */
  readonly write?: (row: Schema[Name]['value'], contents: BackupContents) => object | undefined;
  /** What records are ordered by. */
  readonly keyOf: (row: BackupRows[Name]) => BackupKey;
  readonly refersTo?: (row: BackupRows[Name]) => BackupReferences;
}
