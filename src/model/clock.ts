import { quote } from './describe.ts';
import { invalidInput } from './error.ts';

/** Returns milliseconds since 1970, like `Date.now`. Order never depends on it: sequence numbers define the order. */
export type Clock = () => number;

/** Latest time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

/**
 * Returns `time` if a `Date` can hold it. `what` is the first word of the error message.
 *
 * @throws MnemoraError `invalid-input`
 */
export function requireTime(time: unknown, what: string): number {
  if (typeof time === 'number' && Math.abs(time) <= MAX_TIME) return time;
  throw invalidInput(
    `${what} must be a time in milliseconds since 1970, not ${quote(time)}. Nothing was changed.`,
  );
}

/** Returns the day of a time in UTC, such as `2024-05-01`, or undefined if a `Date` cannot hold the time. */
export function dayOf(time: number): string | undefined {
  return Math.abs(time) <= MAX_TIME ? new Date(time).toISOString().slice(0, 10) : undefined;
}
