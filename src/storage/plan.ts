import type { JobSource } from './jobs/job-plan.ts';
import type { NewJob } from './jobs/job-store.ts';
import type { ReceiptCounts } from './receipts.ts';
import type { Change, Schema, StoreName } from './schema.ts';

type Put = {
  [Name in StoreName]: {
    readonly store: Name;
    readonly row: Schema[Name]['value'];
    /** Only where keys do not lie in the rows. */
    readonly key?: Schema[Name]['key'];
  };
}[StoreName];

type Delete = {
  [Name in StoreName]: { readonly store: Name; readonly key: Schema[Name]['key'] | IDBKeyRange };
}[StoreName];

/** What a change writes, decided before anything is written. */
export interface Plan {
  readonly deletes?: readonly Delete[];
  readonly puts?: readonly Put[];
  /** Work to queue, when all rows are written. */
  readonly jobs?: readonly { readonly job: NewJob; readonly source: JobSource }[];
  /** What the other tabs are told. */
  readonly changes?: readonly Change[];
  /** How much of what was changed, for a receipt. */
  readonly counts?: Partial<ReceiptCounts>;
}
