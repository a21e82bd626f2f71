import { newId } from '../model/id.ts';
import {
  afterStep,
  chooseDue,
  dueNow,
  failed,
  planJob,
  released,
  requireLease,
  requireTerm,
  withoutTurns,
  type JobSource,
} from './job-plan.ts';
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
import type { JobRecord } from './schema.ts';

/** Jobs that live as long as the page. The stores of results in memory share it, as they would a transaction. */
export class InMemoryJobStore implements JobStore {
  readonly name: string = `memory:${newId()}`;
  readonly #jobs = new Map<number, JobRecord>();
  readonly #terms = new Map<string, number>();
  #lastId = 0;

  /** As `enqueueJobs` of the database. */
  add(jobs: readonly NewJob[], source: JobSource): void {
    for (const job of jobs) {
      const known = [...this.#jobs.values()].filter((row) => row.sessionId === source.sessionId);
      const row = planJob(job, source, known, this.#terms.get(job.queue) ?? 0);
      const id = 'id' in row ? row.id : (this.#lastId += 1);
      this.#jobs.set(id, { ...row, id });
    }
  }

  /** As `requireTicket` of the database. @throws MnemoraError `leadership-lost` */
  requireTicket(ticket: JobTicket): JobRecord | undefined {
    requireTerm(ticket.queue, ticket.term, this.#terms.get(ticket.queue) ?? 0);
    return requireLease(ticket, this.#jobs.get(ticket.jobId));
  }

  /** As `endJob` of the database. @throws MnemoraError `leadership-lost` */
  end(ticket: JobTicket): void {
    const job = this.requireTicket(ticket);
    const left = job && afterStep(job, ticket);
    if (left) this.#jobs.set(left.id, left);
    else this.#jobs.delete(ticket.jobId);
  }

  /** As `dropTurnsFromJobs` of the database. */
  dropTurns(sessionId: string, erasedTurnIds: ReadonlySet<string>): void {
    for (const job of [...this.#jobs.values()]) {
      if (job.sessionId !== sessionId) continue;
      const left = withoutTurns(job, erasedTurnIds);
      if (left) this.#jobs.set(job.id, left);
      else this.#jobs.delete(job.id);
    }
  }

  /** Removes all work of a scope. */
  dropScope(scope: string): void {
    for (const job of [...this.#jobs.values()]) if (job.scope === scope) this.#jobs.delete(job.id);
  }

  async enqueue(jobs: readonly NewJob[], sources: readonly JobOrigin[], ticket?: JobTicket): Promise<void> {
    if (ticket) this.end(ticket);
    for (const source of sources) this.add(jobs, { ...source, now: Date.now() });
  }

  async beginTerm(queue: string): Promise<number> {
    const term = (this.#terms.get(queue) ?? 0) + 1;
    this.#terms.set(queue, term);
    return term;
  }

  async claim(queue: string, term: number, now: number, taker?: JobTaker): Promise<ClaimedJob | undefined> {
    requireTerm(queue, term, this.#terms.get(queue) ?? 0);
    const due = chooseDue(
      [...this.#jobs.values()].filter((job) => job.queue === queue),
      term,
      now,
      taker,
    );
    if (!due) return undefined;
    const job = { ...due, lease: term };
    this.#jobs.set(job.id, job);
    return structuredClone({ job, ticket: { jobId: job.id, queue, term } });
  }

  async finish(ticket: JobTicket): Promise<void> {
    this.end(ticket);
  }

  async fail(ticket: JobTicket, error: JobError, next: AfterFailure): Promise<void> {
    this.#giveBack(ticket, (job) => failed(job, error, next));
  }

  async release(ticket: JobTicket): Promise<void> {
    this.#giveBack(ticket, released);
  }

  async list(queues?: readonly string[]): Promise<JobRecord[]> {
    const jobs = [...this.#jobs.values()].filter((job) => !queues || queues.includes(job.queue));
    return structuredClone(jobs.toSorted((a, b) => a.id - b.id));
  }

  async retry(jobId: number, now: number): Promise<boolean> {
    const job = this.#jobs.get(jobId);
    if (job) this.#jobs.set(jobId, dueNow(job, now));
    return job !== undefined;
  }

  #giveBack(ticket: JobTicket, change: (job: JobRecord) => JobRecord): void {
    const job = this.requireTicket(ticket);
    if (job) this.#jobs.set(job.id, change(job));
  }
}
