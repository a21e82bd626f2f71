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
