import { checkOptionNames, type OptionCheck } from '../model/check-options.ts';
import { invalidInput } from '../model/error.ts';
import { requireId } from '../model/id.ts';

/** The last argument of every method that waits. */
export interface SignalOption {
  /** Rejects the call with the signal's reason. What was stored by then stays stored. */
  signal?: AbortSignal;
}

/** Returns the check of a method's signal, which throws `invalid-input`. */
export function checkSignal(method: string): OptionCheck {
  return checkInput(
    // By its method: a signal made in another frame is not an instance of this frame's class.
    (value) => typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === 'function',
    `The signal given to ${method} must be an AbortSignal.`,
  );
}

/**
 * Returns the signal of a call that takes no other option.
 *
 * @throws MnemoraError `invalid-option`, `invalid-input`; the signal's reason if it has aborted
 */
export function signalOf(method: string, options: SignalOption): AbortSignal | undefined {
  checkOptionNames(method, options, ['signal']);
  const { signal } = options;
  if (signal !== undefined) checkSignal(method)('signal', signal);
  signal?.throwIfAborted();
  return signal;
}

/** Returns the check of an optional id, which throws `invalid-input`. */
export function checkId(what: string): OptionCheck {
  return (_name, value) => requireId(value, what);
}

/** Returns a check that throws `invalid-input` with this message. */
export function checkInput(
  isValid: (value: unknown) => boolean,
  message: string | ((value: unknown) => string),
): OptionCheck {
  return (_name, value) => {
    if (!isValid(value)) throw invalidInput(typeof message === 'string' ? message : message(value));
  };
}
