import { yieldToEventLoop } from '../model/event-loop.ts';

/**
 * Yields the items one by one, and yields to the event loop in between, so that long work does not block the page.
 * Rejects with the signal's reason before the next item once it aborts.
 */
export async function* yieldBetween<T>(items: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T, void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
  for (const item of items) {
    yield item;
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
}
