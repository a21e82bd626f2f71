import { checkOptionNames, checkOptions, type OptionCheck } from './check-options.ts';
import { describe } from './describe.ts';
import { invalidInput } from './error.ts';
import { requireId } from './id.ts';
import { MAX_MESSAGE_CHARACTERS } from './message.ts';

/** Options of every asynchronous method, passed as its last argument. */
export interface SignalOption {
  /** Rejects the call with the signal's reason when it aborts. Data stored by then is kept. */
  signal?: AbortSignal;
}

/** Options of a call about one session. */
export interface SessionOptions extends SignalOption {
  /** @default the session of this memory */
  sessionId?: string;
}

/** Returns the check of a method's signal, which throws `invalid-input`. */
export function checkSignal(method: string): OptionCheck {
  return checkInput(
    // Looks for a method, because a signal made in another frame is not an instance of this frame's class.
    (value) => typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === 'function',
    (value) => `The signal given to ${method} must be an AbortSignal; got ${describe(value)}.`,
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

/**
 * Returns the options of a call about one session, checked.
 *
 * @throws MnemoraError `invalid-option`, `invalid-input`; the signal's reason if it has aborted
 */
export function checkSessionOptions(method: string, options: SessionOptions): SessionOptions {
  const checks = { sessionId: checkId('A session id'), signal: checkSignal(method) };
  const checked = checkOptions<SessionOptions>(method, options, checks);
  checked.signal?.throwIfAborted();
  return checked;
}

/** Returns the check of an optional id, which throws `invalid-input`. */
export function checkId(what: string): OptionCheck {
  return (_name, value) => requireId(value, what);
}

/** Checks the text of a question. @throws MnemoraError `invalid-input` */
export function checkText(what: string, text: unknown): void {
  if (typeof text === 'string' && text.length <= MAX_MESSAGE_CHARACTERS) return;
  const got = typeof text === 'string' ? `${text.length} characters` : describe(text);
  throw invalidInput(`${what} must be a string of at most ${MAX_MESSAGE_CHARACTERS} characters; got ${got}.`);
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
