import { abortable } from '../model/abortable.ts';
import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import { inBackground } from '../model/in-background.ts';
import { dueNow, failed, isHeldBack, isPaused, waitsToPass } from '../storage/jobs/job-plan.ts';
import type { AfterFailure, ClaimedJob, JobStore, JobTaker } from '../storage/jobs/job-store.ts';
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
  /** Names the handler that serves now. */
  handlerId: () => string;
  pauses: () => HandleOptions;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  timings: Readonly<LeadershipTimings>;
  onEvent: (event: JobEvent) => void;
}

/** A wake-up call may get lost with the tab that made it: the store is asked now and then all the same. */
const LONGEST_SLEEP_MS = 30_000;
/** What a page asks for when it has just been opened goes first: to begin a term is to write. */
const BEGIN_AFTER_MS = 200;
/** After a failure of the store itself, or of the lead; doubled each time. */
const PAUSE_MS = 1_000;
/** After this many failures of the store in a row nobody is kept waiting for it. */
const STALLED_AFTER = 4;
/** A job that succeeds has those that failed for a passing reason tried again, and not more often than this. */
const REVIVE_EVERY_MS = 60_000;

/** Works through one queue while this tab leads it. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;
  /** Failures of the store in a row. */
  #troubles = 0;
  #revivedAt = -Infinity;
  #revival: Promise<void>;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    let hasRevived: () => void = () => undefined;
    this.#revival = new Promise((resolve) => (hasRevived = resolve));
    this.#running = this.#run(hasRevived).finally(hasRevived);
  }

  /** Whether the store has failed so often that nobody should wait for it. */
  get isStalled(): boolean {
    return this.#troubles >= STALLED_AFTER;
  }

  /** Resolves when what waited for this tab to be opened, or for another handler, has been made due. */
  get revived(): Promise<void> {
    return this.#revival;
  }

  /** Makes due what waited for another handler, or for a failure to pass. */
  revive(): void {
    this.#revival = this.#revival.then(() => this.#retryEach(isRevivedByOpening));
  }

  /** Makes due what waited for a failure to pass. */
  reviveFailed(): void {
    this.#revival = this.#revival.then(() => this.#retryEach(waitsToPass));
  }

  /** Something may be due. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  /** Gives back the job under way, and the lead. */
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
        // The store is out of order, or another tab has begun a later term. Leading again begins a new term, to which
        // whatever was left half done belongs again.
        this.#isWoken = false;
        const isOutdated = error instanceof MnemoraError && error.code === 'leadership-lost';
        if (!isOutdated) this.#troubles += 1;
        const pause = Math.min(LONGEST_DELAY_MS, PAUSE_MS * 2 ** Math.max(0, this.#troubles - 1));
        await this.#sleep(pause * (1 + random()), signal);
      }
    }
  }

  /** Resolves when the term ends, or when this tab yields the lead because its model has refused a job. */
  async #serve(term: AbortSignal): Promise<void> {
    const { store, queue, clock, pauses } = this.#options;
    const number = await store.beginTerm(queue);
    pauses().onLead?.();
    while (!term.aborted) {
      this.#isWoken = false;
      const claimed = this.#isPaused() ? undefined : await store.claim(queue, number, clock(), this.#taker());
      if (!claimed) {
        this.#troubles = 0;
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
      // Where it cannot be given back, it is due as soon as another term begins.
      if (term.aborted) await store.release(ticket).catch(() => undefined);
      else if (cause instanceof MnemoraError && cause.code === 'leadership-lost') throw cause;
      else return this.#fail({ job, ticket }, cause, worker);
      return undefined;
    }
    await store.finish(ticket);
    this.#troubles = 0;
    onEvent({ type: 'done', job });
    const now = this.#options.clock();
    if (Math.abs(now - this.#revivedAt) < REVIVE_EVERY_MS) return undefined;
    this.#revivedAt = now;
    await this.#retryEach(waitsToPass);
    return undefined;
  }

  async #fail({ job, ticket }: ClaimedJob, cause: unknown, worker: string): Promise<'refused' | undefined> {
    const { store, clock, random, onEvent } = this.#options;
    const error = describeFailure(cause, isOffline());
    const next = afterFailure();
    await store.fail(ticket, error, next);
    this.#troubles = 0;
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

  /** Makes the jobs due that wait for what has come. Where the store fails, they wait on. */
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
      // the leader asks the store again, and says what is wrong with it
    }
  }

  #isPaused(): boolean {
    const { pauseWhenHidden = false, pauseWhenOffline = false } = this.#options.pauses();
    return (
      (pauseWhenHidden && globalThis.document?.visibilityState === 'hidden') ||
      (pauseWhenOffline && isOffline())
    );
  }

  /** Until the next job is due. */
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

  /** Until woken, or the time has passed, or the signal aborts. */
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

/** What a page that has just been opened, or a new handler, tries once more. */
function isRevivedByOpening(job: JobRecord): boolean {
  if (job.lease !== undefined) return false;
  return isPaused(job) || waitsToPass(job) || wasGivenUpTooSoon(job);
}
