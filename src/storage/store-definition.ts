import type { BackupStore, StoreBackup } from './codec/backup-rows.ts';
import type { Erasure } from './erasure.ts';
import type { Plan } from './plan.ts';
import type { Schema, StoreName } from './schema.ts';
import type { Transaction } from './storage-engine.ts';

type KeyPath = string | readonly string[];

export interface IndexShape {
  readonly keyPath: KeyPath;
  readonly unique?: true;
  /** Each item of a list is a key of its own. */
  readonly multiEntry?: true;
}

/** Keys and indexes of an object store. */
export interface StoreShape {
  /** Absent where each row comes with its key. */
  readonly keyPath?: KeyPath;
  readonly autoIncrement?: true;
  /** The version of the database that brought it. Those of the first three are created by steps of their own. */
  readonly since?: number;
  readonly indexes?: Readonly<Record<string, IndexShape>>;
}

type IndexNames<Name extends StoreName> = Schema[Name] extends { indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

/** What must be there for a row to be right. */
export interface RowReferences {
  readonly scope: string;
  readonly sessionId?: string;
  readonly messageIds?: readonly string[];
}

/** All that is said of an object store, once: migrations, engines, erasure and backups go by it. */
export interface StoreDefinition<Name extends StoreName> extends StoreShape {
  readonly indexes?: Readonly<Record<IndexNames<Name>, IndexShape>>;
  /**
   * What of its rows goes or changes when messages are erased. Reads the state before anything was erased, and decides
   * by a pure function. Absent where no row depends on messages.
   */
  readonly erase?: (transaction: Transaction, erasure: Erasure) => Promise<Plan>;
  /** Absent where a backup holds nothing of it. */
  readonly backup?: Name extends BackupStore ? StoreBackup<Name> : never;
  /** What a row depends on, for `verify`. */
  readonly refersTo?: (row: Schema[Name]['value']) => RowReferences;
}
