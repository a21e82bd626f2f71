import { abortable } from '../model/abortable.ts';
import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { newId } from '../model/id.ts';
import { isPaused } from '../storage/jobs/job-plan.ts';
import type { JobStore } from '../storage/jobs/job-store.ts';
import type { JobRecord } from '../storage/schema.ts';
import { LEADERSHIP_TIMINGS, type LeadershipTimings } from '../tabs/leadership.ts';
import { openTabChannel, type TabChannel } from '../tabs/tab-channel.ts';
import type { HandleOptions, JobEvent, JobEventListener, JobHandler } from './job-handler.ts';
import { JobQueue } from './job-queue.ts';
import { isOffline } from './online.ts';

export interface JobRunnerOptions {
  /** Clock of this machine, which the store uses too. @default Date.now */
  clock?: Clock;
  /** Returns a random number from 0 up to 1, for the backoff between attempts. @default Math.random */
  random?: () => number;
  timings?: Readonly<LeadershipTimings>;
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

interface Served {
  /** Registered handlers; the newest one does the jobs. */
  handlers: { id: string; handler: JobHandler; pauses: HandleOptions }[];
  working: JobQueue;
}

/** Does the jobs of one store, for each queue with a handler, in the tab that leads the queue. */
export class JobRunner {
  readonly #store: JobStore;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #timings: Readonly<LeadershipTimings>;
  readonly #queues = new Map<string, Served>();
  readonly #listeners = new Set<JobEventListener>();
  /** Callbacks of callers that wait for the next event of any job. */
  readonly #waiting = new Set<() => void>();
  readonly #channel: TabChannel;
  readonly #onPageChange = (): void => this.#wakeHere();
  readonly #onOnline = (): void => {
    for (const { working } of this.#queues.values()) working.reviveFailed();
    this.#wakeHere();
  };
  readonly #onStoreClosed = (): void => void this.close();
  #closing: Promise<void> | undefined;

  constructor(store: JobStore, options: JobRunnerOptions = {}) {
    const { clock = Date.now, random = Math.random, timings = LEADERSHIP_TIMINGS } = options;
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#timings = timings;
    this.#channel = openTabChannel(`jobs:${store.name}`, () => this.#wakeHere());
    globalThis.document?.addEventListener('visibilitychange', this.#onPageChange);
    globalThis.addEventListener?.('online', this.#onOnline);
    if (store.closed?.aborted) void this.close();
    else store.closed?.addEventListener('abort', this.#onStoreClosed);
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Registers a handler for a queue until the returned function is called; a later handler replaces it until then.
   * That function returns the current job to the queue and resolves when this is done. Jobs that wait for a failure
   * to pass, or because another handler's model refused them, are tried at once.
   *
   * @throws MnemoraError `storage-closed` after the runner was closed
   */
  handle(queue: string, handler: JobHandler, pauses: HandleOptions = {}): () => Promise<void> {
    if (this.isClosed) {
      throw new MnemoraError('storage-closed', 'The background work was closed. Open the database again.');
    }
    const entry = { id: newId(), handler, pauses };
    const served = this.#queues.get(queue);
    if (served) {
      served.handlers.push(entry);
      served.working.revive();
    } else this.#queues.set(queue, { handlers: [entry], working: this.#serve(queue) });
    return async () => {
      const now = this.#queues.get(queue);
      const position = now?.handlers.indexOf(entry) ?? -1;
      if (!now || position < 0) return;
      now.handlers.splice(position, 1);
      if (now.handlers.length > 0) return;
      this.#queues.delete(queue);
      await now.working.close();
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
   * jobs that are dead or paused, or that wait for a network, or for long, after failures. Does wait for a queue that
   * is paused.
   */
  async settled({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    signal?.throwIfAborted();
    try {
      await abortable(this.#revived(), signal);
      while (!this.isClosed) {
        const happened = this.#nextEvent();
        if (!(await abortable(this.#startDebounced(), signal))) return;
        await abortable(happened, signal);
      }
    } catch (error) {
      if (!this.isClosed) throw error;
    }
  }

  /** Returns all jobs of the store, oldest first, including dead ones. */
  jobs(): Promise<JobRecord[]> {
    return this.#store.list();
  }

  /** Queues a dead or paused job again, and starts a waiting one at once. Returns whether there is such a job. */
  async retry(jobId: number): Promise<boolean> {
    const isThere = await this.#store.retry(jobId, this.#clock());
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
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    globalThis.document?.removeEventListener('visibilitychange', this.#onPageChange);
    globalThis.removeEventListener?.('online', this.#onOnline);
    this.#store.closed?.removeEventListener('abort', this.#onStoreClosed);
    const working = [...this.#queues.values()].map((served) => served.working.close());
    this.#queues.clear();
    this.#wakeHere();
    await Promise.all(working);
    this.#channel.close();
  }

  #serve(queue: string): JobQueue {
    const newest = (): Served['handlers'][number] | undefined => this.#queues.get(queue)?.handlers.at(-1);
    return new JobQueue({
      store: this.#store,
      queue,
      handler: async (job, ticket, signal) => {
        const entry = newest();
        if (!entry) throw new DOMException('The handler of this queue was removed.', 'AbortError');
        await entry.handler(job, ticket, signal);
      },
      handlerId: () => newest()?.id ?? '',
      pauses: () => newest()?.pauses ?? {},
      clock: this.#clock,
      random: this.#random,
      timings: this.#timings,
      onEvent: (event) => this.#emit(event),
    });
  }

  #wakeHere(): void {
    for (const { working } of this.#queues.values()) working.wake();
    for (const happened of [...this.#waiting]) happened();
  }

  #emit(event: JobEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // A listener that throws must not stop the work, and its error must not be hidden.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    for (const happened of [...this.#waiting]) happened();
    if (event.type !== 'started') this.#channel.announce();
  }

  /** Resolves when failed jobs that opening the page makes due are due again. */
  async #revived(): Promise<void> {
    const jobs = await this.#store.list([...this.#queues.keys()]);
    if (!jobs.some((job) => job.attempts > 0)) return;
    await Promise.all([...this.#queues.values()].map(({ working }) => working.revived));
  }

  /** Starts the jobs that are only being debounced. Returns whether there is anything left to wait for. */
  async #startDebounced(): Promise<boolean> {
    const queues = [...this.#queues].filter(([, { working }]) => !working.isStalled);
    const now = this.#clock();
    const left = (await this.#store.list(queues.map(([queue]) => queue))).filter((job) =>
      isAwaited(job, now),
    );
    const early = left.filter((job) => job.attempts === 0 && job.lease === undefined && job.notBefore > now);
    await Promise.all(early.map((job) => this.#store.retry(job.id, now)));
    if (early.length > 0) this.wake();
    return left.length > 0;
  }

  /** Resolves at the next event in this or another tab, or after the polling interval. */
  #nextEvent(): Promise<void> {
    return new Promise<void>((resolve) => {
      const happened = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(happened);
        resolve();
      };
      const timer = setTimeout(happened, POLL_MS);
      this.#waiting.add(happened);
    });
  }
}

function isAwaited(job: JobRecord, now: number): boolean {
  const { isDead, lease, attempts, notBefore, error } = job;
  if (lease !== undefined) return true;
  if (isDead || isPaused(job) || (error?.kind === 'network' && isOffline())) return false;
  if (attempts === 0 || notBefore <= now) return true;
  return attempts <= MOST_AWAITED_FAILURES && notBefore - now <= LONGEST_AWAITED_MS;
}
