import { abortable, pause } from '../model/abortable.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { memoizeAsync } from '../model/loading.ts';
import { throwUncaught } from '../model/event-loop.ts';
import { isPaused, waitsToRetry } from '../storage/jobs/job-plan.ts';
import type { JobStore } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import { namesInUse } from '../tabs/presence.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import { isOffline } from './failure.ts';
import type { HandleOptions, JobEvent, JobEventListener, JobHandler } from './job-handler.ts';
import { JOB_TIMINGS, JobQueue, runningName, type JobQueueOptions, type JobTimings } from './job-queue.ts';

/** Defaults: the randomness of the browser, and the timings of all tabs. */
export interface JobRunnerOptions {
  random?: () => number;
  timings?: Partial<JobTimings>;
}

/** Polling interval while waiting: the message of another tab that its work has ended may get lost. */
const POLL_MS = 1_000;
/** Longest wait for a failed job's next attempt, and most failures of such a job, for which `settled` still waits. */
const LONGEST_AWAITED_MS = 5_000;
const MOST_AWAITED_FAILURES = 5;

const runners = new WeakMap<JobStore, JobRunner>();

/**
 * Returns the one runner of a store, created on first use or after it was closed. Options are used at creation only.
 */
export function runnerFor(store: JobStore, options: JobRunnerOptions = {}): JobRunner {
  const known = runners.get(store);
  if (known && !known.isClosed) return known;
  const runner = new JobRunner(store, options);
  runners.set(store, runner);
  return runner;
}

/** Does the jobs of one store, for each queue with a handler, in the tab that leads the queue. */
export class JobRunner {
  readonly #store: JobStore;
  readonly #shared: Omit<JobQueueOptions, 'queue'>;
  readonly #queues = new Map<string, JobQueue>();
  readonly #listeners = new Set<JobEventListener>();
  /** Aborts at the next event of any job. */
  #happening = new AbortController();
  readonly #channel: TabChannel;
  /** Aborts when the runner is closed. */
  readonly #closed = new AbortController();

  constructor(store: JobStore, { random = Math.random, timings: shortened }: JobRunnerOptions) {
    this.#store = store;
    const timings = { ...JOB_TIMINGS, ...shortened };
    this.#shared = { store, random, timings, onEvent: (event) => this.#emit(event) };
    this.#channel = openTabChannel(`jobs:${store.name}`, () => this.#wakeHere());
    const whileOpen = { signal: this.#closed.signal };
    globalThis.document?.addEventListener('visibilitychange', () => this.#wakeHere(), whileOpen);
    const onOnline = (): void => {
      for (const queue of this.#queues.values()) queue.revive(waitsToRetry);
      this.#wakeHere();
    };
    globalThis.addEventListener?.('online', onOnline, whileOpen);
    if (store.closed?.aborted) void this.close();
    else store.closed?.addEventListener('abort', () => void this.close(), whileOpen);
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /**
   * Registers a handler for a queue until the returned function is called; a later handler replaces it until then.
   * That function returns the current job to the queue and resolves when this is done. Jobs that wait for a failure
   * to pass, or because another handler's model refused them, are tried at once.
   *
   * @throws MnemoraError `storage-closed` after the runner was closed
   */
  handle(name: string, handler: JobHandler, pauses: HandleOptions = {}): () => Promise<void> {
    if (this.isClosed) {
      throw new MnemoraError('storage-closed', 'The background work was closed. Open the database again.');
    }
    const worker = { ...pauses, id: newId(), handler };
    const known = this.#queues.get(name);
    const queue = known ?? new JobQueue({ ...this.#shared, queue: name });
    queue.add(worker);
    this.#queues.set(name, queue);
    known?.revive();
    return async () => {
      if (this.isClosed || !queue.remove(worker)) return;
      this.#queues.delete(name);
      await queue.close();
    };
  }

  /** Looks for due jobs, here and in other tabs. Call it after queuing a job. */
  wake(): void {
    this.#wakeHere();
    this.#channel.announce();
  }

  /**
   * Resolves when no queue with a handler in this tab holds a job that could be done now, or when the runner is
   * closed. Jobs that are only being debounced are started at once, here or in the tab that leads. Does not wait for
   * jobs that are dead or paused, that wait for a network, or for long, after failures, or that are stalled. Does wait
   * for a queue that is paused. Returns the jobs that are left.
   */
  async settled({ signal }: { signal?: AbortSignal } = {}): Promise<JobRecord[]> {
    signal?.throwIfAborted();
    try {
      await abortable(this.#revived(), signal);
      while (!this.isClosed) {
        // In this or another tab.
        const happened = pause(POLL_MS, [this.#happening.signal]);
        if (!(await abortable(this.#startDebounced(), signal)))
          return await this.#store.list([...this.#queues.keys()]);
        await abortable(happened, signal);
      }
    } catch (error) {
      if (!this.isClosed) throw error;
    }
    return [];
  }

  /** Returns all jobs of the store, oldest first, including dead ones. */
  jobs(): Promise<JobRecord[]> {
    return this.#store.list();
  }

  /** Returns the ids of the jobs that are being done in this tab or, where there are Web Locks, in any. */
  async running(): Promise<ReadonlySet<number>> {
    const names = await namesInUse(runningName(this.#store.name));
    return new Set([...this.#runningHere, ...Array.from(names ?? [], Number)]);
  }

  /** Returns those jobs that {@link settled} left although nothing was reported: they, or their storage, hang. */
  stalled(left: readonly JobRecord[]): JobRecord[] {
    const running = this.#runningHere;
    return left.filter((job) => !job.isDead && !isPaused(job) && (running.has(job.id) || job.attempts === 0));
  }

  /** Queues a dead or paused job again, and starts a waiting one at once. Returns whether there is such a job. */
  async retry(jobId: number): Promise<boolean> {
    const isThere = await this.#store.retry(jobId, Date.now());
    const job = (await this.#store.list()).find((each) => each.id === jobId);
    if (job) this.#emit({ type: 'retried', job });
    this.wake();
    return isThere;
  }

  /** Calls the listener for every event of a job in this tab, until the returned function is called. */
  onEvent(listener: JobEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the current jobs to their queues and gives up the leadership of all queues. */
  readonly close: () => Promise<void> = memoizeAsync(async () => {
    this.#closed.abort();
    const queues = [...this.#queues.values()];
    this.#queues.clear();
    this.#notify();
    await Promise.all(queues.map((queue) => queue.close()));
    this.#channel.close();
  });

  get #runningHere(): ReadonlySet<number> {
    return new Set([...this.#queues.values()].flatMap(({ runningId }) => runningId ?? []));
  }

  #wakeHere(): void {
    for (const queue of this.#queues.values()) queue.wake();
    this.#notify();
  }

  #notify(): void {
    this.#happening.abort();
    this.#happening = new AbortController();
  }

  #emit(event: JobEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        throwUncaught(error);
      }
    }
    // A step that failed may have been stored all the same, with jobs of other queues.
    if ('cause' in event) this.#wakeHere();
    else this.#notify();
    if (event.type !== 'started') this.#channel.announce();
  }

  /** Resolves when failed jobs that opening the page makes due are due again. */
  async #revived(): Promise<void> {
    const jobs = await this.#store.list([...this.#queues.keys()]);
    if (!jobs.some((job) => job.attempts > 0)) return;
    await Promise.all([...this.#queues.values()].map((queue) => queue.revived));
  }

  /** Starts the jobs that are only being debounced. Returns whether there is anything left to wait for. */
  async #startDebounced(): Promise<boolean> {
    const names = [...this.#queues].flatMap(([name, queue]) => (queue.isStalled ? [] : [name]));
    const now = Date.now();
    const running = this.#runningHere;
    const left = (await this.#store.list(names)).filter((job) => running.has(job.id) || isAwaited(job, now));
    const early = left.filter((job) => job.attempts === 0 && job.notBefore > now);
    await Promise.all(early.map((job) => this.#store.retry(job.id, now)));
    if (early.length > 0) this.wake();
    return left.length > 0;
  }
}

function isAwaited(job: JobRecord, now: number): boolean {
  const { isDead, attempts, notBefore, error } = job;
  if (isDead || isPaused(job) || (error?.kind === 'network' && isOffline())) return false;
  if (attempts === 0 || notBefore <= now) return true;
  return attempts <= MOST_AWAITED_FAILURES && notBefore - now <= LONGEST_AWAITED_MS;
}
