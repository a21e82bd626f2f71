import type { JobSource } from './jobs/job-plan.ts';
import type { NewJob } from './jobs/job-store.ts';
import type { ReceiptCounts } from './receipts.ts';
import type { Change, Schema, StoreName } from './schema.ts';

type Put = {
  [Name in StoreName]: {
    readonly store: Name;
    readonly row: Schema[Name]['value'];
    /** Only for stores without a key path. */
    readonly key?: Schema[Name]['key'];
  };
}[StoreName];

type Delete = {
  [Name in StoreName]: { readonly store: Name; readonly key: Schema[Name]['key'] | IDBKeyRange };
}[StoreName];

/** All writes of a change, decided before anything is written. */
export interface Plan {
  readonly deletes?: readonly Delete[];
  readonly puts?: readonly Put[];
  /** Jobs to queue after all rows are written. */
  readonly jobs?: readonly { readonly job: NewJob; readonly source: JobSource }[];
  /** Entries for the change log, which other tabs read. */
  readonly changes?: readonly Change[];
  /** Number of changed rows by kind, for a receipt. */
  readonly counts?: Partial<ReceiptCounts>;
}
