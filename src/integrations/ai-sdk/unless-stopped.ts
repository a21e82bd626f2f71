import { untilAborted } from './until-aborted.ts';

/**
 * Resolves to the result of `work`, or to undefined as soon as `stopped` aborts, because the result is no longer
 * needed. The signal of `work` aborts with `stopped` and with `late`.
 */
export async function unlessStopped<T>(
  stopped: AbortSignal | undefined,
  late: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  if (stopped?.aborted) return undefined;
  try {
    return await untilAborted(work(stopped ? AbortSignal.any([stopped, late]) : late), stopped);
  } catch (error) {
    if (stopped?.aborted) return undefined;
    throw error;
  }
}
