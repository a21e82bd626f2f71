/**
 * Keeps a timer or channel from holding a Node process open: for what is done in the background, while nobody waits for
 * it. In browsers it changes nothing.
 */
export function inBackground<Handle>(handle: Handle): Handle {
  (handle as { unref?: () => unknown }).unref?.();
  return handle;
}
