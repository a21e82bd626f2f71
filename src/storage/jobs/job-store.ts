import { MnemoraError } from '../../model/error.ts';
import { getAllOf } from '../rows.ts';
import type { JobRecord, StoreName } from '../schema.ts';
import type { StorageEngine, Transaction, WriteTransaction } from '../storage-engine.ts';
import {
  chooseDue,
  dueNow,
  failed,
  planJob,
  released,
  type AfterFailure,
  type JobError,
  type JobOrigin,
  type JobRequest,
  type JobTaker,
  type NewJob,
} from './job-plan.ts';

/** Permission of one term's leader to end a job. Void as soon as a later term has begun. */
export interface JobTicket {
  readonly jobId: number;
  readonly queue: string;
  readonly term: number;
  /** Set when this step does not finish the job: the job stays queued without the completed turns. */
  readonly partial?: { readonly doneTurnIds: readonly string[] };
}

/** A job that a leader has claimed. */
export interface ClaimedJob {
  job: JobRecord;
  ticket: JobTicket;
}

const STORES: readonly StoreName[] = ['jobs', 'meta'];

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
   * Claims the job of the queue that has been due for longest; undefined if none is due. A job that the leader of an
   * earlier term claimed and did not end is due at once.
   */
  async claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined> {
    const find = async (transaction: Transaction): Promise<JobRecord | undefined> => {
      const [present, jobs] = await Promise.all([
        presentTerm(transaction, queue),
        transaction.objectStore('jobs').index('queue').getAll(queue),
      ]);
      if (term !== present) throw lost(queue);
      return chooseDue(jobs, term, now, taker);
    };
    // Most looks find nothing, and a transaction that writes is flushed to the disk even if it has written nothing.
    if (!(await this.#engine.read(STORES, find))) return undefined;
    return this.#engine.write(STORES, async (transaction) => {
      const due = await find(transaction);
      if (!due) return undefined;
      const job = { ...due, lease: term };
      await transaction.objectStore('jobs').put(job);
      return { job, ticket: { jobId: job.id, queue, term } };
    });
  }

  /** Removes a job without a result. A job with a result was removed by the store of the result. */
  async finish(ticket: JobTicket): Promise<void> {
    const job = await this.#engine.read(STORES, (transaction) => requireTicket(transaction, ticket));
    if (job) await this.#engine.write(STORES, (transaction) => endJob(transaction, ticket));
  }

  /** Returns a job to the queue after a failure. */
  fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void> {
    return this.#giveBack(ticket, (job) => failed(job, error, next));
  }

  /** Returns a job to the queue untried, because this leader yields. */
  release(ticket: JobTicket): Promise<void> {
    return this.#giveBack(ticket, released);
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

  #giveBack(ticket: JobTicket, change: (job: JobRecord) => JobRecord): Promise<void> {
    return this.#engine.write(STORES, async (transaction) => {
      const job = await requireTicket(transaction, ticket);
      if (job) await transaction.objectStore('jobs').put(change(job));
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
 * @throws MnemoraError `leadership-lost` if another leader has begun a term or claimed the job; let it pass, so that the transaction changes nothing
 */
export async function requireTicket(
  transaction: Transaction,
  ticket: JobTicket,
): Promise<JobRecord | undefined> {
  const [job, term] = await Promise.all([
    transaction.objectStore('jobs').get(ticket.jobId),
    presentTerm(transaction, ticket.queue),
  ]);
  if (ticket.term !== term || (job && job.lease !== term)) throw lost(ticket.queue);
  return job;
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
  const store = transaction.objectStore('jobs');
  const { doneTurnIds } = ticket.partial ?? {};
  if (doneTurnIds)
    await store.put({ ...job, turnIds: job.turnIds.filter((id) => !doneTurnIds.includes(id)) });
  else await store.delete(job.id);
}

function lost(queue: string): MnemoraError {
  return new MnemoraError(
    'leadership-lost',
    `Another tab has taken over the background work "${queue}". Leave it to that tab; nothing was changed.`,
  );
}
