import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';

/**
 * The items one by one, as they are asked for, with a pause around each: what takes a second in one go then never keeps
 * the page from drawing and answering. Rejects with the reason of the signal, once it aborts, before the next item.
 */
export async function* inPieces<T>(items: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T, void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
  for (const item of items) {
    yield item;
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
}
