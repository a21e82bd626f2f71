import { abortable, backgroundPause } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import {
  dueNow,
  failed,
  isHeldBack,
  isPaused,
  waitsToRetry,
  type AfterFailure,
  type JobTaker,
} from '../storage/jobs/job-plan.ts';
import type { ClaimedJob, JobStore } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import { lead, LEADERSHIP_TIMINGS, type LeadershipTimings } from '../tabs/leadership.ts';
import { holdInUse } from '../tabs/presence.ts';
import {
  describeFailure,
  isOffline,
  LONGEST_DELAY_MS,
  MOST_LASTING_FAILURES,
  retryDelayMs,
} from './failure.ts';
import type { HandleOptions, JobEvent, JobHandler } from './job-handler.ts';

/** Waiting times of background work. Only tests set others than {@link JOB_TIMINGS}. */
export interface JobTimings extends LeadershipTimings {
  /**
   * Milliseconds before the first leadership claim, a write, so that it does not compete with the reads of a page that
   * has just opened.
   */
  beginAfterMs: number;
  /** Milliseconds of the first pause after a failure of the store or of the leadership; doubled each time. */
  pauseMs: number;
  /** Milliseconds before a failed job's second attempt; doubled each time. */
  retryMs: number;
}

export const JOB_TIMINGS: Readonly<JobTimings> = {
  ...LEADERSHIP_TIMINGS,
  beginAfterMs: 200,
  pauseMs: 1_000,
  retryMs: 250,
};

export interface JobQueueOptions {
  readonly store: JobStore;
  readonly queue: string;
  /** Returns a random number from 0 up to 1, for the backoff between attempts. */
  readonly random: () => number;
  readonly timings: Readonly<JobTimings>;
  readonly onEvent: (event: JobEvent) => void;
}

/** A registered handler. The id tells the models of several handlers apart. */
export interface JobWorker extends HandleOptions {
  readonly id: string;
  readonly handler: JobHandler;
}

const REMOVED = new DOMException('The handler of this queue was removed.', 'AbortError');
/** The worker of a queue that is being closed. */
const NO_WORKER: JobWorker = { id: '', handler: () => Promise.reject(REMOVED) };

/** Longest time between two looks at the store. A wake-up message may get lost with the tab that sent it. */
const LONGEST_SLEEP_MS = 30_000;
/** After this many failures of the store in a row, callers no longer wait for the queue. */
const STALLED_AFTER = 4;
/** Callers no longer wait for a job that stores nothing for longer than this: its model may never answer. */
const LONGEST_AWAITED_JOB_MS = 600_000;
/** A job that succeeds makes jobs with passing failures due again, but not more often than this. */
const REVIVE_EVERY_MS = 60_000;

/** Does the jobs of one queue while this tab is its leader. The newest worker does them. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  /** Each aborts when the worker is removed while others stay. */
  readonly #workers = new Map<JobWorker, AbortController>();
  readonly #closing = new AbortController();
  /** Id of the job that this tab is doing. */
  runningId: number | undefined;
  /** Aborts when that job has ended. */
  #jobEnded = new AbortController();
  readonly #running: Promise<void>;
  /** Aborts when the queue is to look for due jobs. */
  #woken = new AbortController();
  /** Number of failures of the store in a row. */
  #storeFailures = 0;
  /** When the current job stored its last step, on the page's own clock; later than any time without a job. */
  #progressedAt = Infinity;
  #revivedAt = -Infinity;
  #revived: Promise<void>;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#revived = this.#open();
    this.#running = this.#revived.then(() => this.#run());
  }

  /**
   * True if the store has failed so often, or a job has made no progress for so long, that callers should not wait for
   * the queue.
   */
  get isStalled(): boolean {
    const idleMs = performance.now() - this.#progressedAt;
    return this.#storeFailures >= STALLED_AFTER || idleMs > LONGEST_AWAITED_JOB_MS;
  }

  /** Resolves when the jobs that waited for this tab to open, or for another worker, have been made due. */
  get revived(): Promise<void> {
    return this.#revived;
  }

  add(worker: JobWorker): void {
    this.#workers.set(worker, new AbortController());
  }

  /**
   * Removes a worker. Returns whether it was the last one, so that the queue is to be closed; otherwise, another one does
   * the job that it was doing.
   */
  remove(worker: JobWorker): boolean {
    const removal = this.#workers.get(worker);
    if (!this.#workers.delete(worker)) return false;
    if (this.#workers.size > 0) removal?.abort(REMOVED);
    return this.#workers.size === 0;
  }

  /** Makes jobs due that match: by default those that wait for another worker, or for a failure to pass. */
  revive(isMeant: (job: JobRecord) => boolean = isRevivedByOpening): void {
    this.#revived = this.#revived.then(() => this.#retryEach(isMeant));
  }

  /** Looks for due jobs now. */
  wake(): void {
    this.#woken.abort();
  }

  /** Returns the current job to the queue and gives up the leadership. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException('The background work was closed.', 'AbortError'));
    await this.#running;
  }

  get #worker(): JobWorker {
    return [...this.#workers.keys()].at(-1) ?? NO_WORKER;
  }

  async #open(): Promise<void> {
    const { signal } = this.#closing;
    await this.#sleep(this.#options.timings.beginAfterMs, signal);
    if (!signal.aborted) await this.#retryEach(isRevivedByOpening);
  }

  async #run(): Promise<void> {
    const { store, queue, timings, random } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await lead(`mnemora:jobs:${store.name}:${queue}`, signal, (term) => this.#serve(term), timings);
      } catch (error) {
        // The store failed, or another tab has begun a later term. Leading again begins a new term, in which
        // unfinished jobs are due again.
        this.#woken = new AbortController();
        if (!isLeadershipLost(error)) this.#storeFailures += 1;
        const pause = Math.min(LONGEST_DELAY_MS, timings.pauseMs * 2 ** Math.max(0, this.#storeFailures - 1));
        await this.#sleep(pause * (1 + random()), signal);
      }
    }
  }

  /** Resolves when the term ends, or when this tab gives up the leadership because its model has refused a job. */
  async #serve(term: AbortSignal): Promise<void> {
    const { store, queue } = this.#options;
    const number = await store.beginTerm(queue);
    this.#worker.onLead?.();
    while (!term.aborted) {
      this.#woken = new AbortController();
      const claimed = this.#isPaused()
        ? undefined
        : await store.claim(queue, number, Date.now(), this.#taker());
      if (!claimed) {
        this.#storeFailures = 0;
        await this.#sleep(await this.#idleMs(), term);
      } else if (await this.#work(claimed, term).finally(() => this.#ended())) return;
    }
  }

  #taker(): JobTaker {
    return { handler: this.#worker.id, isOffline: isOffline() };
  }

  /** Does a job. Returns whether the model has refused it. */
  async #work({ job, ticket }: ClaimedJob, term: AbortSignal): Promise<boolean> {
    const { store, onEvent } = this.#options;
    const worker = this.#worker;
    const removal = this.#workers.get(worker);
    const signal = removal ? AbortSignal.any([term, removal.signal]) : term;
    this.runningId = job.id;
    this.#jobEnded = new AbortController();
    // By a lock, which the browser releases if this tab dies: nothing is written to begin a job.
    void holdInUse(runningName(store.name, job.id), this.#jobEnded.signal);
    try {
      signal.throwIfAborted();
      onEvent({ type: 'started', job });
      const progressed = (): void => {
        if (!signal.aborted) this.#progressedAt = performance.now();
      };
      progressed();
      await abortable(worker.handler(job, ticket, signal, progressed), signal);
    } catch (cause) {
      if (signal.aborted) store.release(ticket);
      else if (isLeadershipLost(cause)) throw cause;
      else return this.#fail({ job, ticket }, cause, worker.id);
      return false;
    } finally {
      this.#progressedAt = Infinity;
    }
    await store.finish(ticket);
    this.#ended();
    this.#storeFailures = 0;
    onEvent({ type: 'done', job });
    const now = Date.now();
    if (Math.abs(now - this.#revivedAt) >= REVIVE_EVERY_MS) {
      this.#revivedAt = now;
      await this.#retryEach(waitsToRetry);
    }
    return false;
  }

  #ended(): void {
    this.#jobEnded.abort();
    this.runningId = undefined;
  }

  /** Stores a failure. Returns whether the model has refused the job. */
  async #fail({ job, ticket }: ClaimedJob, cause: unknown, refusedBy: string): Promise<boolean> {
    const { store, random, timings, onEvent } = this.#options;
    const error = describeFailure(cause);
    const next = afterFailure();
    await store.fail(ticket, error, next);
    this.#ended();
    this.#storeFailures = 0;
    const type = next === 'never' ? 'dead' : typeof next === 'number' ? 'failed' : 'paused';
    onEvent({ type, job: failed(job, error, next), cause });
    return type === 'paused';

    function afterFailure(): AfterFailure {
      if (error.kind === 'refused') return { refusedBy };
      const isLast = (job.lastingFailures ?? 0) + 1 >= MOST_LASTING_FAILURES;
      if (error.kind === 'lasting' && isLast) return 'never';
      return Date.now() + retryDelayMs(job.attempts + 1, random(), { cause, firstMs: timings.retryMs });
    }
  }

  /** Makes waiting jobs due that match. If the store fails, they keep waiting. */
  async #retryEach(isMeant: (job: JobRecord) => boolean): Promise<void> {
    const { store, queue, onEvent } = this.#options;
    try {
      for (const job of (await store.list([queue])).filter(isMeant)) {
        const now = Date.now();
        const isWaiting = job.isDead || isPaused(job) || job.notBefore > now;
        if (!isWaiting || !(await store.retry(job.id, now))) continue;
        onEvent({ type: 'retried', job: dueNow(job, now) });
        this.wake();
      }
    } catch {
      // the leader will ask the store again, and report the failure
    }
  }

  #isPaused(): boolean {
    const { pauseWhenHidden = false, pauseWhenOffline = false } = this.#worker;
    return (
      (pauseWhenHidden && globalThis.document?.visibilityState === 'hidden') ||
      (pauseWhenOffline && isOffline())
    );
  }

  /** Returns the milliseconds until the next job is due. */
  async #idleMs(): Promise<number> {
    const { store, queue } = this.#options;
    if (this.#isPaused()) return LONGEST_SLEEP_MS;
    const taker = this.#taker();
    const jobs = (await store.list([queue])).filter((job) => !isHeldBack(job, taker));
    const due = jobs.map((job) => job.notBefore);
    return Math.min(LONGEST_SLEEP_MS, Math.max(1, Math.min(...due) - Date.now()));
  }

  /** Resolves when woken, when the time has passed, or when the signal aborts. */
  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return backgroundPause(ms, signal, this.#woken.signal);
  }
}

/** Returns the name by which a tab shows all tabs that it is doing a job, or the beginning of all such names. */
export function runningName(database: string, jobId: number | '' = ''): string {
  return `mnemora:job:${database}:${jobId}`;
}

function isLeadershipLost(error: unknown): boolean {
  return error instanceof MnemoraError && error.code === 'leadership-lost';
}

/** Selects the jobs that a newly opened page, or a new worker, tries once more. */
function isRevivedByOpening(job: JobRecord): boolean {
  return isPaused(job) || waitsToRetry(job);
}
