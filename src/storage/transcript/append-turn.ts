import { jobSource, planAppend, type AppendInput } from './append-plan.ts';
import { applyPlans } from '../apply-plans.ts';
import { recordChange } from '../change-log.ts';
import type { planReplacement } from './replace-turn.ts';
import { enqueueJobs } from '../jobs/job-rows.ts';
import { bySeq, sessionRange } from './message-rows.ts';
import type { StoreName } from '../schema.ts';
import type { WriteTransaction } from '../storage-engine.ts';
import type { AppendReceipt } from './transcript-store.ts';

/** Returns the stores that {@link appendTurn} needs when it replaces no turn. */
export function appendStores({ jobs = [] }: AppendInput): StoreName[] {
  const stores: StoreName[] = ['sessions', 'messages', 'changes'];
  return jobs.length > 0 ? [...stores, 'jobs', 'meta'] : stores;
}

/**
 * Appends messages to a session within a transaction.
 *
 * @param now time from which jobs are due, by this machine's clock
 * @param replace plans the changes to the turn that `input.replaces` names; loaded before the transaction begins
 */
export async function appendTurn(
  transaction: WriteTransaction,
  input: AppendInput,
  now: number,
  replace?: typeof planReplacement,
): Promise<AppendReceipt> {
  const messages = transaction.objectStore('messages');
  const [session, newest, sameTurn] = await Promise.all([
    transaction.objectStore('sessions').get(input.sessionId),
    messages.openCursor(sessionRange(input.sessionId), 'prev'),
    input.turnId === undefined ? [] : messages.index('turnId').getAll(input.turnId),
  ]);
  const plan = planAppend(input, { session, last: newest?.value, sameTurn: sameTurn.toSorted(bySeq) });
  const replaced =
    input.replaces === undefined || plan.duplicate || !replace
      ? []
      : await replace(transaction, input.replaces, plan);
  if (!plan.duplicate) {
    const seqs = plan.messages.map((row) => row.seq);
    await Promise.all([
      transaction.objectStore('sessions').put(plan.session),
      ...plan.messages.map(async (row) => messages.put(row)), // async, so that an error of structured cloning rejects
      recordChange(transaction, {
        kind: 'turn',
        scope: plan.session.scope,
        sessionId: plan.session.id,
        fromSeq: Math.min(...seqs),
        toSeq: Math.max(...seqs),
      }),
    ]);
    await applyPlans(transaction, replaced);
    const queued = jobSource(input, plan, now);
    if (queued) await enqueueJobs(transaction, input.jobs ?? [], queued);
  }
  return {
    turnId: plan.turn[0]?.turnId ?? '',
    messageIds: plan.turn.map((row) => row.id),
    sessionId: input.sessionId,
    duplicate: plan.duplicate,
  };
}
