import { inBackground } from './event-loop.ts';

/** Longest delay of a timer. Browsers run timers with a longer delay immediately. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Settles with the promise, or rejects with the signal's reason if that comes first. The work behind the promise is
 * not stopped.
 */
export function abortable<T>(work: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  const promise = Promise.resolve(work);
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Settles with what `ask` returns, or rejects after `ms` with the error that `late` returns, or with the signal's reason.
 * The signal passed to `ask` aborts in both cases.
 */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  late: () => Error,
  ask: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late()), ms);
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    return await abortable(ask(either), either);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves after the time, or as soon as one of the signals aborts. */
export function pause(
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  begin: (end: () => void, ms: number) => ReturnType<typeof setTimeout> = setTimeout,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = begin(end, ms);
    for (const signal of signals) signal?.addEventListener('abort', end);
    if (signals.some((signal) => signal?.aborted)) end();
  });
}

/** Does what {@link pause} does, and lets a Node process exit meanwhile. */
export function backgroundPause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return pause(ms, signals, (end) => inBackground(setTimeout(end, ms)));
}

/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a promise that is settled from outside. Rejecting it while nobody waits for it causes no unhandled rejection.
 */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
