import { describe, quote } from './describe.ts';
import { invalidOption } from './error.ts';
import { isId, MAX_ID_LENGTH } from './id.ts';

/** Throws on option names that a component does not know, so that a misspelled option is not silently ignored. */
export function checkOptionNames(component: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidOption(`The options of ${component} must be an object; got ${quote(options)}.`);
  }
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw invalidOption(
    `${component} has no option ${unknown.join(', ')}. Its options are ${names.join(', ')}.`,
  );
}

/** Checks one option. @throws MnemoraError `invalid-option` */
export type OptionCheck = (name: string, value: unknown) => unknown;

/** One check for each option. The type makes every new option name its check. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/**
 * Checks all options that are set.
 *
 * @throws MnemoraError `invalid-option`, also for an option that is not in the table
 */
export function checkOptions<Options extends object>(
  component: string,
  options: Options,
  checks: OptionChecks<Options>,
): Options {
  const names = Object.keys(checks) as (keyof Options & string)[];
  checkOptionNames(component, options, names);
  for (const name of names) if (options[name] !== undefined) checks[name](name, options[name]);
  return options;
}

/** Returns a check for a whole number of at least `least`. */
export function wholeNumber(least: 0 | 1): OptionCheck {
  return (name, value) => checkWholeNumber(name, value, least);
}

/** Returns a check for one of these words. */
export function oneOf(...words: readonly string[]): OptionCheck {
  return (name, value) => checkWord(name, value, words);
}

/** Returns a check for an object that has all these methods. */
export function objectWith(...names: readonly string[]): OptionCheck {
  return (name, value) => checkMethods(name, value as object, names);
}

/** Returns a whole number of at least `least`. @throws MnemoraError `invalid-option` */
export function checkWholeNumber(name: string, value: unknown, least: 0 | 1): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw invalidOption(`${name} must be a whole number of at least ${least}; got ${quote(value)}.`);
}

/** Returns a text that is not empty, and not longer than an id. @throws MnemoraError `invalid-option` */
export function checkName(name: string, value: unknown): string {
  if (isId(value)) return value;
  throw invalidOption(`${name} must be a string of 1 to ${MAX_ID_LENGTH} characters; got ${quote(value)}.`);
}

/** Returns a string. @throws MnemoraError `invalid-option` */
export function checkString(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalidOption(`${name} must be a string; got ${quote(value)}.`);
}

/** Returns true or false. @throws MnemoraError `invalid-option` */
export function checkBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidOption(`${name} must be true or false; got ${quote(value)}.`);
}

/** Returns one of the words listed. @throws MnemoraError `invalid-option` */
export function checkWord<T extends string>(name: string, value: unknown, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw invalidOption(`${name} must be one of ${words.join(', ')}; got ${quote(value)}.`);
}

/** Returns an object that has all these methods. @throws MnemoraError `invalid-option` */
export function checkMethods<T extends object>(name: string, value: T, methods: readonly string[]): T {
  const missing = methods.filter((method) => typeof Reflect.get(Object(value), method) !== 'function');
  if (typeof value === 'object' && value !== null && missing.length === 0) return value;
  throw invalidOption(`${name} must have the methods ${methods.join(', ')}; got ${describe(value)}.`);
}

/** Returns a function. @throws MnemoraError `invalid-option` */
export function checkFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') return value;
  throw invalidOption(`${name} must be a function; got ${quote(value)}.`);
}
