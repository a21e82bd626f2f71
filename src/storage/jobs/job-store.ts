import { MnemoraError } from '../../model/error.ts';
import { getAllOf } from '../rows.ts';
import type { JobRecord, StoreName } from '../schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from '../storage-engine.ts';
import {
  chooseDue,
  dueNow,
  planJob,
  withFailure,
  withoutDone,
  type AfterFailure,
  type JobError,
  type JobOrigin,
  type JobRequest,
  type JobRows,
  type JobTaker,
  type NewJob,
} from './job-plan.ts';

/**
 * Permission of one term's leader to end a job. Void as soon as a later term has begun, or when the leader has given the
 * job back. The term is the fencing token, so that nothing has to be stored to claim a job.
 */
export interface JobTicket {
  /** The job as it was when it was claimed. */
  readonly job: JobRecord;
  readonly term: number;
  /** Set when this step does not finish the job: the job stays queued without the completed turns. */
  readonly partial?: { readonly doneTurnIds: readonly string[] };
  /** Jobs to queue for the whole session in the same transaction. */
  readonly followUps?: readonly NewJob[];
}

/** A job that a leader has claimed. */
export interface ClaimedJob {
  job: JobRecord;
  ticket: JobTicket;
}

const STORES: readonly StoreName[] = ['jobs', 'meta'];

/** Claims of jobs that this tab has given back. What was begun with them may still be running. */
const givenBack = new WeakSet<JobRecord>();

const stores = new WeakMap<StorageEngine, Jobs>();

/** Returns the job store of a database: always the same object, so that there is one runner. */
export function jobsOf(engine: StorageEngine): Jobs {
  const known = stores.get(engine) ?? new Jobs(engine);
  stores.set(engine, known);
  return known;
}

/**
 * Stores the jobs of one database. Each method is one transaction. Methods with a term or ticket throw
 * `leadership-lost`, and change nothing, once another tab has begun a later term of the queue, because a tab that was
 * frozen in the middle of its work may be resumed long after.
 *
 * The transaction that stores a turn also queues its jobs. A job is done again if a tab ends in the middle of it, and each
 * effect checks that it is still wanted.
 */
export class Jobs {
  /** Name of the database, used in the names of locks and channels. */
  readonly name: string;
  /** Aborts when the database is closed in this tab, which then leads none of its queues. */
  readonly closed: AbortSignal;
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.name = engine.name;
    this.closed = engine.closed;
    this.#engine = engine;
  }

  /** Queues jobs outside of an append, and ends the job, if any, that queues them. */
  enqueue(jobs: readonly NewJob[], sources: readonly JobOrigin[], ticket?: JobTicket): Promise<void> {
    return this.#engine.write(STORES, async (transaction) => {
      if (ticket) await endJob(transaction, ticket);
      const now = Date.now();
      const requests = sources.flatMap((source) => jobs.map((job) => ({ ...job, ...source, now })));
      await enqueueJobs(transaction, requests);
    });
  }

  /** Begins a new term of a queue and returns its number, the fencing token. */
  beginTerm(queue: string): Promise<number> {
    return this.#engine.write(['meta'], async (transaction) => {
      const term = (await presentTerm(transaction, queue)) + 1;
      await transaction.objectStore('meta').put({ key: `term:${queue}`, value: term });
      return term;
    });
  }

  /**
   * Claims the job of the queue that has been due for longest; undefined if none is due. It stays due until it ends, so
   * that the next leader begins it at once if this one dies. A leader claims one job at a time.
   */
  claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined> {
    return this.#engine.read(STORES, async (transaction) => {
      const [present, jobs] = await Promise.all([
        presentTerm(transaction, queue),
        transaction.objectStore('jobs').index('queue').getAll(queue),
      ]);
      if (term !== present) throw lost(queue);
      const job = chooseDue(jobs, now, taker);
      return job && { job, ticket: { job, term } };
    });
  }

  /**
   * Whether a job still exists. It is removed with everything that it was about, and its work then ends silently.
   *
   * @throws MnemoraError `leadership-lost`
   */
  async isQueued(ticket: JobTicket): Promise<boolean> {
    const job = await this.#engine.read(STORES, (transaction) => requireTicket(transaction, ticket));
    return job !== undefined;
  }

  /** Removes a job without a result. A job with a result was removed by the store of the result. */
  async finish(ticket: JobTicket): Promise<void> {
    if (await this.isQueued(ticket))
      await this.#engine.write(STORES, (transaction) => endJob(transaction, ticket));
  }

  /** Returns a job to the queue after a failure. */
  async fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void> {
    await this.#engine.write(STORES, async (transaction) => {
      const job = await requireTicket(transaction, ticket);
      if (job) await replaceJob(transaction, job, withFailure(job, ticket.job, error, next));
    });
    givenBack.add(ticket.job);
  }

  /** Returns a job to the queue untried, because this leader yields. */
  release({ job }: JobTicket): void {
    givenBack.add(job);
  }

  /** Lists jobs, oldest first, including dead ones. */
  list(queues?: readonly string[]): Promise<JobRecord[]> {
    return this.#engine.read(['jobs'], async (transaction) => {
      const store = transaction.objectStore('jobs');
      if (!queues) return store.getAll();
      const jobs = await getAllOf(store.index('queue'), new Set(queues));
      return jobs.toSorted((a, b) => a.id - b.id);
    });
  }

  /** Queues a dead or paused job again, and makes a waiting one due at once. Returns whether the job exists. */
  retry(jobId: number, now: number): Promise<boolean> {
    return this.#engine.write(['jobs'], async (transaction) => {
      const job = await transaction.objectStore('jobs').get(jobId);
      if (job) await transaction.objectStore('jobs').put(dueNow(job, now));
      return job !== undefined;
    });
  }
}

export type JobStore = Pick<Jobs, keyof Jobs>;

/** Queues jobs. Needs a transaction over `jobs`, `meta` and the stores of what the jobs are for. */
export async function enqueueJobs(
  transaction: WriteTransaction,
  requests: readonly JobRequest[],
): Promise<void> {
  for (const request of requests) {
    const store = transaction.objectStore('jobs');
    const [known, term] = await Promise.all([
      store.index('sessionId').getAll([request.scope, request.sessionId]),
      presentTerm(transaction, request.queue),
    ]);
    await store.put(planJob(request, known, term) as JobRecord); // the store assigns the id of a new job
  }
}

/** Returns the current term of a queue; 0 if no tab has ever led it. */
async function presentTerm(transaction: Transaction, queue: string): Promise<number> {
  const row = await transaction.objectStore('meta').get(`term:${queue}`);
  return Number(row?.value ?? 0);
}

/**
 * Checks the fencing token: the leader that made a result must still lead when it is stored. Call it in the
 * transaction that stores the result, over `jobs` and `meta`. Returns the job, or undefined if its turns were
 * forgotten in the meantime.
 *
 * @throws MnemoraError `leadership-lost` if another leader has begun a term, or the job was given back; let it pass, so that the transaction changes nothing
 */
export async function requireTicket(
  transaction: Transaction,
  ticket: JobTicket,
): Promise<JobRecord | undefined> {
  const { job: claimed, term } = ticket;
  const [job, present] = await Promise.all([
    transaction.objectStore('jobs').get(claimed.id),
    presentTerm(transaction, claimed.queue),
  ]);
  if (term !== present || givenBack.has(claimed)) throw lost(claimed.queue);
  // Of an emptied job, all turns are done, and a last step follows.
  const isLeft = job?.turnIds.length === 0 || job?.turnIds.some((id) => claimed.turnIds.includes(id));
  return isLeft ? job : undefined;
}

/**
 * Removes the job of a ticket, or the completed part of it, in the transaction that stores the result, and queues what
 * follows. Turns that were added in the meantime wait in a job of their own.
 *
 * @throws MnemoraError `leadership-lost`
 */
export async function endJob(transaction: WriteTransaction, ticket: JobTicket): Promise<void> {
  const job = await requireTicket(transaction, ticket);
  if (!job) return;
  const { job: claimed, partial, followUps = [] } = ticket;
  await replaceJob(transaction, job, withoutDone(job, claimed, partial));
  const now = Date.now();
  await enqueueJobs(
    transaction,
    followUps.map((each) => ({ ...claimed, ...each, turnIds: [], now })),
  );
}

async function replaceJob(transaction: WriteTransaction, { id }: JobRecord, rows: JobRows): Promise<void> {
  const store = transaction.objectStore('jobs');
  await store.delete(id);
  for (const row of rows) await store.put(row as JobRecord); // the store assigns the id of a new job
}

function lost(queue: string): MnemoraError {
  return new MnemoraError(
    'leadership-lost',
    `Another tab has taken over the background work "${queue}". Leave it to that tab; nothing was changed.`,
  );
}
