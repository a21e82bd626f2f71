import { describe } from '../../model/describe.ts';
import { invalidInput } from '../../model/error.ts';
import type { WarningListener } from '../../model/warning.ts';
import type { Values } from './base-memory.ts';

export interface InputKeyOptions {
  /** The key to use, if the caller has set one. */
  inputKey?: string | undefined;
  /** The memory's own variables, which a chain passes back with its inputs. */
  exclude: readonly string[];
}

export interface OutputKeyOptions {
  /** The key to use, if the caller has set one. */
  outputKey?: string | undefined;
  /** Called whenever the output key had to be guessed. Wrap it in `warnOnce` to be called once. */
  onWarning?: WarningListener | undefined;
}

/**
 * Returns the name of the input with the user's message.
 *
 * It is the one given, or the only one besides the memory's own variables and the settings `stop`, `signal` and
 * `timeout`. A key whose value is `undefined` counts as absent; an empty string is a value.
 *
 * @throws MnemoraError `invalid-input`, with the names of the keys, if there is none or more than one
 */
export function chooseInputKey(inputs: Values, options: InputKeyOptions): string {
  const present = presentKeys(inputs, 'input');
  if (options.inputKey !== undefined) return requireKey(present, options.inputKey, 'input');
  const excluded = new Set([...options.exclude, ...CALL_SETTINGS]);
  const candidates = present.filter((key) => !excluded.has(key));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const found =
    only === undefined
      ? `none besides memory variables and settings (${listKeys(present)})`
      : listKeys(candidates);
  throw invalidInput(
    `Expected exactly one input key, got: ${found}. Set inputKey to choose which one to store.`,
  );
}

/**
 * Returns the name of the output with the model's answer.
 *
 * It is the one given, or the only one; of several the first of `output`, `answer`, `response` and `text`, with the
 * warning `ambiguous-output`.
 *
 * @throws MnemoraError `invalid-input`, with the names of the keys, if none can be chosen
 */
export function chooseOutputKey(outputs: Values, options: OutputKeyOptions = {}): string {
  const present = presentKeys(outputs, 'output');
  if (options.outputKey !== undefined) return requireKey(present, options.outputKey, 'output');
  const [only] = present;
  if (only !== undefined && present.length === 1) return only;
  const guess = USUAL_OUTPUT_KEYS.find((key) => present.includes(key));
  if (guess === undefined) {
    throw invalidInput(
      `Expected exactly one output key, got: ${listKeys(present)}. Set the output key to choose which one to store.`,
    );
  }
  const message = `There are several output keys (${listKeys(present)}); "${guess}" was stored. Set the output key to choose another.`;
  options.onWarning?.({ code: 'ambiguous-output', message });
  return guess;
}

/** Settings of a call that callers pass in one object with the inputs. They are never the user's message. */
export const CALL_SETTINGS = ['stop', 'signal', 'timeout'] as const;

const USUAL_OUTPUT_KEYS = ['output', 'answer', 'response', 'text'] as const;

/** Returns the keys that have a value. @throws MnemoraError `invalid-input` if this is not an object */
export function presentKeys(values: Values, kind: 'input' | 'output'): string[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw invalidInput(
      `The ${kind} must be an object of named values, such as { ${kind}: 'hi' }; got ${describe(values)}.`,
    );
  }
  return Object.keys(values).filter((key) => values[key] !== undefined);
}

/** Returns the key. @throws MnemoraError `invalid-input` if it is not among those that have a value */
export function requireKey(present: readonly string[], key: string, kind: 'input' | 'output'): string {
  if (present.includes(key)) return key;
  throw invalidInput(`${kind} key "${key}" not found; got: ${listKeys(present)}`);
}

/** Returns the names for an error message. */
export function listKeys(keys: readonly string[]): string {
  return keys.length === 0 ? 'none' : keys.join(', ');
}
