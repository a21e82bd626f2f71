import { abortable } from '../model/abortable.ts';
import type { Clock } from '../model/clock.ts';
import { MnemoraError } from '../model/error.ts';
import type { ClaimedJob, JobStore } from '../storage/job-store.ts';
import { lead, type LeadershipTimings } from '../tabs/leadership.ts';
import { describeFailure, MOST_ATTEMPTS, retryDelayMs } from './failure.ts';
import type { HandleOptions, JobEvent, JobHandler } from './job-handler.ts';

export interface JobQueueOptions {
  store: JobStore;
  queue: string;
  handler: JobHandler;
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
/** After a failure of the store itself, or of the lead. */
const PAUSE_MS = 1_000;

/** Works through one queue while this tab leads it. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#running = this.#run();
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

  async #run(): Promise<void> {
    const { store, queue, timings, random } = this.#options;
    const { signal } = this.#closing;
    await this.#sleep(BEGIN_AFTER_MS, signal);
    while (!signal.aborted) {
      try {
        await lead(`mnemora:jobs:${store.name}:${queue}`, signal, (term) => this.#serve(term), timings);
      } catch (error) {
        // The store is out of order, or another tab has begun a later term. Leading again begins a new term, to which
        // whatever was left half done belongs again.
        this.#isWoken = false;
        const isClosed = error instanceof MnemoraError && error.code === 'storage-closed';
        await this.#sleep(isClosed ? Infinity : PAUSE_MS * (1 + random()), signal);
      }
    }
  }

  async #serve(term: AbortSignal): Promise<void> {
    const { store, queue, clock } = this.#options;
    const number = await store.beginTerm(queue);
    while (!term.aborted) {
      this.#isWoken = false;
      const claimed = this.#isPaused() ? undefined : await store.claim(queue, number, clock());
      if (claimed) await this.#work(claimed, term);
      else await this.#sleep(await this.#idleMs(), term);
    }
  }

  async #work({ job, ticket }: ClaimedJob, term: AbortSignal): Promise<void> {
    const { store, handler, onEvent } = this.#options;
    try {
      term.throwIfAborted();
      onEvent({ type: 'started', job });
      await abortable(handler(job, ticket, term), term);
    } catch (cause) {
      // Where it cannot be given back, it is due as soon as another term begins.
      if (term.aborted) await store.release(ticket).catch(() => undefined);
      else if (cause instanceof MnemoraError && cause.code === 'leadership-lost') throw cause;
      else await this.#fail({ job, ticket }, cause);
      return;
    }
    await store.finish(ticket);
    onEvent({ type: 'done', job });
  }

  async #fail({ job, ticket }: ClaimedJob, cause: unknown): Promise<void> {
    const { store, clock, random, onEvent } = this.#options;
    const attempts = job.attempts + 1;
    const isDead = attempts >= MOST_ATTEMPTS;
    const error = describeFailure(cause);
    await store.fail(ticket, error, isDead ? 'never' : clock() + retryDelayMs(attempts, random()));
    onEvent({ type: isDead ? 'dead' : 'failed', job: { ...job, attempts, error }, cause });
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
    const waiting = (await store.list([queue])).filter((job) => !job.isDead && job.lease === undefined);
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
      const timer = ms === Infinity ? undefined : setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      this.#wakeUp = wake;
    });
  }
}

/** Outside of browsers a navigator may not know. */
function isOffline(): boolean {
  const { navigator } = globalThis;
  return navigator !== undefined && 'onLine' in navigator && !navigator.onLine;
}
