import type { BackupRows, BackupStore, QueuedWork } from '../codec/backup-rows.ts';
import { enqueueJobs } from '../jobs/job-store.ts';
import { countName, emptyImportReceipt, type ImportReceipt } from '../receipts.ts';
import type { WriteTransaction } from '../storage-engine.ts';
import { ForgottenEntities } from './forgotten-entities.ts';
import type { SessionMerge } from './session-merge.ts';

/** Merges the records of one store of a file into the database, in their order. */
export interface StoreMerge<Name extends BackupStore> {
  /** @throws MnemoraError `turn-conflict` if records conflict with stored data */
  readonly put: (rows: readonly BackupRows[Name][]) => Promise<void>;
  /** Is called when all records of the store have been put. */
  readonly end?: () => Promise<void>;
}

/** An import: the transaction that it runs in, and what it has brought so far. */
export class ImportTarget {
  readonly transaction: WriteTransaction;
  /** True to import data of the file that was forgotten here. */
  readonly isRestoring: boolean;
  readonly receipt: ImportReceipt = emptyImportReceipt();
  /** True if anything was written. */
  isChanged = false;
  /** Sessions of the file, by scope and id as JSON. */
  readonly sessions: Map<string, SessionMerge> = new Map();
  /** Ids of the messages of the file that are in the database with the same content. */
  readonly messages: Set<string> = new Set();
  /** Turns with a message from the file: scopes and ids as JSON. */
  readonly newTurns: Set<string> = new Set();
  /** Work to queue when everything is merged. */
  readonly work: QueuedWork[] = [];
  readonly forgotten: ForgottenEntities;
  readonly #scope: string | undefined;

  /** @param scope the only scope that is imported into, or undefined for all scopes of the file */
  constructor(transaction: WriteTransaction, isRestoring: boolean, scope: string | undefined) {
    this.transaction = transaction;
    this.isRestoring = isRestoring;
    this.#scope = scope;
    this.forgotten = new ForgottenEntities(transaction, this.messages);
  }

  session(scope: string, id: string): SessionMerge | undefined {
    return this.sessions.get(JSON.stringify([scope, id]));
  }

  /** Returns whether tombstones of the file concern a scope. Other scopes keep what its scope has forgotten. */
  concerns(scope: string): boolean {
    return this.#scope === undefined || scope === this.#scope;
  }

  /** Merges records one by one, and counts each as imported or as skipped. */
  async putEach<Row>(
    store: Exclude<BackupStore, 'tombstones' | 'sessions' | 'messages' | 'jobs'>,
    rows: readonly Row[],
    put: (row: Row) => Promise<boolean>,
  ): Promise<void> {
    for (const row of rows) {
      const isImported = await put(row);
      const name = isImported ? countName(store) : 'skipped';
      this.receipt[name] = (this.receipt[name] ?? 0) + 1;
      this.isChanged ||= isImported;
    }
  }

  async enqueue({ queue, scope, sessionId, turnIds, createdAt }: QueuedWork): Promise<void> {
    await enqueueJobs(this.transaction, [{ queue, scope, sessionId, turnIds, now: createdAt }]);
    this.isChanged = true;
  }
}
