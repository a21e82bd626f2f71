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

/** Returns a timeout for idle time only: neither an endless stream nor a slow consumer exceeds it. */
export function idleTimeout(options: IdleTimeoutOptions): IdleTimeout {
  const controller = new AbortController();
  const follow = (): void => controller.abort(options.signal?.reason);
  if (options.signal?.aborted) follow();
  else options.signal?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    wait: (promise) => waitFor(promise, controller, options),
    close: () => options.signal?.removeEventListener('abort', follow),
  };
}

/** Timers take no more than 31 bits; beyond that they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function waitFor<T>(
  promise: Promise<T>,
  controller: AbortController,
  { timeoutMs, timeoutError }: IdleTimeoutOptions,
): Promise<T> {
  const { signal } = controller;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const timer =
      timeoutMs <= LONGEST_TIMER_MS
        ? setTimeout(() => controller.abort(timeoutError()), timeoutMs)
        : undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    promise.then(resolve, reject).finally(settle);
    if (signal.aborted) {
      settle();
      abort();
    } else signal.addEventListener('abort', abort, { once: true });
  });
}
