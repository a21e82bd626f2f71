import {
  argument,
  checkName,
  checkOptionNames,
  checkOptions,
  mustBe,
  oneOf,
  type OptionCheck,
} from './check-options.ts';
import { describe } from './describe.ts';
import { requireId } from './id.ts';
import { MAX_MESSAGE_CHARACTERS, type TurnState } from './message.ts';

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

// Looks for a method, because a signal made in another frame is not an instance of this frame's class.
const isSignal: OptionCheck = mustBe(
  'an AbortSignal',
  (value) => typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === 'function',
  describe,
);
/** @throws MnemoraError `invalid-input` */
export const checkSessionId: OptionCheck = argument(checkName, 'A session id');
/** @throws MnemoraError `invalid-input` */
export const checkTurnId: OptionCheck = argument(checkName, 'A turn id');

/** Checks the ids of the turns that another one replaces. @throws MnemoraError `invalid-input` */
export const checkReplaces: OptionCheck = (_name, value) => {
  for (const id of [value].flat()) requireId(id, 'The id of the turn to replace');
};

/** Checks the state of a turn to store. @throws MnemoraError `invalid-input` */
export const checkTurnState: OptionCheck<TurnState> = argument(
  oneOf('pending', 'complete', 'failed', 'cancelled'),
);

/** Returns the check of a method's signal, which throws `invalid-input`. */
export function checkSignal(method: string): OptionCheck {
  return argument(isSignal, `The signal given to ${method}`);
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
  const checks = { sessionId: checkSessionId, signal: checkSignal(method) };
  const checked = checkOptions<SessionOptions>(method, options, checks);
  checked.signal?.throwIfAborted();
  return checked;
}

/** Checks the text of a question. @throws MnemoraError `invalid-input` */
export const checkText: OptionCheck<string> = argument(
  mustBe(
    `a string of at most ${MAX_MESSAGE_CHARACTERS} characters`,
    (value) => typeof value === 'string' && value.length <= MAX_MESSAGE_CHARACTERS,
    (value) => {
      if (typeof value === 'string') return `${value.length} characters`;
      return (
        describe(value) +
        (typeof value === 'object' && value !== null
          ? '. Pass the text alone, not in an object or array'
          : '')
      );
    },
  ),
);
