/**
 * Yields to the event loop, so that the page can render and respond. Unlike a timer it is not throttled in a hidden
 * tab.
 */
export function yieldToEventLoop(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const proceed = (): void => {
      clearTimeout(timer);
      port1.close();
      resolve();
    };
    const timer = inBackground(setTimeout(proceed, LOST_AFTER_MS));
    port1.onmessage = proceed;
    port2.postMessage(0);
  });
}

/** WebKit sends messages through its network process. If that process ends, messages in transit are lost. */
const LOST_AFTER_MS = 200;

/**
 * Lets a Node process exit while this timer or channel is still open. Used for background work that no caller waits
 * for. In browsers it changes nothing.
 */
export function inBackground<Handle>(handle: Handle): Handle {
  (handle as { unref?: () => unknown }).unref?.();
  return handle;
}

/**
 * Yields the items one by one, and yields to the event loop in between, so that long work does not block the page.
 * Rejects with the signal's reason before the next item once it aborts.
 */
export async function* yieldBetween<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
  for await (const item of items) {
    yield item;
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
}

/** Work that can pause after each step; what it returns does not depend on the pauses. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Maximum time of a slice in milliseconds, apart from its last step: a sixth of what counts as a long task. */
export const SLICE_MS = 8;

/**
 * Runs work step by step, and yields to the event loop whenever a slice of time is used up. Rejects with the signal's
 * reason once it aborts.
 */
export async function runInSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - start < SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    start = performance.now();
  }
}

/**
 * Resolves in a timer task. Timers do not fire in a frozen tab, so this resolves only after the tab is resumed.
 * Messages and locks still reach a frozen tab, and its microtasks run, but a transaction that it begins stays open,
 * and blocks all other tabs, until the tab is resumed.
 */
export function nextTimerTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Reports an error of a listener as uncaught, so that it neither stops the work nor is hidden. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
