import { recordChange } from './change-log.ts';
import { enqueueJobs } from './jobs/job-rows.ts';
import type { Plan } from './plan.ts';
import type { ReceiptCounts } from './receipts.ts';
import type { StoreName } from './schema.ts';
import type { WriteTransaction } from './storage-engine.ts';

/** Carries out plans together, in one transaction. Returns the sums of their counts. */
export async function applyPlans(
  transaction: WriteTransaction,
  plans: readonly Plan[],
): Promise<Partial<ReceiptCounts>> {
  await Promise.all(
    plans.flatMap(({ deletes = [] }) =>
      deletes.map(({ store, key }) => transaction.objectStore<StoreName>(store).delete(key)),
    ),
  );
  await Promise.all(
    plans.flatMap(({ puts = [] }) =>
      puts.map(({ store, row, key }) => transaction.objectStore<StoreName>(store).put(row, key)),
    ),
  );
  for (const { job, source } of plans.flatMap(({ jobs = [] }) => jobs)) {
    await enqueueJobs(transaction, [job], source);
  }
  for (const change of plans.flatMap(({ changes = [] }) => changes)) await recordChange(transaction, change);
  const counts: Partial<ReceiptCounts> = {};
  for (const [name, count] of plans.flatMap((plan) => Object.entries(plan.counts ?? {}))) {
    const key = name as keyof ReceiptCounts;
    if (count > 0) counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}
