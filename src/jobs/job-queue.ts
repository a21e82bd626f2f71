import { abortable } from '../model/abortable.ts';
import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { inBackground } from '../model/in-background.ts';
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
import { lead, type LeadershipTimings } from '../tabs/leadership.ts';
import {
  describeFailure,
  LONGEST_DELAY_MS,
  MOST_LASTING_FAILURES,
  retryDelayMs,
  wasGivenUpTooSoon,
} from './failure.ts';
import type { HandleOptions, JobEvent, JobHandler } from './job-handler.ts';
import { isOffline } from './online.ts';

export interface JobQueueOptions {
  store: JobStore;
  queue: string;
  handler: JobHandler;
  /** Returns the id of the current handler. */
  handlerId: () => string;
  pauses: () => HandleOptions;
  clock: Clock;
  /** Returns a random number from 0 up to 1. */
  random: () => number;
  timings: Readonly<LeadershipTimings>;
  onEvent: (event: JobEvent) => void;
}

/** Longest time between two looks at the store. A wake-up message may get lost with the tab that sent it. */
const LONGEST_SLEEP_MS = 30_000;
/**
 * Delays the first leadership claim, a write, so that it does not compete with the reads of a page that has just
 * opened.
 */
const BEGIN_AFTER_MS = 200;
/** First pause after a failure of the store or of the leadership; doubled each time. */
const PAUSE_MS = 1_000;
/** After this many failures of the store in a row, callers no longer wait for the queue. */
const STALLED_AFTER = 4;
/** A job that succeeds makes jobs with passing failures due again, but not more often than this. */
const REVIVE_EVERY_MS = 60_000;

/** Does the jobs of one queue while this tab is its leader. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;
  /** Number of failures of the store in a row. */
  #storeFailures = 0;
  #revivedAt = -Infinity;
  #revival: Promise<void>;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    let hasRevived: () => void = () => undefined;
    this.#revival = new Promise((resolve) => (hasRevived = resolve));
    this.#running = this.#run(hasRevived).finally(hasRevived);
  }

  /** True if the store has failed so often that callers should not wait for it. */
  get isStalled(): boolean {
    return this.#storeFailures >= STALLED_AFTER;
  }

  /** Resolves when the jobs that waited for this tab to open, or for another handler, have been made due. */
  get revived(): Promise<void> {
    return this.#revival;
  }

  /** Makes jobs due that wait for another handler, or for a failure to pass. */
  revive(): void {
    this.#revival = this.#revival.then(() => this.#retryEach(isRevivedByOpening));
  }

  /** Makes jobs due that wait for a failure to pass. */
  reviveFailed(): void {
    this.#revival = this.#revival.then(() => this.#retryEach(waitsToRetry));
  }

  /** Looks for due jobs now. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  /** Returns the current job to the queue and gives up the leadership. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException('The background work was closed.', 'AbortError'));
    await this.#running;
  }

  async #run(onRevived: () => void): Promise<void> {
    const { store, queue, timings, random } = this.#options;
    const { signal } = this.#closing;
    await this.#sleep(BEGIN_AFTER_MS, signal);
    if (!signal.aborted) await this.#retryEach(isRevivedByOpening);
    onRevived();
    while (!signal.aborted) {
      try {
        await lead(`mnemora:jobs:${store.name}:${queue}`, signal, (term) => this.#serve(term), timings);
      } catch (error) {
        // The store failed, or another tab has begun a later term. Leading again begins a new term, in which
        // unfinished jobs are due again.
        this.#isWoken = false;
        const isOutdated = error instanceof MnemoraError && error.code === 'leadership-lost';
        if (!isOutdated) this.#storeFailures += 1;
        const pause = Math.min(LONGEST_DELAY_MS, PAUSE_MS * 2 ** Math.max(0, this.#storeFailures - 1));
        await this.#sleep(pause * (1 + random()), signal);
      }
    }
  }

  /** Resolves when the term ends, or when this tab gives up the leadership because its model has refused a job. */
  async #serve(term: AbortSignal): Promise<void> {
    const { store, queue, clock, pauses } = this.#options;
    const number = await store.beginTerm(queue);
    pauses().onLead?.();
    while (!term.aborted) {
      this.#isWoken = false;
      const claimed = this.#isPaused() ? undefined : await store.claim(queue, number, clock(), this.#taker());
      if (!claimed) {
        this.#storeFailures = 0;
        await this.#sleep(await this.#idleMs(), term);
      } else if ((await this.#work(claimed, term)) === 'refused') return;
    }
  }

  #taker(): JobTaker {
    return { handler: this.#options.handlerId(), isOffline: isOffline() };
  }

  async #work({ job, ticket }: ClaimedJob, term: AbortSignal): Promise<'refused' | undefined> {
    const { store, handler, handlerId, onEvent } = this.#options;
    const worker = handlerId();
    try {
      term.throwIfAborted();
      onEvent({ type: 'started', job });
      await abortable(handler(job, ticket, term), term);
    } catch (cause) {
      // If the store fails here, the job is due again as soon as another term begins.
      if (term.aborted) await store.release(ticket).catch(() => undefined);
      else if (cause instanceof MnemoraError && cause.code === 'leadership-lost') throw cause;
      else return this.#fail({ job, ticket }, cause, worker);
      return undefined;
    }
    await store.finish(ticket);
    this.#storeFailures = 0;
    onEvent({ type: 'done', job });
    const now = this.#options.clock();
    if (Math.abs(now - this.#revivedAt) < REVIVE_EVERY_MS) return undefined;
    this.#revivedAt = now;
    await this.#retryEach(waitsToRetry);
    return undefined;
  }

  async #fail({ job, ticket }: ClaimedJob, cause: unknown, worker: string): Promise<'refused' | undefined> {
    const { store, clock, random, onEvent } = this.#options;
    const error = describeFailure(cause, isOffline());
    const next = afterFailure();
    await store.fail(ticket, error, next);
    this.#storeFailures = 0;
    const type = next === 'never' ? 'dead' : typeof next === 'number' ? 'failed' : 'paused';
    onEvent({ type, job: failed(job, error, next), cause });
    return type === 'paused' ? 'refused' : undefined;

    function afterFailure(): AfterFailure {
      if (error.kind === 'refused') return { refusedBy: worker };
      const isLast = (job.lastingFailures ?? 0) + 1 >= MOST_LASTING_FAILURES;
      if (error.kind === 'lasting' && isLast) return 'never';
      return clock() + retryDelayMs(job.attempts + 1, random(), cause);
    }
  }

  /** Makes waiting jobs due that match. If the store fails, they keep waiting. */
  async #retryEach(isMeant: (job: JobRecord) => boolean): Promise<void> {
    const { store, queue, clock, onEvent } = this.#options;
    try {
      for (const job of (await store.list([queue])).filter(isMeant)) {
        const now = clock();
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
    const { pauseWhenHidden = false, pauseWhenOffline = false } = this.#options.pauses();
    return (
      (pauseWhenHidden && globalThis.document?.visibilityState === 'hidden') ||
      (pauseWhenOffline && isOffline())
    );
  }

  /** Returns the milliseconds until the next job is due. */
  async #idleMs(): Promise<number> {
    const { store, queue, clock } = this.#options;
    if (this.#isPaused()) return LONGEST_SLEEP_MS;
    const taker = this.#taker();
    const waiting = (await store.list([queue])).filter(
      (job) => !isHeldBack(job, taker) && job.lease === undefined,
    );
    const next = Math.min(...waiting.map((job) => job.notBefore)) - clock();
    return Math.min(LONGEST_SLEEP_MS, Math.max(1, next));
  }

  /** Resolves when woken, when the time has passed, or when the signal aborts. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isWoken || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = inBackground(setTimeout(wake, ms));
      signal.addEventListener('abort', wake);
      this.#wakeUp = wake;
    });
  }
}

/** Selects the jobs that a newly opened page, or a new handler, tries once more. */
function isRevivedByOpening(job: JobRecord): boolean {
  if (job.lease !== undefined) return false;
  return isPaused(job) || waitsToRetry(job) || wasGivenUpTooSoon(job);
}
