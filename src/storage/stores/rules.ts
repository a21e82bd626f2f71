import type { BackupStore, StoreBackup } from '../codec/backup-rows.ts';
import type { Erasure } from '../erasure.ts';
import type { Plan } from '../plan.ts';
import type { Schema, StoreName } from '../schema.ts';
import type { Transaction } from '../storage-engine.ts';

/** What must be there for a row to be right. */
export interface RowReferences {
  readonly scope: string;
  readonly sessionId?: string;
  readonly messageIds?: readonly string[];
}

/** What is done with the rows of an object store, said once: erasure, backups and verification go by it. */
export interface StoreRules<Name extends StoreName> {
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
