/**
 * Lets a Node process exit while this timer or channel is still open. Used for background work that no caller waits
 * for. In browsers it changes nothing.
 */
export function inBackground<Handle>(handle: Handle): Handle {
  (handle as { unref?: () => unknown }).unref?.();
  return handle;
}
