import { MnemoraError } from './error.ts';

/** Milliseconds since 1970, as `Date.now` gives them. Order never rests on it: sequence numbers do that. */
export type Clock = () => number;

/** The latest time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

/** @throws MnemoraError `invalid-input` unless it is a time that a `Date` can hold; `what` begins the message */
export function requireTime(time: number, what: string): number {
  if (Number.isFinite(time) && Math.abs(time) <= MAX_TIME) return time;
  throw new MnemoraError(
    'invalid-input',
    `${what} must be a time in milliseconds since 1970, not ${String(time)}. Nothing was changed.`,
  );
}
