import type { MnemoraError } from '../model/error.ts';

/** How one try went. What is not worth another try is thrown instead. */
export type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: MnemoraError; readonly retryAfterMs?: number | undefined };

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export interface RetryOptions {
  /** Tries after the first. */
  retries: number;
  signal?: AbortSignal | undefined;
  sleep?: Sleep | undefined;
  /** A number from 0 up to 1, as `Math.random` gives. */
  random?: (() => number) | undefined;
}

/**
 * Tries until an attempt is done, waiting longer each time; the endpoint's own wish (`retryAfterMs`) goes first.
 * Rejects with the error of the last try, or with the signal's reason.
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
 * The wait that a `Retry-After` header asks for: seconds or an HTTP date. `undefined` where there is none or it cannot be read.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

/** A person waits for the answer: beyond this an error is kinder. */
const LONGEST_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Half of the wait is random, so that clients turned away together do not come back together. */
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
