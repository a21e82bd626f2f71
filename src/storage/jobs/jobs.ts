import type { StorageEngine, WriteTransaction } from '../storage-engine.ts';
import { chooseDue, dueNow, failed, released, requireTerm } from './job-plan.ts';
import { endJob, enqueueJobs, presentTerm, requireTicket } from './job-rows.ts';
import type {
  AfterFailure,
  ClaimedJob,
  JobError,
  JobOrigin,
  JobStore,
  JobTaker,
  JobTicket,
  NewJob,
} from './job-store.ts';
import type { JobRecord, StoreName } from '../schema.ts';

const STORES: StoreName[] = ['jobs', 'meta'];

const stores = new WeakMap<StorageEngine, Jobs>();

/** Returns the job store of a database: always the same object, so that there is one runner. */
export function jobsOf(engine: StorageEngine): Jobs {
  const known = stores.get(engine) ?? new Jobs(engine);
  stores.set(engine, known);
  return known;
}

/**
 * Stores jobs. The strict transaction that stores a turn also queues its jobs. Everything written here commits
 * `relaxed`: if a power cut undoes it, a job is done again, and each effect checks that it is still wanted.
 */
export class Jobs implements JobStore {
  readonly name: string;
  readonly closed: AbortSignal;
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.name = engine.name;
    this.closed = engine.closed;
    this.#engine = engine;
  }

  enqueue(jobs: readonly NewJob[], sources: readonly JobOrigin[], ticket?: JobTicket): Promise<void> {
    return this.#engine.write(STORES, 'relaxed', async (transaction) => {
      if (ticket) await endJob(transaction, ticket);
      const now = Date.now();
      for (const source of sources) await enqueueJobs(transaction, jobs, { ...source, now });
    });
  }

  beginTerm(queue: string): Promise<number> {
    return this.#engine.write(['meta'], 'relaxed', async (transaction) => {
      const term = (await presentTerm(transaction, queue)) + 1;
      await transaction.objectStore('meta').put({ key: `term:${queue}`, value: term });
      return term;
    });
  }

  claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined> {
    return this.#engine.write(STORES, 'relaxed', async (transaction) => {
      const store = transaction.objectStore('jobs');
      const [present, jobs] = await Promise.all([
        presentTerm(transaction, queue),
        store.index('queue').getAll(queue),
      ]);
      requireTerm(queue, term, present);
      const due = chooseDue(jobs, term, now, taker);
      if (!due) return undefined;
      const job = { ...due, lease: term };
      await store.put(job);
      return { job, ticket: { jobId: job.id, queue, term } };
    });
  }

  finish(ticket: JobTicket): Promise<void> {
    return this.#engine.write(STORES, 'relaxed', (transaction) => endJob(transaction, ticket));
  }

  fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void> {
    return this.#giveBack(ticket, (job) => failed(job, error, next));
  }

  release(ticket: JobTicket): Promise<void> {
    return this.#giveBack(ticket, released);
  }

  list(queues?: readonly string[]): Promise<JobRecord[]> {
    return this.#engine.read(['jobs'], async (transaction) => {
      const store = transaction.objectStore('jobs');
      if (!queues) return store.getAll();
      const lists = await Promise.all(
        [...new Set(queues)].map((queue) => store.index('queue').getAll(queue)),
      );
      return lists.flat().toSorted((a, b) => a.id - b.id);
    });
  }

  retry(jobId: number, now: number): Promise<boolean> {
    return this.#engine.write(['jobs'], 'relaxed', async (transaction) => {
      const job = await transaction.objectStore('jobs').get(jobId);
      if (job) await transaction.objectStore('jobs').put(dueNow(job, now));
      return job !== undefined;
    });
  }

  #giveBack(ticket: JobTicket, change: (job: JobRecord) => JobRecord): Promise<void> {
    return this.#engine.write(STORES, 'relaxed', async (transaction: WriteTransaction) => {
      const job = await requireTicket(transaction, ticket);
      if (job) await transaction.objectStore('jobs').put(change(job));
    });
  }
}
