import { recordChange } from './change-log.ts';
import type { JobSource, NewJob } from './jobs/job-plan.ts';
import { enqueueJobs } from './jobs/job-store.ts';
import type { ForgetReceipt } from './receipts.ts';
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
  readonly jobs?: readonly { readonly job: NewJob; readonly source: JobSource }[];
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
  const recordAll = async (): Promise<void> => {
    for (const change of plans.flatMap(({ changes = [] }) => changes))
      await recordChange(transaction, change);
  };
  await Promise.all(
    plans
      .flatMap(({ deletes = {} }) => Object.entries(deletes))
      .flatMap(([name, keys]) => keys.map((key) => stores.objectStore(name).delete(key))),
  );
  await Promise.all([
    ...plans
      .flatMap(({ puts = {} }) => Object.entries(puts))
      // Asynchronous, so that an error of structured cloning rejects.
      .flatMap(([name, rows]) => rows.map(async (row) => stores.objectStore(name).put(row))),
    ...plans
      .flatMap(({ tombstones = [] }) => tombstones)
      .map((key) => transaction.objectStore('tombstones').put(true, key)),
    recordAll(),
  ]);
  for (const { job, source } of plans.flatMap(({ jobs = [] }) => jobs))
    await enqueueJobs(transaction, [job], source);
  const counts: Partial<ForgetReceipt> = {};
  for (const [name, count] of plans.flatMap((plan) => Object.entries(plan.counts ?? {}))) {
    const key = name as keyof ForgetReceipt;
    if (count > 0) counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}
