import { abortable } from '../model/abortable.ts';

/** Limits the duration of each wait of a call, and ends the waits if the caller aborts. */
export interface IdleTimeout {
  /** Aborts when the caller's signal does, or when a wait takes too long. */
  readonly signal: AbortSignal;
  /** Returns the promise, or rejects with the signal's reason if it aborts first. The timeout starts with this call. */
  wait<T>(promise: Promise<T>): Promise<T>;
  /** Removes the listener from the caller's signal. */
  close(): void;
}

export interface IdleTimeoutOptions {
  /** Maximum duration of a single wait in milliseconds; `Infinity` for no limit. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Returns the reason of an abort by timeout. */
  timeoutError: () => Error;
}

/** Timers take no more than 31 bits; beyond that they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Returns a timeout for idle time only: neither an endless stream nor a slow consumer exceeds it. */
export function idleTimeout({ timeoutMs, signal, timeoutError }: IdleTimeoutOptions): IdleTimeout {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  else signal?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    async wait(promise) {
      const expire = (): void => controller.abort(timeoutError());
      const timer = timeoutMs <= LONGEST_TIMER_MS ? setTimeout(expire, timeoutMs) : undefined;
      try {
        return await abortable(promise, controller.signal);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => signal?.removeEventListener('abort', follow),
  };
}
