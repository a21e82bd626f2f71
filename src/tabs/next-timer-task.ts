/**
 * Resolves in the turn of a timer: in a frozen tab not before it thaws. Messages and locks still reach a frozen tab, and
 * its microtasks run, but a transaction that it begins stands open, and in all other tabs' way, until it thaws.
 */
export function nextTimerTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
