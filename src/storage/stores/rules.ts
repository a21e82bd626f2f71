import type { BackupStore, StoreBackup } from '../codec/backup-rows.ts';
import type { Erasure } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { Schema, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

/** Rows that must exist for a row to be valid. */
export interface RowReferences {
  readonly scope: string;
  readonly sessionId?: string;
  readonly messageIds?: readonly string[];
}

/** Rules of an object store, used by erasure, backups and verification. */
export interface StoreRules<Name extends StoreName> {
  /**
   * Plans which rows are removed or changed when messages are erased. Reads the state before the erasure, and decides
   * by a pure function. Absent if no row depends on messages.
   */
  readonly erase?: (transaction: Transaction, erasure: Erasure) => Promise<Plan>;
  /** Absent if a backup has no records of the store. */
  readonly backup?: Name extends BackupStore ? StoreBackup<Name> : never;
  /** Returns what a row depends on, for `verify`. */
  readonly refersTo?: (row: Schema[Name]['value']) => RowReferences;
}
