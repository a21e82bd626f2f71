import type { TimeWindow } from './time-window.ts';

/**
 * Returns how well a time fits the nearest window: 1 inside, falling to 0 over half the window's length (at least a day)
 * outside of it, because people talk about an event a little later, too. 0 without windows.
 */
export function timeFit(time: number, windows: readonly TimeWindow[]): number {
  let best = 0;
  for (const { from, to } of windows) {
    const distance = Math.max(0, from - time, time - to);
    const fade = Math.max(DAY, (to - from) / 2);
    best = Math.max(best, 1 - distance / fade);
  }
  return best;
}

const DAY = 86_400_000;
