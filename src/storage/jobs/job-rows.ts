import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { afterStep, planJob, requireLease, requireTerm, type JobSource } from './job-plan.ts';
import type { JobTicket, NewJob } from './job-store.ts';
import type { JobRecord } from '../schema.ts';

/** Queues jobs. Needs a transaction over `jobs`, `meta` and the stores of what the jobs are for. */
export async function enqueueJobs(
  transaction: WriteTransaction,
  jobs: readonly NewJob[],
  source: JobSource,
): Promise<void> {
  const store = transaction.objectStore('jobs');
  for (const job of jobs) {
    const [known, term] = await Promise.all([
      store.index('sessionId').getAll(source.sessionId),
      presentTerm(transaction, job.queue),
    ]);
    await store.put(planJob(job, source, known, term) as JobRecord); // the store assigns the id of a new job
  }
}

/** Returns the current term of a queue; 0 if no tab has ever led it. */
export async function presentTerm(transaction: Transaction, queue: string): Promise<number> {
  const row = await transaction.objectStore('meta').get(`term:${queue}`);
  return Number(row?.value ?? 0);
}

/**
 * Checks the fencing token: the leader that made a result must still lead when it is stored. Call it in the
 * transaction that stores the result, over `jobs` and `meta`. Returns the job, or undefined if its turns were
 * forgotten in the meantime.
 *
 * @throws MnemoraError `leadership-lost`; let it pass, so that the transaction changes nothing
 */
export async function requireTicket(
  transaction: Transaction,
  ticket: JobTicket,
): Promise<JobRecord | undefined> {
  const [job, term] = await Promise.all([
    transaction.objectStore('jobs').get(ticket.jobId),
    presentTerm(transaction, ticket.queue),
  ]);
  requireTerm(ticket.queue, ticket.term, term);
  return requireLease(ticket, job);
}

/**
 * Removes the job of a ticket, or the completed part of it, in the transaction that stores the result. Later turns of
 * the session wait in a job of their own.
 *
 * @throws MnemoraError `leadership-lost`
 */
export async function endJob(transaction: WriteTransaction, ticket: JobTicket): Promise<void> {
  const job = await requireTicket(transaction, ticket);
  if (!job) return;
  const left = afterStep(job, ticket);
  if (left) await transaction.objectStore('jobs').put(left);
  else await transaction.objectStore('jobs').delete(job.id);
}
