import type { Transaction, WriteTransaction } from '../storage-engine.ts';
import { afterStep, planJob, requireLease, requireTerm, type JobSource } from './job-plan.ts';
import type { JobTicket, NewJob } from './job-store.ts';
import type { JobRecord } from '../schema.ts';

/** Queues work, in a transaction over `jobs` and `meta` and whatever the work is about. */
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
    await store.put(planJob(job, source, known, term) as JobRecord); // the store numbers a new one
  }
}

/** The latest term of a queue; 0 where no tab has ever led it. */
export async function presentTerm(transaction: Transaction, queue: string): Promise<number> {
  const row = await transaction.objectStore('meta').get(`term:${queue}`);
  return Number(row?.value ?? 0);
}

/**
 * Checks, in the transaction that stores a result, that the leader who made it still leads. Returns the job; undefined
 * where what it was about was forgotten meanwhile. Over `jobs` and `meta`.
 *
 * @throws MnemoraError `leadership-lost`; to be let through, so that the transaction changes nothing
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
 * Removes the job of a ticket, or what is done of it, in the transaction that stores the result. What came for its
 * session meanwhile waits in a job of its own.
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
