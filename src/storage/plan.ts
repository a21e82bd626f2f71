import { recordChange } from './change-log.ts';
import type { JobRequest } from './jobs/job-plan.ts';
import { enqueueJobs } from './jobs/job-store.ts';
import { addReceipts, type ForgetReceipt } from './receipts.ts';
import { askEach } from './rows.ts';
import type { Change, Schema, StoreName } from './schema.ts';
import type { WriteTransaction } from './storage-engine.ts';

/** All writes of a change, decided before anything is written. */
export interface Plan {
  /** Keys of rows to remove, before any row is written. */
  readonly deletes?: { readonly [Name in StoreName]?: readonly (Schema[Name]['key'] | IDBKeyRange)[] };
  readonly puts?: { readonly [Name in Exclude<StoreName, 'tombstones'>]?: readonly Schema[Name]['value'][] };
  /** Keys of tombstones to leave. */
  readonly tombstones?: readonly string[];
  /** Jobs to queue after all rows are written. */
  readonly jobs?: readonly JobRequest[];
  /** Entries for the change log, which other tabs read. */
  readonly changes?: readonly Change[];
  /** Number of changed rows by kind, for a receipt. */
  readonly counts?: Partial<ForgetReceipt>;
}

/** Carries out plans together, in one transaction. Returns the sums of their counts. */
export async function applyPlans(
  transaction: WriteTransaction,
  plans: readonly Plan[],
): Promise<Partial<ForgetReceipt>> {
  const stores = transaction as { objectStore(name: string): ReturnType<typeof transaction.objectStore> };
  const deletes = plans
    .flatMap((plan) => Object.entries(plan.deletes ?? {}))
    .flatMap(([name, keys]) => keys.map((key) => ({ name, key })));
  await askEach(deletes, ({ name, key }) => stores.objectStore(name).delete(key));
  const writes: (() => Promise<unknown>)[] = [
    ...plans
      .flatMap(({ puts = {} }) => Object.entries(puts))
      // Asynchronous, so that an error of structured cloning rejects.
      .flatMap(([name, rows]) => rows.map((row) => async () => stores.objectStore(name).put(row))),
    ...plans
      .flatMap(({ tombstones = [] }) => tombstones)
      .map((key) => () => transaction.objectStore('tombstones').put(true, key)),
    ...plans.flatMap(({ changes = [] }) => changes).map((change) => () => recordChange(transaction, change)),
  ];
  await askEach(writes, (write) => write());
  await enqueueJobs(
    transaction,
    plans.flatMap(({ jobs = [] }) => jobs),
  );
  return plans.reduce<Partial<ForgetReceipt>>((sum, { counts = {} }) => addReceipts(sum, counts), {});
}
