import type { MnemoraError } from '../model/error.ts';

/** Outcome of one attempt. Errors that a retry cannot fix are thrown instead. */
export type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: MnemoraError; readonly retryAfterMs?: number | undefined };

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export interface RetryOptions {
  /** Number of attempts after the first. */
  retries: number;
  signal?: AbortSignal | undefined;
  sleep?: Sleep | undefined;
  /** Returns a number from 0 to below 1. @default `Math.random` */
  random?: (() => number) | undefined;
}

/**
 * Repeats an attempt with exponential backoff until it succeeds. A wait that the endpoint asks for (`retryAfterMs`) takes
 * precedence. Rejects with the error of the last attempt, or with the signal's reason.
 */
export async function retry<T>(attempt: () => Promise<Attempt<T>>, options: RetryOptions): Promise<T> {
  const { retries, signal, sleep = abortableSleep, random = Math.random } = options;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    const outcome = await attempt();
    if (outcome.kind === 'done') return outcome.value;
    if (failures >= retries) throw outcome.error;
    const wait = outcome.retryAfterMs ?? backoffMs(failures, random());
    await sleep(Math.min(wait, LONGEST_WAIT_MS), signal);
  }
}

/**
 * Returns the wait that a `Retry-After` header asks for, given as seconds or as an HTTP date; undefined if it is missing or
 * invalid.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

/** A user is waiting for the answer: after a longer wait an error is more useful. */
const LONGEST_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Returns the backoff. Half of it is random, so that clients rejected at the same time do not retry at the same time. */
function backoffMs(failures: number, random: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS);
  return Math.round(full / 2 + (full / 2) * random);
}

function abortableSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
