import type { EventStatement } from '../model/message.ts';
import { dayOf, timesNamed, type DateOf, type TimeWindow } from './time-window.ts';

/**
 * Returns when the event named by `phrase` was, read from the first sentence that names a time. If none does, it is the
 * time from which the first fact holds. A date without a year is the one nearest to when it was said; a yearly event is
 * the last one before `now`. Times are in milliseconds since 1970.
 */
export function eventDate(
  phrase: string,
  by: Parameters<DateOf>[1],
  told: readonly EventStatement[],
  now: number,
): TimeWindow | undefined {
  for (const { sentence, saidAt } of told) {
    const date = nearestNamed(sentence, saidAt);
    if (date) return YEARLY.test(phrase) ? lastTime(date, now) : date;
  }
  if (by === 'date') return undefined;
  const since = told.find(({ validFrom }) => validFrom !== undefined)?.validFrom;
  return since === undefined ? undefined : dayOf(since);
}

const YEAR_MS = 365 * 86_400_000;
const YEARLY = /\b(?:birthday|anniversary)\b/iu;

function nearestNamed(sentence: string, saidAt: number): TimeWindow | undefined {
  // `timesNamed` reads times as past ones. Read a year later, an event that is still to come is past as well.
  const dates = [saidAt, saidAt + YEAR_MS].flatMap((time) => timesNamed(sentence, time).windows);
  const distance = ({ from, to }: TimeWindow): number => Math.max(0, from - saidAt, saidAt - to);
  return dates.toSorted((a, b) => distance(a) - distance(b))[0];
}

function lastTime({ from, to }: TimeWindow, now: number): TimeWindow {
  const inYear = (year: number): number => new Date(from).setUTCFullYear(year);
  const year = new Date(now).getUTCFullYear();
  const start = inYear(year) <= now ? inYear(year) : inYear(year - 1);
  return { from: start, to: start + (to - from) };
}
