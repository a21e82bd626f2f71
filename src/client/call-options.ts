import { MnemoraError } from '../model/error.ts';
import { checkOptionNames } from '../model/check-options.ts';

/** The last argument of every method that waits. */
export interface SignalOption {
  /** Rejects the call with the signal's reason. What was stored by then stays stored. */
  signal?: AbortSignal;
}

/**
 * Checks what every call takes: known names only, a signal that is one, and a session id that is one.
 *
 * @throws MnemoraError `invalid-option` on an unknown name, `invalid-input` on a wrong value
 */
export function checkCallOptions(
  method: string,
  options: { signal?: AbortSignal; sessionId?: string },
  names: readonly string[],
): void {
  checkOptionNames(method, options, names);
  const { signal, sessionId } = options;
  // By its method: a signal made in another frame is no instance of this one's class.
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new MnemoraError('invalid-input', `The signal given to ${method} must be an AbortSignal.`);
  }
  if (sessionId !== undefined) requireId(sessionId, 'A session id');
}

/**
 * Returns the signal of a call that takes no other option.
 *
 * @throws MnemoraError `invalid-option`, `invalid-input`; the signal's reason where it has aborted
 */
export function signalOf(method: string, options: SignalOption): AbortSignal | undefined {
  checkCallOptions(method, options, ['signal']);
  options.signal?.throwIfAborted();
  return options.signal;
}

/** @throws MnemoraError `invalid-input` */
export function requireId(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new MnemoraError('invalid-input', `${what} must be a string that is not empty.`);
}
