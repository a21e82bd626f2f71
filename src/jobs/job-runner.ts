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
  /** That of this machine, as the store has it. @default Date.now */
  clock?: Clock;
  /** From 0 up to 1, for the pauses between attempts. @default Math.random */
  random?: () => number;
  timings?: Readonly<LeadershipTimings>;
}

/** Another tab's work ends unheard where its message gets lost. */
const POLL_MS = 1_000;
/** Nobody is kept waiting for an attempt that is further away, or that comes after more failures than this. */
const LONGEST_AWAITED_MS = 5_000;
const MOST_AWAITED_FAILURES = 5;

const runners = new WeakMap<JobStore, JobRunner>();

/** The one runner of a store, made on first use. The options count then, and once it was closed. */
export function runnerFor(store: JobStore, options: JobRunnerOptions = {}): JobRunner {
  const known = runners.get(store);
  if (known && !known.isClosed) return known;
  const runner = new JobRunner(store, options);
  runners.set(store, runner);
  return runner;
}

interface Served {
  /** The newest one serves. */
  handlers: { id: string; handler: JobHandler; pauses: HandleOptions }[];
  working: JobQueue;
}

/** Does the jobs of one store, of the queues that it has handlers for, in whichever tab leads them. */
export class JobRunner {
  readonly #store: JobStore;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #timings: Readonly<LeadershipTimings>;
  readonly #queues = new Map<string, Served>();
  readonly #listeners = new Set<JobEventListener>();
  /** Those who wait until something happens to a job. */
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
   * Serves a queue until the returned function is called; a handler that comes later takes its place until then.
   * Calling it gives back the job under way and resolves when that is done. What waits after a failure that may have
   * passed, or because another handler's model refused it, is tried at once.
   *
   * @throws MnemoraError `storage-closed` once the runner was closed
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

  /** To be called when something was queued. */
  wake(): void {
    this.#wakeHere();
    this.#channel.announce();
  }

  /**
   * Resolves when the queues that this tab has handlers for hold no job that could be done now, or when the runner is
   * closed. What waits for more turns of its session is begun at once, here or in the tab that leads. Jobs that are dead
   * or paused are not waited for, nor those that wait for a network, or for long, after failures. A queue that is paused
   * holds it up.
   */
  async settled({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    signal?.throwIfAborted();
    try {
      await abortable(this.#revived(), signal);
      while (!this.isClosed) {
        const happened = this.#nextEvent();
        if (!(await abortable(this.#hurry(), signal))) return;
        await abortable(happened, signal);
      }
    } catch (error) {
      if (!this.isClosed) throw error;
    }
  }

  /** All jobs of the store, oldest first, dead ones included. */
  jobs(): Promise<JobRecord[]> {
    return this.#store.list();
  }

  /** Queues a dead or paused job again, and has one that waits begun at once. Returns whether there is such a job. */
  async retry(jobId: number): Promise<boolean> {
    const isThere = await this.#store.retry(jobId, this.#clock());
    const job = (await this.#store.list()).find((each) => each.id === jobId);
    if (job) this.#emit({ type: 'retried', job });
    this.wake();
    return isThere;
  }

  /** Tells of what happens to jobs in this tab, until the returned function is called. */
  onEvent(listener: JobEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Gives back the jobs under way, and the lead of all queues. */
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
        if (!entry) throw new DOMException('There is no handler any more.', 'AbortError');
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
        // The work does not stop for a listener, and the listener's mistake is not hidden.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    for (const happened of [...this.#waiting]) happened();
    if (event.type !== 'started') this.#channel.announce();
  }

  /** Resolves when what has failed before is due again, if opening the page makes it so. */
  async #revived(): Promise<void> {
    const jobs = await this.#store.list([...this.#queues.keys()]);
    if (!jobs.some((job) => job.attempts > 0)) return;
    await Promise.all([...this.#queues.values()].map(({ working }) => working.revived));
  }

  /** Has begun what waits for nothing but more turns. Returns whether anything is left to wait for. */
  async #hurry(): Promise<boolean> {
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

  /** Resolves at the next event here or in another tab, or after a while. */
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
