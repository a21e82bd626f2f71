import { LONGEST_TIMER_MS } from './abortable.ts';
import { inBackground } from './event-loop.ts';

/** Checks without a message until a worker that owes an answer counts as dead. */
const CHECKS = 5;

export interface SilenceWatchOptions {
  /** Milliseconds of silence that are allowed. */
  readonly limitMs: number;
  /** Returns by how much the limit is multiplied now; 0 while no answer is awaited. */
  readonly patience: () => number;
  /** Called once the worker has been silent for too long. */
  readonly onSilence: (allowedMs: number) => void;
}

/**
 * Detects that a worker is silent although an answer is awaited. Checks are counted instead of comparing times: a page
 * that was frozen, or busy, gets one late check for the whole time, in which its worker may have been frozen, too.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #silentChecks = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Call it whenever something was sent. It does not prolong the wait for an earlier answer. */
  start(): void {
    const everyMs = Math.min(this.#options.limitMs / CHECKS, LONGEST_TIMER_MS);
    this.#timer ??= inBackground(setInterval(() => this.#check(), everyMs));
  }

  /** Call it for every message from the worker. */
  heard(): void {
    this.#silentChecks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#silentChecks = 0;
  }

  #check(): void {
    const { limitMs, patience, onSilence } = this.#options;
    const allowed = patience();
    if (allowed === 0) return this.stop();
    this.#silentChecks += 1;
    if (this.#silentChecks < CHECKS * allowed) return;
    this.stop();
    onSilence(limitMs * allowed);
  }
}
