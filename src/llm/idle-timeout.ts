/** Guards the waits of one call: each may last so long, and an abort ends any of them. */
export interface IdleTimeout {
  /** Aborts with the caller's signal and when a wait lasts too long. */
  readonly signal: AbortSignal;
  /** The promise, or a rejection with the signal's reason if that comes first. The time counts from this call. */
  wait<T>(promise: Promise<T>): Promise<T>;
  /** Lets go of the caller's signal. */
  close(): void;
}

export interface IdleTimeoutOptions {
  /** Longest single wait; `Infinity` for no limit. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Makes the reason of an abort by time. */
  timeoutError: () => Error;
}

/** Only waiting counts, so that an endless stream is fine and so is a slow reader of it. */
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
