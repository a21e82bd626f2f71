import { planForgetting } from '../storage/knowledge-erasure.ts';
import type { Plan } from '../storage/plan.ts';
import type { FactRow, RecordRow } from '../storage/schema.ts';
import type { Transaction } from '../storage/storage-engine.ts';
import { planWithoutRecords } from '../storage/stores/records.ts';
import { readPages } from './read-in-pages.ts';

/** Plans the removal of records and facts that have tombstones of their own. */
export async function planForgottenRows(
  transaction: Transaction,
  tombstones: ReadonlySet<string>,
): Promise<Plan[]> {
  const records: RecordRow[] = [];
  const facts: FactRow[] = [];
  for await (const rows of readPages(transaction, 'records'))
    records.push(...rows.filter((row) => tombstones.has(row.id)));
  for await (const rows of readPages(transaction, 'triples'))
    facts.push(...rows.filter((row) => tombstones.has(row.id)));
  const whole = { fact: () => undefined, entity: <Row>(entity: Row) => entity };
  return [planWithoutRecords(records), ...(await planForgetting(transaction, facts, [], whole))];
}
