/**
 * Yields to the event loop, so that the page can render and respond. Unlike a timer it is not throttled in a hidden
 * tab.
 */
export function yieldToEventLoop(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Lets a Node process exit while this timer or channel is still open. Used for background work that no caller waits
 * for. In browsers it changes nothing.
 */
export function inBackground<Handle>(handle: Handle): Handle {
  (handle as { unref?: () => unknown }).unref?.();
  return handle;
}
